//===- specializer/loops/loop_slice.cpp - the code that computes some values of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_slice.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cmath>

using namespace llvm;

namespace specrt {

bool decidesFor(const BasicBlock &From, unsigned Side, const BasicBlock &Block,
                const PostDominatorTree &PDT) {
  return PDT.dominates(&Block, From.getTerminator()->getSuccessor(Side)) &&
         !PDT.properlyDominates(&Block, &From);
}

bool LoopSlice::isPossible(const Loop &L, const DominatorTree &DT) {
  const auto EndsInBranch = [](const BasicBlock *BB) {
    return isa<BranchInst>(BB->getTerminator());
  };
  return all_of(L.blocks(), EndsInBranch) && all_of(L.getLoopsInPreorder(), [&](const Loop *Inner) {
           SmallVector<BasicBlock *, 4> Exiting;
           Inner->getExitingBlocks(Exiting);
           return Inner->getLoopLatch() && any_of(Exiting, [&](const BasicBlock *BB) {
                    return DT.dominates(BB, Inner->getLoopLatch());
                  });
         });
}

bool LoopSlice::add(const Value *V) {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  return !I || !L.contains(I) || (IsGiven && IsGiven(*I)) || !Needed.insert(I) ||
         addInstruction(*I);
}

bool LoopSlice::addInstruction(Instruction &I) {
  if (const auto *Phi = dyn_cast<PHINode>(&I)) {
    // The value depends on which predecessor in the loop was executed.
    for (const BasicBlock *From : Phi->blocks())
      if (L.contains(From) && !addExecution(*From))
        return false;
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Load->isSimple() || !MayLoad(*Load))
      return false;
  } else if (isUnordered(I) || isErrnoOnly(I) ? !MayCall : I.mayReadOrWriteMemory()) {
    return false;
  }
  return all_of(I.operands(), [&](const Value *Operand) { return add(Operand); }) &&
         addExecution(*I.getParent());
}

bool LoopSlice::addExecution(const BasicBlock &Block) {
  if (!Executed.insert(&Block).second)
    return true;
  for (BasicBlock *From : L.blocks()) {
    const unsigned NumSides = succ_size(From);
    const bool Decides = NumSides > 1 && any_of(seq(NumSides), [&](unsigned Side) {
                           return decidesFor(*From, Side, Block, PDT);
                         });
    if (Decides && (!isa<BranchInst>(From->getTerminator()) || !add(From->getTerminator())))
      return false;
  }
  return true;
}

bool LoopSlice::addParts(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return Unknown && !add(Unknown->getValue());
  });
}

double LoopSlice::timesOf(const BasicBlock &Block) const {
  return std::pow(10, LI.getLoopDepth(&Block) - L.getLoopDepth());
}

double LoopSlice::costOf(const Instruction &I, const TargetTransformInfo &TTI) const {
  return timesOf(*I.getParent()) * specrt::costOf(I, TTI);
}

double LoopSlice::cost(const TargetTransformInfo &TTI) const {
  double Sum = 0;
  for (const Instruction *I : Needed)
    Sum += costOf(*I, TTI);
  return Sum;
}

double LoopSlice::costOfLoop(const TargetTransformInfo &TTI) const {
  double Sum = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      Sum += costOf(I, TTI);
  return Sum;
}

SmallVector<BasicBlock *, 16> LoopSlice::copyBlocks(const Loop &L, ValueToValueMapTy &Map,
                                                    const Twine &Suffix) {
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *BB : L.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(BB, Map, Suffix, BB->getParent());
    Map[BB] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  return Copies;
}

void LoopSlice::restrict(ArrayRef<BasicBlock *> Copies, const ValueToValueMapTy &Map,
                         function_ref<bool(const Instruction &)> IsKept) const {
  SmallSetVector<Instruction *, 32> Live;
  for (const Instruction *I : Needed)
    Live.insert(cast<Instruction>(Map.lookup(I)));
  for (BasicBlock *Copy : Copies)
    for (Instruction &I : *Copy)
      if (IsKept(I))
        Live.insert(&I);
  for (auto [BB, Copy] : zip_equal(L.blocks(), Copies)) {
    auto *Branch = dyn_cast<BranchInst>(Copy->getTerminator());
    if (!Branch || !Branch->isConditional() || Live.contains(Branch))
      continue;
    // A loop that the slice does not need executes one empty iteration.
    const Loop &In = *LI.getLoopFor(BB);
    const Instruction &End = *BB->getTerminator();
    const bool TakesFirst = !In.contains(End.getSuccessor(0)) || In.contains(End.getSuccessor(1));
    Branch->setCondition(ConstantInt::getBool(Branch->getContext(), TakesFirst));
  }
  const SmallPtrSet<const BasicBlock *, 16> Inside(Copies.begin(), Copies.end());
  for (size_t I = 0; I < Live.size(); ++I)
    for (Value *Operand : Live[I]->operands())
      if (auto *Source = dyn_cast<Instruction>(Operand);
          Source && Inside.contains(Source->getParent()))
        Live.insert(Source);
  for (BasicBlock *Copy : Copies)
    for (Instruction &I : make_early_inc_range(reverse(*Copy)))
      if (!I.isTerminator() && !Live.contains(&I)) {
        if (!I.getType()->isVoidTy())
          I.replaceAllUsesWith(PoisonValue::get(I.getType()));
        I.eraseFromParent();
      }
}

} // namespace specrt
