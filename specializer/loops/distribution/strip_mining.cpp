//===- specializer/loops/distribution/strip_mining.cpp - a loop over strips of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/distribution/strip_mining.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

static constexpr const char *Name = "specrt.strips";

Instruction *stripMine(Loop &L, uint64_t Length, FunctionAnalysisManager &FAM) {
  BasicBlock *const Header = L.getHeader(), *const Latch = L.getLoopLatch();
  BasicBlock *const Before = L.getLoopPreheader(), *const Exit = L.getExitBlock();
  Function &F = *Header->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SCEVExpander Expander(SE, "strips");
  IRBuilder<> B(F.getContext());
  Type *const Word = B.getInt64Ty();
  Value *const Trips = Expander.expandCodeFor(tripsOf(L, SE), Word, Before->getTerminator());
  struct Counter {
    PHINode *Phi;
    Value *Start, *Step;
  };
  SmallVector<Counter, 4> Counters;
  SmallVector<PHINode *, 4> Carried;
  for (PHINode &Phi : Header->phis())
    if (const SCEVAddRecExpr *Of = counterOf(Phi, L, SE))
      Counters.push_back(
          {&Phi, Phi.getIncomingValueForBlock(Before),
           Expander.expandCodeFor(Of->getStepRecurrence(SE), nullptr, Before->getTerminator())});
    else
      Carried.push_back(&Phi);

  auto *const Strip = BasicBlock::Create(F.getContext(), "strip", &F, Header);
  auto *const Next = BasicBlock::Create(F.getContext(), "next.strip", &F, Exit);
  Before->getTerminator()->replaceSuccessorWith(Header, Strip);
  B.SetInsertPoint(Strip);
  PHINode *const First = B.CreatePHI(Word, 2, "first");
  SmallVector<PHINode *, 4> Entered; ///< [carried value] at the begin of a strip
  for (PHINode *Phi : Carried)
    Entered.push_back(B.CreatePHI(Phi->getType(), 2));
  auto *const InStrip = cast<Instruction>(
      B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateSub(Trips, First), B.getInt64(Length)));
  for (const auto &[Phi, Start, Step] : Counters) {
    Value *Way = B.CreateMul(B.CreateZExtOrTrunc(First, Step->getType()), Step);
    Phi->setIncomingValueForBlock(Before, Start->getType()->isPointerTy()
                                              ? B.CreatePtrAdd(Start, Way)
                                              : B.CreateAdd(Start, Way));
  }
  B.CreateBr(Header);

  B.SetInsertPoint(Header, Header->begin());
  PHINode *const Number = B.CreatePHI(Word, 2, "in.strip");
  Number->addIncoming(B.getInt64(0), Before);
  B.SetInsertPoint(Latch->getTerminator());
  Value *const Following = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  Number->addIncoming(Following, Latch);
  Instruction *const OldEnd = Latch->getTerminator();
  BranchInst *const End = B.CreateCondBr(B.CreateICmpEQ(Following, InStrip), Next, Header);
  End->setMetadata(LLVMContext::MD_loop, OldEnd->getMetadata(LLVMContext::MD_loop));
  OldEnd->eraseFromParent();

  B.SetInsertPoint(Next);
  const auto Leave = [&](Value *V) -> Value * {
    const auto *Made = dyn_cast<Instruction>(V);
    if (!Made || !L.contains(Made))
      return V;
    PHINode *Left = B.CreatePHI(V->getType(), 1);
    Left->addIncoming(V, Latch);
    return Left;
  };
  for (auto [Phi, Begin] : zip_equal(Carried, Entered)) {
    Begin->addIncoming(Phi->getIncomingValueForBlock(Before), Before);
    Begin->addIncoming(Leave(Phi->getIncomingValueForBlock(Latch)), Next);
    Phi->setIncomingValueForBlock(Before, Begin);
  }
  Header->replacePhiUsesWith(Before, Strip);
  for (PHINode &Phi : Exit->phis())
    Phi.setIncomingValueForBlock(Latch, Leave(Phi.getIncomingValueForBlock(Latch)));
  Exit->replacePhiUsesWith(Latch, Next);
  Value *const Done = B.CreateAdd(First, InStrip, "", /*HasNUW=*/true, /*HasNSW=*/true);
  First->addIncoming(B.getInt64(0), Before);
  First->addIncoming(Done, Next);
  B.CreateCondBr(B.CreateICmpEQ(Done, Trips), Exit, Strip);
  simplifyLoops(F, FAM);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  addStringMetadataToLoop(LI.getLoopFor(Header)->getParentLoop(), Name, 1);
  return InStrip;
}

bool isLoopOverStrips(const Loop &L) { return getBooleanLoopAttribute(&L, Name); }

} // namespace specrt
