//===- instrument/nest/stub.h - what stands around a nest that is a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  f = load *slot; null ──────────────┐
//            left = f(args..., &frame)          │       cold
//            done ──> behind; not done ─────────┤
//   nest:    open = the call is to be reported  v       a phi: no, or left == SPECRT_LEFT_OPEN
//            …
//   exits:   if (open) specrt_leave(region, &frame.call)
//   behind:  …
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_NEST_STUB_H
#define SPECRT_INSTRUMENT_NEST_STUB_H

#include "instrument/emit/outline.h"
#include "instrument/nest/frame.h"

namespace specrt {

/// What a nest was given.
struct Stub {
  /// Calls that do the nest's work, in place of what OutlinedRegion::Call was, or its rest.
  llvm::SmallVector<llvm::CallInst *, 2> Calls;
  llvm::Value *Frame = nullptr;
  llvm::SmallVector<llvm::Value *> Args; ///< of the region
  llvm::Value *IsOpen = nullptr;         ///< in the nest
  /// Where a call that has done the nest's work goes on. It tells the exit; an enum specrt_left.
  llvm::BasicBlock *Done = nullptr;
  llvm::PHINode *Left = nullptr; ///< in Done
};

/// Completes what outlineLoops() has made: \p Region has the slot at \p Slot and the descriptor
/// \p Descriptor. Its Call and Choice are replaced, and nothing uses its Body any more. Analyses of
/// the function are invalidated.
Stub emitStub(const OutlinedRegion &Region, llvm::Constant *Slot, llvm::Constant *Descriptor,
              Frame &Memory, llvm::FunctionAnalysisManager &FAM);

/// At the end of \p Block: if (open) specrt_leave(region, &frame.call); then \p Next.
void leaveIfOpen(const Stub &S, llvm::BasicBlock &Block, llvm::BasicBlock &Next,
                 llvm::Constant *Descriptor, const llvm::DebugLoc &Location);

} // namespace specrt

#endif
