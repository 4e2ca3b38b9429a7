//===- specializer/loops/independence/independent_loop.h - independent iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are independent if none writes memory that another one accesses. With constant sizes,
// the footprints of two accesses prove that (footprint.h). Otherwise each iteration touches a range
// of bytes, and all ranges have the same distance to the next one. No two iterations meet if the
// ranges of both accesses together are no longer than that distance, which is compared when the
// loop begins. If data decide which addresses are accessed, an inspector checks them
// (hull_inspector.h). Memory on the stack whose lifetime begins anew in each iteration, and arrays
// that each iteration writes before it reads them (work_arrays.h), carry nothing to another
// iteration. If data decide about these writes, their dataflow is analysed, and the inspector may
// have to check branches (conditional_arrays.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_INDEPENDENT_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_INDEPENDENT_LOOP_H

#include "specializer/loops/independence/hull_inspector.h"
#include "specializer/loops/independence/work_arrays.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <string>
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
  double InspectorShare = 0; ///< the part of the loop's work that an inspector does; 0: none
  /// True if the loop also carries sums and has to be split (split_sums.h).
  bool HasSums = false;
  /// Each thread must have its own instance of these arrays.
  llvm::SmallVector<WorkArray, 2> Arrays;
  std::string Note; ///< the purpose of demands on branches; "" if there are none
};

/// The loops that findIndependentLoops() has found, and why others are not among them.
struct IndependentLoops {
  std::vector<IndependentLoop> All;
  std::string Note; ///< "" if not known
};

/// Returns the outermost independent loops of \p F in preorder. With \p MayTransform they include
/// loops that an inspector has to check in each call, loops from which sums have to be split off,
/// and loops with work arrays. Returns those found so far when \p Expired, which may be null,
/// returns true.
IndependentLoops findIndependentLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                      bool MayTransform, llvm::function_ref<bool()> Expired);

/// Returns the demands of \p L; nothing if it is not independent, even with a transformation.
std::optional<IndependentLoop> demandsOf(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Returns the demands of \p L, a loop in \p Around, that are known before \p Around: the
/// iterations of \p L in one iteration of each loop around it are independent if they hold. Returns
/// nothing if the iterations are not independent without a transformation.
std::optional<IndependentLoop> demandsWithin(const llvm::Loop &Around, const llvm::Loop &L,
                                             llvm::FunctionAnalysisManager &FAM);

/// Returns an i1 in the preheader of \p L, before which all \p Pairs of signed 64-bit numbers are
/// known: the first number of each pair is no larger than the second.
llvm::Value *areNoLarger(llvm::ArrayRef<std::pair<const llvm::SCEV *, const llvm::SCEV *>> Pairs,
                         const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
