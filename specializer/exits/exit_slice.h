//===- specializer/exits/exit_slice.h - the instructions that decide about a loop's end -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of `while (k < n && fabs(f[k]) > eps) { ... }` is not known before the loop, but a
// few of its instructions determine it, and the loop does not write what they read. Executed alone,
// up to the same exit, they read exactly what they would have read in the loop.
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

/// Why the exit of a loop cannot be hoisted.
struct ExitRefusal {
  specrt_note_code Code = SPECRT_NOTE_PLAIN;
  const char *Why = nullptr; ///< null: it can; "": nothing would be gained
};

/// The instructions of one loop that determine its end.
class ExitSlice {
public:
  explicit ExitSlice(llvm::Loop &L) : L(L) {}

  /// Returns whether the trip count of \p L is unknown, or \p L has several exits.
  static bool isWanted(const llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

  /// Finds the slice, and returns whether it may be executed before the loop.
  ExitRefusal find(llvm::FunctionAnalysisManager &FAM);

  llvm::Loop &loop() const { return L; }
  /// Returns one conditional branch per exit, in the order in which an iteration executes them.
  /// Every iteration but the last executes all of them.
  llvm::ArrayRef<llvm::BranchInst *> exits() const { return Exits; }
  bool isLatch(const llvm::BranchInst &Exit) const;
  /// Returns whether \p I would be hoisted.
  bool contains(const llvm::Instruction &I) const { return Needed.contains(&I); }
  /// Returns the phis of the loop's header in the slice.
  llvm::ArrayRef<llvm::PHINode *> phis() const { return Phis; }

  /// Returns the outermost loop around, or the loop itself, in whose iterations the end is the same
  /// and which always executes the loop: the end can be computed once before it.
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
  llvm::SmallVector<llvm::Value *, 8> Inputs; ///< values from outside of the loop
  llvm::SmallVector<llvm::Value *, 8> Open;
};

} // namespace specrt

#endif
