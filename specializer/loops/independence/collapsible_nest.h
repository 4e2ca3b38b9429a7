//===- specializer/loops/independence/collapsible_nest.h - loops that threads share as one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the iterations of a loop are independent, and so are those of the only loop in it within each
// iteration, then all pairs of iterations are: two pairs differ in the outer iteration, or in the
// inner one alone. Threads may share the pairs if an outer iteration may be executed in parts, each
// of them by another thread. The code beside the inner loop is executed once for each part. So it
// must not write memory or change an accumulator, and must not read memory that the inner loop
// writes.
//
//===----------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_COLLAPSIBLE_NEST_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_COLLAPSIBLE_NEST_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
class SCEV;
} // namespace llvm

namespace specrt {

/// The loops in an independent loop whose iterations threads may share.
struct CollapsibleNest {
  /// The loops from outside in, each of which is the only loop directly in the previous one. Empty
  /// if no loop may be shared.
  llvm::SmallVector<llvm::Loop *, 2> Inner;
  /// Pairs of signed 64-bit numbers that are known in the preheader of the outermost loop. Threads
  /// may share the loops if the first number of each pair is no larger than the second.
  llvm::SmallSetVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 4> NoLarger;
};

/// Returns at most \p MaxLoops such loops in \p L, an independent loop (independent_loop.h) that
/// has no work arrays and carries no sums.
CollapsibleNest collapsibleNest(const llvm::Loop &L, unsigned MaxLoops,
                                llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
