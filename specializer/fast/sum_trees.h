//===- specializer/fast/sum_trees.h - gives sums a fixed order ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPECRT_FP=fast permits any order of sums. All versions of a region must use the same order,
// because otherwise results would depend on the trial's winner or the number of threads. So the
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
// All later passes keep that order, as in strict mode. Iterations are executed in their old order,
// so only the sum changes. The innermost loop carries only counters, so that the vectoriser and
// Polly can handle it. After vectorisation the lanes are kept in registers.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_FAST_SUM_TREES_H
#define SPECRT_SPECIALIZER_FAST_SUM_TREES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class SCEV;
class Type;
} // namespace llvm

namespace specrt {

/// Returns the number of lanes of a sum of floats or doubles.
unsigned numLanes(const llvm::Type &T);

/// Returns whether \p Trips iterations may be at least two whole blocks. Fewer are too few to
/// change their order.
bool mayHaveBlocks(const llvm::SCEV &Trips, unsigned Lanes);

/// Gives sums of innermost loops of \p F a fixed order where that is profitable. The result depends
/// only on \p F. Returns the number of sums. Alias scopes that are declared in loops must have been
/// removed (iteration_scopes.h).
unsigned makeSumTrees(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
