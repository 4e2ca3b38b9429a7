//===- instrument/emit/unwinding.h - turns invokes in a nest into plain calls -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function in another file may throw, as far as this file knows. If the caller has objects to
// destroy, the call is an invoke whose landing pad lies outside of the nest. This class turns such
// invokes into plain calls, so that a copy of the nest can be outlined; the call of the copy then
// unwinds to the same landing pad.
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

/// The landing pad that all invokes of a nest share.
class Unwinding {
public:
  /// Replaces the invokes among \p Distant by plain calls if all of them have the same landing pad
  /// outside of \p L, and the pad uses no value that the nest defines; otherwise changes nothing.
  /// Invalidates the analyses of the function if it changed something.
  Unwinding(llvm::Loop &L, llvm::ArrayRef<llvm::CallBase *> Distant,
            llvm::FunctionAnalysisManager &FAM);

  bool changed() const { return !Calls.empty(); }
  /// Turns the nest's calls back into invokes.
  void restore();
  /// Turns \p Call, which runs a copy of the nest, into an invoke with the same landing pad.
  void copyTo(llvm::CallInst &Call);

private:
  bool canMove(const llvm::Loop &L, llvm::ArrayRef<llvm::InvokeInst *> Invokes);
  void unwindToPad(llvm::CallInst &Call);

  llvm::FunctionAnalysisManager &FAM;
  llvm::BasicBlock *Pad = nullptr;
  /// The values that the phis of Pad receive from the nest.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>> Incoming;
  llvm::SmallVector<llvm::CallInst *> Calls;
};

} // namespace specrt

#endif
