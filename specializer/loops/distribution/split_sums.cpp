//===- specializer/loops/distribution/split_sums.cpp - moves sums to a separate loop ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/split_sums.h"
#include "specializer/loops/accumulator.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <functional>

using namespace llvm;

namespace specrt {
namespace {

class SumSplitter {
public:
  SumSplitter(Loop &L, FunctionAnalysisManager &FAM)
      : L(L), F(*L.getHeader()->getParent()), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
        TTI(FAM.getResult<TargetIRAnalysis>(F)), Sums(carriedSums(L, FAM)),
        Slice(L, LI, FAM.getResult<PostDominatorTreeAnalysis>(F), MayLoadLater) {
    AA.enableCrossIterationMode();
  }
  SumSplitter(const SumSplitter &) = delete;
  SumSplitter &operator=(const SumSplitter &) = delete;

  bool plan();
  BasicBlock *split(Value &AreApart);

private:
  bool collectChain();
  bool mayFollow(const Instruction &First, const Instruction &Then) const;
  bool isFinal(const LoadInst &Load);
  void removeChain(const ValueToValueMapTy &Map) const;

  Loop &L;
  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  BatchAAResults AA; ///< answers are valid for two different iterations
  const TargetTransformInfo &TTI;
  const CarriedSums Sums;
  const std::function<bool(const LoadInst &)> MayLoadLater = [this](const LoadInst &Load) {
    return isFinal(Load);
  };
  LoopSlice Slice;                         ///< the part of L that the second loop executes
  SmallSetVector<Instruction *, 16> Chain; ///< the phis of the sums and all that uses them
};

/// Collects the instructions that depend on the sums, which move to the second loop. Returns false
/// if the first loop needs one of them.
bool SumSplitter::collectChain() {
  Chain.insert(Sums.Phis.begin(), Sums.Phis.end());
  for (size_t I = 0; I < Chain.size(); ++I)
    for (User *U : Chain[I]->users()) {
      auto *By = cast<Instruction>(U);
      if (!L.contains(By)) {
        if (!Sums.Last.contains(Chain[I]))
          return false;
        continue;
      }
      if (By->mayReadOrWriteMemory() || By->isTerminator() || !By->willReturn())
        return false;
      Chain.insert(By);
    }
  return true;
}

/// Returns whether an iteration may execute \p Then after \p First.
bool SumSplitter::mayFollow(const Instruction &First, const Instruction &Then) const {
  if (First.getParent() == Then.getParent() && First.comesBefore(&Then))
    return true;
  SmallSetVector<const BasicBlock *, 16> Reached;
  const auto AddSuccessors = [&](const BasicBlock *BB) {
    for (const BasicBlock *Next : successors(BB))
      if (Next != L.getHeader() && L.contains(Next))
        Reached.insert(Next);
  };
  AddSuccessors(First.getParent());
  for (size_t I = 0; I < Reached.size(); ++I)
    AddSuccessors(Reached[I]);
  return Reached.contains(Then.getParent());
}

/// Returns whether no iteration overwrites the memory that it reads by \p Load after the load.
bool SumSplitter::isFinal(const LoadInst &Load) {
  const Value *Pointer = Load.getPointerOperand();
  const Value *Base = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  // Each iteration may have its own memory on the stack.
  if (isa<AllocaInst>(Base))
    return false;
  // Types may be used for arrays with different bases, whose accessed parts are proved or demanded
  // to be apart (independent_loop.h). Within one array, a value may be overwritten by one of
  // another type after it was read.
  const auto Typed = MemoryLocation::getBeforeOrAfter(Pointer, Load.getAAMetadata());
  const auto Untyped = MemoryLocation::getBeforeOrAfter(Pointer);
  const auto Overwrites = [&](const Instruction &I) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    const bool IsOther =
        Store && getUnderlyingObject(Store->getPointerOperand(), /*MaxLookup=*/0) != Base;
    return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, IsOther ? Typed : Untyped));
  };
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (Overwrites(I) && mayFollow(Load, I))
        return false;
  return true;
}

