//===- specializer/polyhedral/model/iteration_scopes.cpp - alias scopes of single iterations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {

using Scopes = SmallPtrSet<const Metadata *, 8>;

/// Removes forgotten scopes from the noalias metadata of \p Access. Two accesses are separate if
/// all scopes of one are in the noalias list of the other. So only that list may lose scopes; the
/// scopes of an access may only grow.
static void forget(Instruction &Access, const Scopes &Forgotten) {
  const MDNode *Others = Access.getMetadata(LLVMContext::MD_noalias);
  if (!Others)
    return;
  SmallVector<Metadata *> Kept;
  for (const MDOperand &Scope : Others->operands())
    if (!Forgotten.contains(Scope.get()))
      Kept.push_back(Scope.get());
  if (Kept.size() < Others->getNumOperands())
    Access.setMetadata(LLVMContext::MD_noalias,
                       Kept.empty() ? nullptr : MDNode::get(Access.getContext(), Kept));
}

bool declaresScopes(Function &F) {
  return any_of(instructions(F), [](Instruction &I) { return isa<NoAliasScopeDeclInst>(I); });
}

static void invalidate(Function &F, FunctionAnalysisManager &FAM) {
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
}

void forgetLoopScopes(Function &F, FunctionAnalysisManager &FAM) {
  if (!declaresScopes(F))
    return;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  Scopes Forgotten;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I);
    if (!Declaration || !LI.getLoopFor(I.getParent()))
      continue;
    for (const MDOperand &Scope : Declaration->getScopeList()->operands())
      Forgotten.insert(Scope.get());
    I.eraseFromParent();
  }
  if (Forgotten.empty())
    return;
  for (Instruction &I : instructions(F))
    forget(I, Forgotten);
  invalidate(F, FAM);
}

void forgetIterationScopes(Function &F, FunctionAnalysisManager &FAM) {
  forgetLoopScopes(F, FAM);
  if (!declaresScopes(F))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<NoAliasScopeDeclInst>(I))
      I.eraseFromParent();
  invalidate(F, FAM);
}

} // namespace specrt
