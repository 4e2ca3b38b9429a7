//===- specializer/loops/distribution/vector_parts.h - parts of loops for vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum in the order of the source, or an update at a place that data decide, keeps LLVM from using
// vectors for a loop, also for terms that take most of its time:
//
//     for (i = 0; i < n; ++i)
//       sum += q[i] / sqrt(x[i] * x[i] + y[i] * y[i]);
//
// The loop is split as for threads (distributed_loop.h), and one thread executes both parts.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_VECTOR_PARTS_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_VECTOR_PARTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Splits the loops of \p F whose first part, but not the loop itself, can use vectors. Ends when
/// \p Expired returns true. Returns how many loops were split. Brings the loops into canonical form
/// and invalidates the analyses.
unsigned splitForVectors(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                         llvm::function_ref<bool()> Expired);

} // namespace specrt

#endif