bool SumSplitter::plan() {
  if (Sums.Phis.empty() || !LoopSlice::isPossible(L, DT) || !collectChain())
    return false;
  for (const PHINode *Phi : Sums.Phis)
    if (!Slice.add(Phi))
      return false;
  return 2 * Slice.share(TTI) <= 1;
}

/// Removes the sums from the first loop.
void SumSplitter::removeChain(const ValueToValueMapTy &Map) const {
  for (Instruction *I : Chain) {
    auto *Copy = cast<Instruction>(Map.lookup(I));
    Copy->replaceAllUsesWith(PoisonValue::get(Copy->getType()));
    Copy->eraseFromParent();
  }
}

BasicBlock *SumSplitter::split(Value &AreApart) {
  BasicBlock *const Before = L.getLoopPreheader(), *const Exit = L.getExitBlock();
  BasicBlock *const Latch = L.getLoopLatch();
  SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  BasicBlock *const Preheader = L.getLoopPreheader();
  const auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Exit);
  };
  BasicBlock *First = NewBlock("terms"), *Second = NewBlock("sums"), *Join = NewBlock("summed");
  ValueToValueMapTy Terms, Sum;
  Terms[Preheader] = First;
  Terms[Exit] = Second;
  LoopSlice::copyBlocks(L, Terms, ".terms");
  removeChain(Terms);
  Sum[Preheader] = Second;
  Sum[Exit] = Join;
  const auto Copies = LoopSlice::copyBlocks(L, Sum, ".sums");
  Slice.restrict(Copies, Sum, [](const Instruction &) { return false; });

  auto *const Header = cast<BasicBlock>(Terms.lookup(L.getHeader()));
  BranchInst::Create(Header, First);
  Before->getTerminator()->eraseFromParent();
  BranchInst::Create(First, Preheader, &AreApart, Before);
  IRBuilder<> B(Second);
  auto *const TermsLatch = cast<BasicBlock>(Terms.lookup(Latch));
  auto *const SumsLatch = cast<BasicBlock>(Sum.lookup(Latch));
  DenseMap<Value *, Value *> Left; // values after both loops, by the value in L
  for (PHINode &Phi : Exit->phis()) {
    Value *Of = Phi.getIncomingValueForBlock(Latch);
    auto *const Made = dyn_cast<Instruction>(Of);
    if (!Made || !L.contains(Made))
      Left[Of] = Of;
    if (Left.contains(Of) || Sums.Last.contains(Of))
      continue;
    PHINode *Value = B.CreatePHI(Of->getType(), 1);
    Value->addIncoming(Terms.lookup(Of), TermsLatch);
    Left[Of] = Value;
  }
  B.CreateBr(cast<BasicBlock>(Sum.lookup(L.getHeader())));
  B.SetInsertPoint(Join);
  for (PHINode &Phi : Exit->phis()) {
    Value *Of = Phi.getIncomingValueForBlock(Latch);
    if (Left.contains(Of))
      continue;
    PHINode *Value = B.CreatePHI(Of->getType(), 1);
    Value->addIncoming(Sum.lookup(Of), SumsLatch);
    Left[Of] = Value;
  }
  B.CreateBr(Exit);
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Left.lookup(Phi.getIncomingValueForBlock(Latch)), Join);
  return Header;
}

} // namespace

CarriedSums carriedSums(const Loop &L, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*L.getHeader()->getParent());
  CarriedSums Found;
  for (PHINode &Phi : L.getHeader()->phis())
    if (!counterOf(Phi, L, SE) && !accumulatorOf(Phi, L)) {
      Found.Phis.push_back(&Phi);
      Found.Last.insert(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    }
  return Found;
}

bool canSplitSums(Loop &L, FunctionAnalysisManager &FAM) { return SumSplitter(L, FAM).plan(); }

BasicBlock *splitSums(Loop &L, FunctionAnalysisManager &FAM, Value &AreApart) {
  SumSplitter Splitter(L, FAM);
  return Splitter.plan() ? Splitter.split(AreApart) : nullptr;
}

} // namespace specrt
