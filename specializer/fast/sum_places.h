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
// The order of the sum in a register can then be changed (sum_trees.h). The branch that a call
// takes has to be the same in all versions. So only what alias analysis proves before any facts
// about calls are used is not compared, and the other comparisons are made in each version, unless
// its guards imply them (place_comparisons.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_PLACES_H
#define SPECRT_SPECIALIZER_FAST_SUM_PLACES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Moves sums of innermost loops of \p F to registers if makeSumTrees() can change their order.
/// Returns the number of such loops. Alias scopes that are declared in loops must have been removed
/// (iteration_scopes.h).
unsigned promoteSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
