//===- specializer/fast/sum_places.h - sums in memory become sums in registers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that adds to an element of an array has to read and write that element in each iteration,
// because other accesses may touch it:
//
//     for (j = 0; j < m; ++j)      if (no other access touches y[i]) {
//       y[i] += a[i][j] * x[j];      s = y[i];
//                                    for (j = 0; j < m; ++j)
//                                      s += a[i][j] * x[j];
//                                    y[i] = s;
//                                  } else {
//                                    the loop as it was
//                                  }
//
// So the sum becomes one whose order can be chosen (sum_trees.h). Whether it does in a call depends
// on the addresses of that call alone, not on what a version knows of them. What guards promise of
// arrays later decides the condition when a version is made.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_PLACES_H
#define SPECRT_SPECIALIZER_FAST_SUM_PLACES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Does so for innermost loops of \p F where makeSumTrees() can choose another order. Returns the
/// number of loops.
unsigned promoteSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Decides the conditions of promoteSums() in \p F where no two accesses may alias any more.
/// Returns the number of them; if there are any, \p F is to be simplified.
unsigned decidePromotions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
