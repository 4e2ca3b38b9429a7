//===- specializer/fast/sum_places.h - moves sums from memory to registers ===//
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
// The order of the sum in a register can then be changed (sum_trees.h). Which branch a call takes
// depends only on the addresses in that call, so it is the same in all versions. If the guards of a
// version imply the condition, it becomes a constant in that version.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_PLACES_H
#define SPECRT_SPECIALIZER_FAST_SUM_PLACES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Moves sums of innermost loops of \p F to registers if makeSumTrees() can change their order.
/// Returns the number of such loops.
unsigned promoteSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces the conditions of promoteSums() in \p F by constants if alias analysis proves that no
/// other access touches the sums. Returns the number of constants. The caller must simplify \p F if
/// there are any.
unsigned decidePromotions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
