//===- analysis/resumption.cpp - nests that can resume at any iteration ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/resumption.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

/// Returns the value of \p Phi as an affine function of the iteration number; null if it is not
/// one.
static const SCEVAddRecExpr *affine(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  if (!SE.isSCEVable(Phi.getType()))
    return nullptr;
  const auto *AddRec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  return AddRec && AddRec->getLoop() == &L && AddRec->isAffine() ? AddRec : nullptr;
}

/// Returns whether everything that runs before \p L is computed from the arguments alone.
static bool entersPurely(const Function &F, const Loop &L) {
  const BasicBlock *Block = &F.getEntryBlock();
  for (; Block && Block != L.getHeader(); Block = Block->getSingleSuccessor())
    for (const Instruction &I : *Block)
      if (I.mayReadOrWriteMemory() || isa<AllocaInst>(I))
        return false;
  return Block;
}

Loop *findResumableLoop(Function &F, LoopInfo &LI, ScalarEvolution &SE) {
  if (!hasSingleElement(LI))
    return nullptr;
  Loop *L = *LI.begin();
  if (!L->isLoopSimplifyForm() || !entersPurely(F, *L))
    return nullptr;
  bool Affine =
      all_of(L->getHeader()->phis(), [&](PHINode &Phi) { return affine(Phi, *L, SE) != nullptr; });
  return Affine ? L : nullptr;
}

/// Returns the value that \p F returns, which is the same constant for all returns; null for void
/// or if there is no such value.
static Constant *returnedConstant(const Function &F) {
  Constant *Only = nullptr;
  for (const BasicBlock &Block : F)
    if (const auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      auto *Value = dyn_cast_or_null<Constant>(Return->getReturnValue());
      if (!Value || (Only && Value != Only))
        return nullptr;
      Only = Value;
    }
  return Only;
}

bool canLimitIterations(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Latch = L.getLoopLatch();
  const Function &F = *L.getHeader()->getParent();
  if (!Latch || L.getExitingBlock() != Latch || !isa<BranchInst>(Latch->getTerminator()) ||
      !(F.getReturnType()->isVoidTy() || returnedConstant(F)))
    return false;
  const SCEV *Backedges = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Backedges) && SE.getTypeSizeInBits(Backedges->getType()) <= 64 &&
         SCEVExpander(SE, "last")
             .isSafeToExpandAt(Backedges, L.getLoopPreheader()->getTerminator());
}

/// Makes \p L leave behind the iteration with number \p Last, counting from \p First.
static void leaveBehind(Loop &L, uint64_t First, Value *Last) {
  PHINode *Counter = PHINode::Create(Last->getType(), 2, "iteration", L.getHeader()->begin());
  auto *Branch = cast<BranchInst>(L.getLoopLatch()->getTerminator());
  IRBuilder<> B(Branch);
  Counter->addIncoming(B.getInt64(First), L.getLoopPreheader());
  Counter->addIncoming(B.CreateNUWAdd(Counter, B.getInt64(1)), L.getLoopLatch());
  const bool LeavesIfTrue = !L.contains(Branch->getSuccessor(0));
  Branch->setCondition(LeavesIfTrue ? B.CreateICmpEQ(Counter, Last)
                                    : B.CreateICmpNE(Counter, Last));
}

/// Returns from the function in front of \p L if \p IsOver.
static void returnIf(Value *IsOver, Loop &L) {
  BasicBlock *Preheader = L.getLoopPreheader();
  Function &F = *Preheader->getParent();
  BasicBlock *Enter = SplitBlock(Preheader, Preheader->getTerminator());
  BasicBlock *Over = BasicBlock::Create(F.getContext(), "over", &F);
  ReturnInst::Create(F.getContext(), returnedConstant(F), Over);
  Preheader->getTerminator()->eraseFromParent();
  IRBuilder<>(Preheader).CreateCondBr(IsOver, Over, Enter);
}

void resumeAt(Loop &L, ScalarEvolution &SE, uint64_t First, uint64_t End) {
  BasicBlock *Preheader = L.getLoopPreheader();
  SCEVExpander Expander(SE, "resume");
  Type *I64 = Type::getInt64Ty(Preheader->getContext());
  // Loops count their iterations without a sign.
  Value *Last = nullptr;
  if (canLimitIterations(L, SE))
    Last = Expander.expandCodeFor(SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(&L), I64), I64,
                                  Preheader->getTerminator());
  SmallVector<std::pair<PHINode *, Value *>> Starts;
  for (PHINode &Phi : L.getHeader()->phis()) {
    const SCEVAddRecExpr *AddRec = affine(Phi, L, SE);
    // { start + step * First }, modulo 2^width as in the loop.
    Type *Index = SE.getEffectiveSCEVType(Phi.getType());
    const SCEV *Value = AddRec->evaluateAtIteration(SE.getConstant(Index, First), SE);
    Starts.push_back(
        {&Phi, Expander.expandCodeFor(Value, Phi.getType(), Preheader->getTerminator())});
  }
  for (auto [Phi, Start] : Starts)
    Phi->setIncomingValueForBlock(Preheader, Start);
  if (!Last)
    return;
  IRBuilder<> B(Preheader->getTerminator());
  if (End > 0)
    leaveBehind(L, First, B.CreateBinaryIntrinsic(Intrinsic::umin, Last, B.getInt64(End - 1)));
  returnIf(B.CreateICmpULT(Last, B.getInt64(First)), L);
}

} // namespace specrt
