//===- specializer/loops/shared_loop.h - a loop that threads share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_SHARED_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_SHARED_LOOP_H

#include "specializer/loops/balanced_nest.h"
#include "specializer/loops/independence/work_arrays.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/LoopInfo.h"

namespace specrt {

/// Moves \p L, an independent loop (independent_loop.h), to a function for some of its iterations,
/// which threads call where \p Apart is true. Otherwise the calling thread does all of them, in
/// their order. Each thread gets its own instance of the stack memory that only the loop uses. Each
/// thread except the one that runs an array's last write gets its own memory for \p Arrays. If \p
/// Nest is not null, threads take chunks of about equal work, and execute parts of the loops Cut by
/// functions of their own; there are no \p Arrays then if there are such loops. Returns false if
/// that is not possible; nothing has changed then but code without effects. Invalidates loop info
/// and scalar evolution.
bool shareLoop(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM, llvm::Value &Apart,
               llvm::ArrayRef<WorkArray> Arrays = {}, const BalancedNest *Nest = nullptr);

/// Moves \p L, a pipelined loop (pipelined_loop.h), to a function for one of its iterations and
/// some iterations of the loops \p Shared in it. Each thread executes all iterations of \p L with
/// one range of theirs. For the rest see shareLoop().
bool pipelineLoop(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                  llvm::ArrayRef<llvm::Loop *> Shared);

} // namespace specrt

#endif
