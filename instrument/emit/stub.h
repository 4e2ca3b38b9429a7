//===- instrument/emit/stub.h - emits the stub around a nest that is a region -===//
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

/// The parts of a stub that a poll in the same nest uses as well.
struct Stub {
  /// The calls that do the nest's work, or the rest of it, instead of the nest.
  llvm::SmallVector<llvm::CallInst *, 2> Calls;
  /// The region's arguments as the calls in front of the nest receive them.
  llvm::SmallVector<llvm::Value *> Args;
  /// The members of Args that are loaded only in front of the calls; other places must load them
  /// again (OutlinedRegion::Loaded).
  llvm::SmallPtrSet<const llvm::Value *, 8> Loaded;
  /// Returns the arguments at the insertion point of \p B, which may lie inside of the nest.
  llvm::SmallVector<llvm::Value *> argsAt(llvm::IRBuilderBase &B) const;
  /// The token of the call that runs in place, defined in the nest's entry; 0 if there is none.
  llvm::Value *Token = nullptr;
  /// The block where control continues after one of Calls. It chooses the exit by Left, a phi of
  /// the results of the calls.
  llvm::BasicBlock *Done = nullptr;
  llvm::PHINode *Left = nullptr;
};

/// Emits the stub around the nest of \p Region, which outlineLoops() has made. The slot is the
/// first member of \p Record. Deletes Region.Call, the last user of Region.Body, and invalidates
/// the analyses of the function.
Stub emitStub(const OutlinedRegion &Region, llvm::Constant *Record,
              llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
