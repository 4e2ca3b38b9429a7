//===- specializer/loops/independence/pipelined_loop.h - loops for a pipeline ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations k of a loop may depend on each other although threads can share the loops inside
// it, as in sweeps over a grid: an element is computed from its neighbours in the previous planes,
// rows and columns. Each thread executes, in all iterations k, the same range of the iterations j
// of the inner loops, and begins an iteration k when the thread with the previous range has ended
// the same k (software pipelining of wave fronts, "doacross"). This executes (k, j) before (k', j')
// if k <= k' and j <= j'. So it is legal if, of two iterations that access the same memory, the one
// with the lower j comes first.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_PIPELINED_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_PIPELINED_LOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace specrt {

/// A loop around loops that threads can share as a pipeline. All numbers of iterations are
/// constants.
struct PipelinedLoop {
  llvm::BasicBlock *Header = nullptr;
  /// The headers of the shared loops, which are all loops directly inside.
  llvm::SmallVector<llvm::BasicBlock *, 4> Shared;
  int64_t Trips = 0;       ///< iterations of the loop
  int64_t SharedTrips = 0; ///< iterations of each shared loop
};

/// Returns how threads can share the loops in \p L; nothing if they cannot.
std::optional<PipelinedLoop> pipelinedLoop(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
