//===- specializer/loops/independent_loop.h - iterations in any order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are independent when none writes what another one accesses. Where sizes are numbers,
// footprints of two accesses show that (footprint.h). Otherwise each iteration touches a range of
// bytes, and that of the next one begins so many bytes later: no iteration meets another when the
// ranges of both accesses together are no longer than that, which is known when the loop begins.
// Where data decide what is accessed, an inspector finds out (hull_inspector.h).
// Memory on the stack whose lifetime begins anew in each iteration passes nothing from one to
// another.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENT_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENT_LOOP_H

#include "specializer/loops/hull_inspector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace llvm {
class SCEV;
}

namespace specrt {

/// A loop that carries nothing but counters and accumulators (accumulator.h).
struct IndependentLoop {
  llvm::BasicBlock *Header = nullptr;
  /// Its iterations are independent where each of these numbers, known in its preheader, is no
  /// larger than the one beside it. All are 64 bits wide and have signs.
  llvm::SmallSetVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 4> NoLarger;
  /// Besides, these have to be met.
  HullDemands Hulls;
  /// It carries sums, too, and has to be split (split_sums.h).
  bool HasSums = false;
};

/// Returns the outermost such loops of \p F, in their order, and with \p MayTransform those that an
/// inspector finds to be independent in some calls, or of which sums are split off.
std::vector<IndependentLoop>
findIndependentLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, bool MayTransform);

/// Returns what \p L, which is independent, demands.
IndependentLoop demandsOf(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
