//===- specializer/loops/split_sums.h - sums in a loop of their own -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < n; ++i) {            for (i = 0; i < n; ++i)
//       f[i] = expensive(i);                 f[i] = expensive(i);      // threads share this one
//       sum += f[i];               ──>     for (i = 0; i < n; ++i)
//     }                                      sum += f[i];
//
// The order in which floating-point numbers are added decides about the result. So a sum over the
// iterations of a loop makes it serial, even if all that it adds up is independent. Where the terms
// can be had again cheaply, because they are in memory, a second loop computes the sum in the same
// order as before. (Allen and Kennedy, "Optimizing Compilers for Modern Architectures", loop
// distribution.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_SPLIT_SUMS_H
#define SPECRT_SPECIALIZER_LOOPS_SPLIT_SUMS_H

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

/// What makes a loop serial though its iterations share no memory.
struct CarriedSums {
  llvm::SmallVector<llvm::PHINode *, 2> Phis;     ///< of its header
  llvm::SmallPtrSet<const llvm::Value *, 4> Last; ///< at the end of an iteration
};

/// Returns the values that \p L carries and that are neither counters nor accumulators.
CarriedSums carriedSums(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Returns whether splitSums() can split \p L, whose iterations share no memory, and what the
/// second loop does is at most half of the work.
bool canSplitSums(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

/// Adds the two loops beside \p L, if canSplitSums(). They are executed in its place where
/// \p AreApart, an i1 in its preheader, is true. Returns the header of the first one. Analyses have
/// to be made anew.
llvm::BasicBlock *splitSums(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                            llvm::Value &AreApart);

} // namespace specrt

#endif
