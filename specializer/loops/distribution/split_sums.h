//===- specializer/loops/distribution/split_sums.h - moves sums to a separate loop ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < n; ++i) {            for (i = 0; i < n; ++i)
//       f[i] = expensive(i);                 f[i] = expensive(i);      // threads share this one
//       sum += f[i];               ──>     for (i = 0; i < n; ++i)
//     }                                      sum += f[i];
//
// The result of a floating-point sum depends on the order of its terms. So a sum over the
// iterations of a loop makes the loop serial, even if the computation of the terms is independent.
// If the terms can be computed again at low cost, because they are in memory, a second loop
// computes the sum in the same order as before. (Allen and Kennedy, "Optimizing Compilers for
// Modern Architectures", loop distribution.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_SPLIT_SUMS_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_SPLIT_SUMS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// The values that make a loop serial although its iterations share no memory.
struct CarriedSums {
  llvm::SmallVector<llvm::PHINode *, 2> Phis;     ///< phis in the loop's header
  llvm::SmallPtrSet<const llvm::Value *, 4> Last; ///< their values after an iteration
};

/// Returns the values that \p L carries and that are neither counters nor accumulators.
CarriedSums carriedSums(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Returns whether splitSums() can split \p L, whose iterations share no memory, and the second
/// loop does at most half of the work.
bool canSplitSums(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Adds the two loops beside \p L. They replace \p L in executions where \p AreApart, an i1 in its
/// preheader, is true. Returns the header of the first loop; null, and \p L is unchanged, if it
/// cannot be split. Invalidates the analyses.
llvm::BasicBlock *splitSums(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                            llvm::Value &AreApart);

} // namespace specrt

#endif
