//===- instrument/emit/stub.h - what stands around a nest that is a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   before:  f = load *slot; null ──────────────┐
//            left = f(args...; record)          │       cold
//            done ──> behind; not done ─────────┤
//   nest:    token = 0 or left                  v
//            …
//   exits:   if (token < 0) specrt_end_nest(token)
//   behind:  …
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_STUB_H
#define SPECRT_INSTRUMENT_EMIT_STUB_H

#include "instrument/emit/outline.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class CallInst;
class Constant;
class IRBuilderBase;
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// The parts of a stub that a poll in the same nest uses, too.
struct Stub {
  /// The calls that do the nest's work instead of it, or the rest of its work.
  llvm::SmallVector<llvm::CallInst *, 2> Calls;
  /// The region's arguments, which all of these calls get, in front of the nest.
  llvm::SmallVector<llvm::Value *> Args;
  /// The members of Args that are loaded only in front of the calls, so that other places must load
  /// them again (OutlinedRegion::Loaded).
  llvm::SmallPtrSet<const llvm::Value *, 8> Loaded;
  /// Returns the arguments at another place, where the nest may be running.
  llvm::SmallVector<llvm::Value *> argsAt(llvm::IRBuilderBase &B) const;
  /// The token of the call that runs in place, defined in the nest's entry; 0 when there is none.
  llvm::Value *Token = nullptr;
  /// Control goes on here after one of Calls. The block chooses the exit by Left, a phi of what the
  /// calls have returned.
  llvm::BasicBlock *Done = nullptr;
  llvm::PHINode *Left = nullptr;
};

/// Puts the stub around the nest of \p Region, which outlineLoops() has made and whose record is
/// \p Record; the slot comes first in it. Deletes Region.Call; nothing uses Region.Body any more.
/// Invalidates the analyses of the function.
Stub emitStub(const OutlinedRegion &Region, llvm::Constant *Record,
              llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
