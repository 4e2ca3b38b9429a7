//===- instrument/emit/unwinding.h - nests that functions elsewhere may leave ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a function in another file may throw as far as this file knows. Where objects have to
// be destroyed then, the call is an invoke, and its landing pad lies outside of the nest. A copy of
// the nest can be moved away with plain calls, when the call of the copy unwinds to that pad.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_UNWINDING_H
#define SPECRT_INSTRUMENT_EMIT_UNWINDING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class CallBase;
class CallInst;
class InvokeInst;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// The landing pad of a nest's invokes.
class Unwinding {
public:
  /// Makes plain calls of those \p Distant calls that are invokes, if all of them have one landing
  /// pad outside of \p L that needs nothing of the nest; otherwise nothing changes. Analyses of the
  /// function are invalidated when something did.
  Unwinding(llvm::Loop &L, llvm::ArrayRef<llvm::CallBase *> Distant,
            llvm::FunctionAnalysisManager &FAM);

  bool changed() const { return !Calls.empty(); }
  /// The nest's calls are invokes again.
  void restore();
  /// \p Call, which runs a copy of the nest, unwinds as the nest does.
  void copyTo(llvm::CallInst &Call);

private:
  bool canMove(const llvm::Loop &L, llvm::ArrayRef<llvm::InvokeInst *> Invokes);
  void unwindToPad(llvm::CallInst &Call);

  llvm::FunctionAnalysisManager &FAM;
  llvm::BasicBlock *Pad = nullptr;
  /// What the pad's phis get from the nest.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>> Incoming;
  llvm::SmallVector<llvm::CallInst *> Calls;
};

} // namespace specrt

#endif
