//===- instrument/select/preparation/folded_counters.cpp - counters with a folded value ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/preparation/folded_counters.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace specrt {
namespace {

/// Returns whether \p X is \p Value wherever \p Block is executed, because of a branch before it.
bool isKnownToBe(const llvm::Value &X, const APInt &Value, const BasicBlock &Block,
                 const DominatorTree &DT) {
  for (const DomTreeNode *Node = DT.getNode(&Block); Node; Node = Node->getIDom()) {
    const auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    CmpPredicate Predicate;
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
        !match(Branch->getCondition(), m_ICmp(Predicate, m_Specific(&X), m_SpecificInt(Value))) ||
        !ICmpInst::isEquality(Predicate))
      continue;
    const BasicBlock *Equal = Branch->getSuccessor(Predicate == CmpInst::ICMP_EQ ? 0 : 1);
    if (DT.dominates(BasicBlockEdge(Node->getBlock(), Equal), &Block))
      return true;
  }
  return false;
}

bool unfold(PHINode &Phi, const DominatorTree &DT) {
  Value *X = nullptr;
  const APInt *Far = nullptr;
  bool HasNUW = true, HasNSW = true, AnyConstant = false;
  for (Value *V : Phi.incoming_values()) {
    Value *Of;
    const APInt *By;
    if (isa<ConstantInt>(V)) {
      AnyConstant = true;
    } else if (match(V, m_Add(m_Value(Of), m_APInt(By))) && (!X || (X == Of && *Far == *By))) {
      X = Of;
      Far = By;
      HasNUW &= cast<OverflowingBinaryOperator>(V)->hasNoUnsignedWrap();
      HasNSW &= cast<OverflowingBinaryOperator>(V)->hasNoSignedWrap();
    } else {
      return false;
    }
  }
  if (!AnyConstant || !X || isa<Constant>(X) || !DT.dominates(X, &Phi))
    return false;
  for (auto [From, V] : zip(Phi.blocks(), Phi.incoming_values())) {
    const auto *Folded = dyn_cast<ConstantInt>(V);
    if (!Folded)
      continue;
    const APInt First = Folded->getValue() - *Far;
    bool IsUnsignedOverflow, IsSignedOverflow;
    (void)First.uadd_ov(*Far, IsUnsignedOverflow);
    (void)First.sadd_ov(*Far, IsSignedOverflow);
    HasNUW &= !IsUnsignedOverflow;
    HasNSW &= !IsSignedOverflow;
    if (!isKnownToBe(*X, First, *From, DT))
      return false;
  }
  IRBuilder<> B(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Phi.getDebugLoc());
  Phi.replaceAllUsesWith(
      B.CreateAdd(X, ConstantInt::get(Phi.getType(), *Far), Phi.getName(), HasNUW, HasNSW));
  Phi.eraseFromParent();
  return true;
}

} // namespace

bool unfoldCounters(Function &F, const DominatorTree &DT) {
  bool Changed = false;
  for (BasicBlock &BB : F)
    for (PHINode &Phi : make_early_inc_range(BB.phis()))
      if (Phi.getType()->isIntegerTy() && DT.isReachableFromEntry(&BB))
        Changed |= unfold(Phi, DT);
  return Changed;
}

} // namespace specrt
