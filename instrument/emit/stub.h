//===- instrument/emit/stub.h - what stands around a nest that is a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  f = load *slot; null ──────────────┐
//            left = f(args...)                  │       cold
//            done ──> behind; not done ─────────┤
//   nest:    token = 0 or left                  v
//            …
//   exits:   if (token < 0) specrt_leave_nest(region, token)
//   behind:  …
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_STUB_H
#define SPECRT_INSTRUMENT_EMIT_STUB_H

#include "instrument/emit/outline.h"

namespace specrt {

/// What a nest was given.
struct Stub {
  /// Calls that do the nest's work, in place of what OutlinedRegion::Call was, or its rest.
  llvm::SmallVector<llvm::CallInst *, 2> Calls;
  llvm::SmallVector<llvm::Value *> Args; ///< of the region
  llvm::Value *Token = nullptr;          ///< in the nest
  /// Where a call that has done the nest's work goes on. It tells the exit; an enum specrt_left.
  llvm::BasicBlock *Done = nullptr;
  llvm::PHINode *Left = nullptr; ///< in Done
};

/// Completes what outlineLoops() has made: \p Region has the slot at \p Slot and the descriptor
/// \p Descriptor. Its Call is replaced, and nothing uses its Body any more. Analyses of the
/// function are invalidated.
Stub emitStub(const OutlinedRegion &Region, llvm::Constant *Slot, llvm::Constant *Descriptor,
              llvm::FunctionAnalysisManager &FAM);

/// At the end of \p Block: if (token < 0) specrt_leave_nest(region, token); then \p Next.
void leaveIfObserved(const Stub &S, llvm::BasicBlock &Block, llvm::BasicBlock &Next,
                     llvm::Constant *Descriptor, const llvm::DebugLoc &Location);

} // namespace specrt

#endif
