//===- instrument/emit/unwinding.cpp - nests that functions elsewhere may leave ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/unwinding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace specrt {

/// Is a value that \p L computes used in \p Pad or behind it?
static bool needsValues(const Loop &L, const BasicBlock &Pad, const DominatorTree &DT) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      for (const User *Other : I.users()) {
        const auto *Where = cast<Instruction>(Other);
        if (!L.contains(Where) && DT.dominates(&Pad, Where->getParent()))
          return true;
      }
  return false;
}

bool Unwinding::canMove(const Loop &L, ArrayRef<InvokeInst *> Invokes,
                        FunctionAnalysisManager &FAM) {
  Pad = Invokes.front()->getUnwindDest();
  if (L.contains(Pad) || !isa<LandingPadInst>(Pad->getFirstNonPHIIt()) ||
      any_of(Invokes, [&](const InvokeInst *I) { return I->getUnwindDest() != Pad; }))
    return false;
  for (PHINode &Phi : Pad->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Invokes.front()->getParent());
    if (!L.isLoopInvariant(V) || any_of(Invokes, [&](const InvokeInst *I) {
          return Phi.getIncomingValueForBlock(I->getParent()) != V;
        }))
      return false;
    Incoming.push_back({&Phi, V});
  }
  Function &F = *Pad->getParent();
  return !needsValues(L, *Pad, FAM.getResult<DominatorTreeAnalysis>(F));
}

Unwinding::Unwinding(Loop &L, ArrayRef<CallBase *> Distant, FunctionAnalysisManager &FAM)
    : FAM(FAM) {
  SmallVector<InvokeInst *> Invokes;
  for (BasicBlock *Block : L.blocks())
    if (auto *Invoke = dyn_cast<InvokeInst>(Block->getTerminator())) {
      if (!is_contained(Distant, Invoke))
        return;
      Invokes.push_back(Invoke);
    }
  if (Invokes.empty() || !canMove(L, Invokes, FAM))
    return;
  for (InvokeInst *Invoke : Invokes) {
    CallInst *Call = createCallMatchingInvoke(Invoke);
    Call->takeName(Invoke);
    Call->insertBefore(Invoke->getIterator());
    Invoke->replaceAllUsesWith(Call);
    BranchInst::Create(Invoke->getNormalDest(), Invoke->getIterator());
    // The phis stay as they are, because the pad gets a predecessor again.
    Pad->removePredecessor(Invoke->getParent(), /*KeepOneInputPHIs=*/true);
    Invoke->eraseFromParent();
    Calls.push_back(Call);
  }
  FAM.invalidate(*Pad->getParent(), PreservedAnalyses::none());
}

void Unwinding::unwindToPad(CallInst &Call) {
  BasicBlock *Block = Call.getParent();
  changeToInvokeAndSplitBasicBlock(&Call, Pad);
  for (auto [Phi, V] : Incoming)
    Phi->addIncoming(V, Block);
}

void Unwinding::restore() {
  for (CallInst *Call : Calls)
    unwindToPad(*Call);
  FAM.invalidate(*Pad->getParent(), PreservedAnalyses::none());
}

void Unwinding::copyTo(CallInst &Call) {
  unwindToPad(Call);
  FAM.invalidate(*Pad->getParent(), PreservedAnalyses::none());
}

} // namespace specrt
