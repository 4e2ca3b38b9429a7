//===- analysis/resumption.cpp - nests that can resume at any iteration ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/resumption.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
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

void resumeAt(Loop &L, ScalarEvolution &SE, uint64_t Iteration) {
  BasicBlock *Preheader = L.getLoopPreheader();
  SCEVExpander Expander(SE, "resume");
  SmallVector<std::pair<PHINode *, Value *>> Starts;
  for (PHINode &Phi : L.getHeader()->phis()) {
    const SCEVAddRecExpr *AddRec = affine(Phi, L, SE);
    // { start + step * Iteration }, modulo 2^width as in the loop.
    Type *Index = SE.getEffectiveSCEVType(Phi.getType());
    const SCEV *Value = AddRec->evaluateAtIteration(SE.getConstant(Index, Iteration), SE);
    Starts.push_back(
        {&Phi, Expander.expandCodeFor(Value, Phi.getType(), Preheader->getTerminator())});
  }
  for (auto [Phi, Start] : Starts)
    Phi->setIncomingValueForBlock(Preheader, Start);
}

bool canLimitIterations(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || L.getExitingBlock() != Latch || !isa<BranchInst>(Latch->getTerminator()))
    return false;
  const SCEV *Backedges = SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Backedges) && SE.getTypeSizeInBits(Backedges->getType()) <= 64 &&
         SCEVExpander(SE, "limit")
             .isSafeToExpandAt(Backedges, L.getLoopPreheader()->getTerminator());
}

void limitIterations(Loop &L, ScalarEvolution &SE, uint64_t Number) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  Type *I64 = Type::getInt64Ty(Preheader->getContext());
  // Backedge-taken counts are unsigned.
  const SCEV *Backedges = SE.getNoopOrZeroExtend(SE.getBackedgeTakenCount(&L), I64);
  const SCEV *Last = SE.getUMinExpr(Backedges, SE.getConstant(I64, Number - 1));
  Value *LastNumber =
      SCEVExpander(SE, "limit").expandCodeFor(Last, I64, Preheader->getTerminator());
  PHINode *Counter = PHINode::Create(I64, 2, "iteration", L.getHeader()->begin());
  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  IRBuilder<> B(Branch);
  Counter->addIncoming(ConstantInt::get(I64, 0), Preheader);
  Counter->addIncoming(B.CreateNUWAdd(Counter, ConstantInt::get(I64, 1)), Latch);
  const bool LeavesIfTrue = !L.contains(Branch->getSuccessor(0));
  Branch->setCondition(LeavesIfTrue ? B.CreateICmpEQ(Counter, LastNumber)
                                    : B.CreateICmpNE(Counter, LastNumber));
}

} // namespace specrt
