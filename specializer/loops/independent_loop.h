//===- specializer/loops/independent_loop.h - finds loops with independent iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are independent if none writes what another one accesses. With constant sizes, the
// footprints of two accesses prove that (footprint.h). Otherwise each iteration touches a range of
// bytes, and all ranges have the same distance to the next one. No two iterations meet if the
// ranges of both accesses together are no longer than that distance, which is compared when the
// loop begins. Where data decide what is accessed, an inspector checks the addresses
// (hull_inspector.h). Memory on the stack whose lifetime begins anew in each iteration carries
// nothing to another iteration.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENT_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENT_LOOP_H

#include "specializer/loops/hull_inspector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <vector>

namespace llvm {
class SCEV;
}

namespace specrt {

/// A loop that carries nothing but counters and accumulators (accumulator.h).
struct IndependentLoop {
  llvm::BasicBlock *Header = nullptr;
  /// Pairs of signed 64-bit numbers that are known in the preheader. The iterations are independent
  /// if the first number of each pair is no larger than the second.
  llvm::SmallSetVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 4> NoLarger;
  /// The addresses must also meet these demands.
  HullDemands Hulls;
  /// True if the loop also carries sums and has to be split (split_sums.h).
  bool HasSums = false;
};

/// Returns the outermost independent loops of \p F in preorder. With \p MayTransform they include
/// loops that an inspector has to check in each call, and loops from which sums have to be split
/// off. Returns those found so far when \p Expired, which may be null, returns true.
std::vector<IndependentLoop> findIndependentLoops(llvm::Function &F,
                                                  llvm::FunctionAnalysisManager &FAM,
                                                  bool MayTransform,
                                                  llvm::function_ref<bool()> Expired);

/// Returns the demands of \p L; nothing if it is not independent, even with a transformation.
std::optional<IndependentLoop> demandsOf(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
