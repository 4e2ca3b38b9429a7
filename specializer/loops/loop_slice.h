//===- specializer/loops/loop_slice.h - some values of a loop and what they need ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice is what a loop executes to compute some of its values: their operands, the loads of data,
// and the branches that decide whether and how often all that happens. A copy of the loop that
// executes a slice alone has no effects but those that are added to it. (Weiser, "Program
// slicing".)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_LOOP_SLICE_H
#define SPECRT_SPECIALIZER_LOOPS_LOOP_SLICE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class PostDominatorTree;
} // namespace llvm

namespace specrt {

class LoopSlice {
public:
  /// \p MayLoad: does a load find in the copy what it finds in the loop?
  LoopSlice(llvm::Loop &L, const llvm::LoopInfo &LI, const llvm::PostDominatorTree &PDT,
            llvm::function_ref<bool(const llvm::LoadInst &)> MayLoad)
      : L(L), LI(LI), PDT(PDT), MayLoad(MayLoad) {}

  /// Returns whether a copy can be made: each loop inside may be left in each of its iterations.
  static bool isPossible(const llvm::Loop &L, const llvm::DominatorTree &DT);

  /// Adds \p V, or that \p Block is executed. False if a copy cannot do that.
  bool add(const llvm::Value *V);
  bool addExecution(const llvm::BasicBlock &Block);

  const llvm::SmallSetVector<llvm::Instruction *, 32> &instructions() const { return Needed; }

  /// Copies the blocks of the loop. \p Map knows the block before the copy for the loop's preheader
  /// and the one after it for its exit; it gets the blocks and instructions. Returns the copies in
  /// the loop's order.
  static llvm::SmallVector<llvm::BasicBlock *, 16>
  copyBlocks(const llvm::Loop &L, llvm::ValueToValueMapTy &Map, const llvm::Twine &Suffix);

  /// Removes from copies of the loop's blocks what is not in the slice, except instructions for
  /// which \p IsKept, and what these use.
  void restrict(llvm::ArrayRef<llvm::BasicBlock *> Copies, const llvm::ValueToValueMapTy &Map,
                llvm::function_ref<bool(const llvm::Instruction &)> IsKept) const;

private:
  bool addInstruction(llvm::Instruction &I);

  llvm::Loop &L;
  const llvm::LoopInfo &LI;
  const llvm::PostDominatorTree &PDT;
  llvm::function_ref<bool(const llvm::LoadInst &)> MayLoad;
  llvm::SmallSetVector<llvm::Instruction *, 32> Needed;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Executed;
};

} // namespace specrt

#endif
