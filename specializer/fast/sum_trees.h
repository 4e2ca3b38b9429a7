//===- specializer/fast/sum_trees.h - sums in a fixed order of their own ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_FP=fast allows any order of sums. All versions of a region have to agree on one, though:
// otherwise results depend on which version has won a trial, or on the number of threads. So the
// order is written into the code before any version is made:
//
//     for (i = 0; i < n; ++i)      double lanes[16] = {-0.0, ...};
//       s += x(i);                 for (b = 0; b < n / 16; ++b)
//                                    for (l = 0; l < 16; ++l)
//                                      lanes[l] += x(16 * b + l);
//                                  s += ((lanes[0] + lanes[8]) + (lanes[4] + lanes[12])) + ...;
//                                  for (i = n / 16 * 16; i < n; ++i)
//                                    s += x(i);
//
// Afterwards every pass keeps to that order, as it does in strict mode. Iterations are executed in
// their old order, so nothing but the sum changes. The innermost loop carries nothing, which the
// vectoriser and Polly understand as it is; when it has become vectors, the lanes become registers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_TREES_H
#define SPECRT_SPECIALIZER_FAST_SUM_TREES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Brings the loops of \p F into the form of LoopSimplify and LCSSA and forgets all analyses.
void bringIntoShape(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives sums of innermost loops of \p F a fixed order where that pays. What becomes of a loop
/// depends on \p F alone. Returns the number of sums.
unsigned makeSumTrees(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
