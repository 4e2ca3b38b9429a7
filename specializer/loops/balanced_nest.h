//===- specializer/loops/balanced_nest.h - nests that threads share in equal parts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunks of iterations of one loop leave threads idle if there are few iterations, or if some of
// them contain much more work than others. The runtime cuts a nest into chunks of equal work
// instead if it knows how many iterations the loops inside have (support/ranking). These numbers
// only serve to balance: the chunks contain all iterations of the nest even if the numbers are
// wrong.
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_BALANCED_NEST_H
#define SPECRT_SPECIALIZER_LOOPS_BALANCED_NEST_H

#include "specializer/loops/affine_trips.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Value;
} // namespace llvm

namespace specrt {

/// The loops of which an independent loop is the outermost one, if threads share them in chunks of
/// equal work.
struct BalancedNest {
  AffineNest Of;                               ///< at least two loops
  llvm::SmallVector<llvm::Loop *, 2> Cut = {}; ///< inner loops whose iterations threads may share
  llvm::Value *MayCut = nullptr;               ///< an i1 in the preheader: threads may share Cut
  double PointNs = 0;                          ///< time of an innermost iteration
  unsigned Threads = 0; ///< the number for which Cut was chosen; 0: it is chosen at run time
};

/// Returns how \p Threads threads share \p L, an independent loop, in chunks of equal work. A start
/// of it takes \p NsPerStart nanoseconds or an unknown time (0). With \p HasArrays it has work
/// arrays, and its iterations stay whole. Returns nothing if chunks of iterations are as good. That
/// is decided here if the numbers of iterations are constants, otherwise when the loop starts.
std::optional<BalancedNest> balancedNest(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                                         bool HasArrays, unsigned Threads, double NsPerStart);

/// Emits a specrt_ranked_nest (runtime/parallel/parallel.h) for \p Nest, which begins with \p L, at
/// the end of the preheader of \p L. Returns its address.
llvm::Value *describe(const BalancedNest &Nest, const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
