//===- instrument/emit/unwinding.cpp - nests that functions elsewhere may leave ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/unwinding.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace specrt {

/// Returns the blocks that control can reach from \p Pad without entering \p L again.
static SmallPtrSet<const BasicBlock *, 16> blocksBehind(const BasicBlock &Pad, const Loop &L) {
  df_iterator_default_set<const BasicBlock *, 16> Seen;
  Seen.insert_range(L.blocks());
  SmallPtrSet<const BasicBlock *, 16> Found;
  Found.insert_range(depth_first_ext(&Pad, Seen));
  return Found;
}

/// Returns whether \p Pad, or code that it leads to, uses a value that \p L computes. Other ways
/// may lead to that code, too.
static bool needsValues(const Loop &L, const BasicBlock &Pad) {
  const SmallPtrSet<const BasicBlock *, 16> Behind = blocksBehind(Pad, L);
  const auto IsBehind = [&](const Use &U) {
    const auto *Where = cast<Instruction>(U.getUser());
    const auto *Phi = dyn_cast<PHINode>(Where);
    return Behind.contains(Phi ? Phi->getIncomingBlock(U) : Where->getParent());
  };
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (any_of(I.uses(), IsBehind))
        return true;
  return false;
}

bool Unwinding::canMove(const Loop &L, ArrayRef<InvokeInst *> Invokes) {
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
  return !needsValues(L, *Pad);
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
  if (Invokes.empty() || !canMove(L, Invokes))
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
