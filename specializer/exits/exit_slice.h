//===- specializer/exits/exit_slice.h - what decides about a loop's end ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `while (k < n && fabs(f[k]) > eps) { ... }`: how often the loop runs is not known before it, but
// a few of its instructions tell, and what they read the loop does not write. Executed alone, up to
// the same exit, they read what the loop would have read, and nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_EXITS_EXIT_SLICE_H
#define SPECRT_SPECIALIZER_EXITS_EXIT_SLICE_H

#include "specrt/jit_api.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class Instruction;
class LoadInst;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// Why a loop's end cannot be found ahead.
struct ExitRefusal {
  specrt_note_code Code = SPECRT_NOTE_PLAIN;
  const char *Why = nullptr; ///< null: it can; "": nothing would be gained
};

/// The instructions of one loop that decide about its end.
class ExitSlice {
public:
  explicit ExitSlice(llvm::Loop &L) : L(L) {}

  /// Does nobody know when \p L ends, or has it several exits?
  static bool isWanted(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

  /// Finds the slice, and whether it may be executed before the loop.
  ExitRefusal find(llvm::FunctionAnalysisManager &FAM);

  llvm::Loop &loop() const { return L; }
  /// One conditional branch per exit, in the order in which an iteration comes by them; each
  /// iteration that is not the last comes by all of them.
  llvm::ArrayRef<llvm::BranchInst *> exits() const { return Exits; }
  bool isLatch(const llvm::BranchInst &Exit) const;
  /// Would it be executed ahead?
  bool contains(const llvm::Instruction &I) const { return Needed.contains(&I); }
  /// Of the loop's header.
  llvm::ArrayRef<llvm::PHINode *> phis() const { return Phis; }

  /// The outermost loop around, or the loop itself, whose iterations all find the same end, and
  /// which always comes to the loop: before that one it can be found once.
  llvm::Loop &outermost(llvm::FunctionAnalysisManager &FAM) const;

private:
  bool findExits(llvm::FunctionAnalysisManager &FAM);
  const char *add(llvm::Value &V);
  const char *findNeeded();
  bool isUnwritten(const llvm::Loop &In, llvm::FunctionAnalysisManager &FAM) const;
  bool isCheap() const;

  llvm::Loop &L;
  llvm::SmallVector<llvm::BranchInst *, 2> Exits;
  llvm::SmallSetVector<const llvm::Instruction *, 16> Needed;
  llvm::SmallVector<llvm::PHINode *, 2> Phis;
  llvm::SmallVector<llvm::LoadInst *, 2> Loads;
  llvm::SmallVector<llvm::Value *, 8> Inputs; ///< from outside of the loop
  llvm::SmallVector<llvm::Value *, 8> Open;
};

} // namespace specrt

#endif
