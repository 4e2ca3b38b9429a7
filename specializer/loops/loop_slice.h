//===- specializer/loops/loop_slice.h - the code that computes some values of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice is the part of a loop that computes some of its values: their operands, the loads of
// data, and the branches that decide whether and how often these are executed. A copy of the loop
// that executes only a slice has no side effects except those that the caller adds. (Weiser,
// "Program slicing".)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_LOOP_SLICE_H
#define SPECRT_SPECIALIZER_LOOPS_LOOP_SLICE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <algorithm>

namespace llvm {
class DominatorTree;
class LoadInst;
class PostDominatorTree;
class SCEV;
class TargetTransformInfo;
} // namespace llvm

namespace specrt {

/// Returns whether the edge from \p From to its successor number \p Side always leads to \p Block,
/// and other edges from \p From need not. Then \p Block is control dependent on \p From. (Ferrante,
/// Ottenstein, Warren, "The program dependence graph".)
bool decidesFor(const llvm::BasicBlock &From, unsigned Side, const llvm::BasicBlock &Block,
                const llvm::PostDominatorTree &PDT);

class LoopSlice {
public:
  /// \p MayLoad returns whether a load reads the same value in the copy as in the loop. \p IsGiven,
  /// which may be null, returns whether the caller provides a value, so that the slice need not
  /// compute it.
  LoopSlice(llvm::Loop &L, const llvm::LoopInfo &LI, const llvm::PostDominatorTree &PDT,
            llvm::function_ref<bool(const llvm::LoadInst &)> MayLoad,
            llvm::function_ref<bool(llvm::Instruction &)> IsGiven = nullptr)
      : L(L), LI(LI), PDT(PDT), MayLoad(MayLoad), IsGiven(IsGiven) {}

  /// Returns whether a slice can be copied: blocks must end in branches, and \p L and each loop in
  /// it must have an exit test in each iteration.
  static bool isPossible(const llvm::Loop &L, const llvm::DominatorTree &DT);

  /// Lets the slice contain calls that set errno (unordered_calls.h). They run in the copy, too.
  void allowCalls() { MayCall = true; }

  /// Adds the code that computes \p V, or that decides whether \p Block is executed. Returns false
  /// if a copy cannot execute it.
  bool add(const llvm::Value *V);
  bool addExecution(const llvm::BasicBlock &Block);
  /// Adds the code that computes the values of which \p S consists. An expander may compute S from
  /// other values, which have to be added then.
  bool addParts(const llvm::SCEV *S);

  const llvm::SmallSetVector<llvm::Instruction *, 32> &instructions() const { return Needed; }
  /// Returns how often one iteration of the loop executes \p Block. Assumes ten iterations for each
  /// loop inside.
  double timesOf(const llvm::BasicBlock &Block) const;
  /// Returns the cost of \p I in one iteration of the loop.
  double costOf(const llvm::Instruction &I, const llvm::TargetTransformInfo &TTI) const;
  /// Returns the costs of the slice and of the loop.
  double cost(const llvm::TargetTransformInfo &TTI) const;
  double costOfLoop(const llvm::TargetTransformInfo &TTI) const;
  /// Returns the part of the loop's cost that the slice has.
  double share(const llvm::TargetTransformInfo &TTI) const {
    return std::min(1.0, cost(TTI) / std::max(costOfLoop(TTI), 1.0));
  }

  /// Copies the blocks of the loop. \p Map must map the loop's preheader to the block before the
  /// copy and its exit to the block after it. The function adds the blocks and instructions to \p
  /// Map. Returns the copies in the loop's order.
  static llvm::SmallVector<llvm::BasicBlock *, 16>
  copyBlocks(const llvm::Loop &L, llvm::ValueToValueMapTy &Map, const llvm::Twine &Suffix);

  /// Removes the instructions that are not in the slice from \p Copies of the loop's blocks. Keeps
  /// those for which \p IsKept returns true and what they use.
  void restrict(llvm::ArrayRef<llvm::BasicBlock *> Copies, const llvm::ValueToValueMapTy &Map,
                llvm::function_ref<bool(const llvm::Instruction &)> IsKept) const;

private:
  bool addInstruction(llvm::Instruction &I);

  llvm::Loop &L;
  const llvm::LoopInfo &LI;
  const llvm::PostDominatorTree &PDT;
  llvm::function_ref<bool(const llvm::LoadInst &)> MayLoad;
  llvm::function_ref<bool(llvm::Instruction &)> IsGiven;
  bool MayCall = false;
  llvm::SmallSetVector<llvm::Instruction *, 32> Needed;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Executed;
};

} // namespace specrt

#endif
