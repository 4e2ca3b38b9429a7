//===- specializer/polyhedral/answerable.cpp - expressions that guards can make affine -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/answerable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

/// Limit on visited expressions: they share parts, and as trees they may be huge.
static constexpr unsigned MaxSteps = 20'000;

Answerable::Answerable(const Region &R, ScalarEvolution &SE, const LoopInfo &LI,
                       const DominatorTree &DT, const PostDominatorTree &PDT)
    : R(R), SE(SE), DT(DT), PDT(PDT) {
  for (const Loop *L = LI.getLoopFor(R.getEntry()); L; L = L->getParentLoop())
    if (!R.contains(L))
      Nest = L;
}

Answerable::Form Answerable::nonLinear() {
  IsNonLinear = true;
  return Form::Neither;
}

Answerable::Form Answerable::worstOf(ArrayRef<const SCEV *> Parts) {
  Form Worst = Form::Constant;
  for (const SCEV *Part : Parts)
    Worst = std::max(Worst, formOf(Part));
  return Worst;
}

Answerable::Form Answerable::constantOnly(ArrayRef<const SCEV *> Parts) {
  const Form Worst = worstOf(Parts);
  return Worst == Form::Affine ? nonLinear() : Worst;
}

Answerable::Form Answerable::productOf(ArrayRef<const SCEV *> Factors) {
  Form Worst = Form::Constant;
  for (const SCEV *Factor : Factors) {
    const Form One = formOf(Factor);
    if (One == Form::Affine && Worst == Form::Affine)
      return nonLinear();
    Worst = std::max(Worst, One);
  }
  return Worst;
}

Answerable::Form Answerable::formOf(const SCEV *S) {
  if (++Steps > MaxSteps)
    return Form::Neither;
  switch (S->getSCEVType()) {
  case scConstant:
  case scVScale:
    return Form::Constant;
  case scUnknown:
    return formOf(*cast<SCEVUnknown>(S)->getValue());
  case scAddRecExpr: {
    const auto *Counter = cast<SCEVAddRecExpr>(S);
    if (!Counter->isAffine())
      return nonLinear();
    const Form Step = constantOnly({Counter->getStepRecurrence(SE)});
    const Form Start = formOf(Counter->getStart());
    return std::max({Form::Affine, Step, Start});
  }
  case scMulExpr:
    return productOf(S->operands());
  case scAddExpr:
  case scSMaxExpr:
  case scSMinExpr:
  case scSignExtend:
  case scZeroExtend:
    return worstOf(S->operands());
  case scTruncate:
  case scPtrToInt:
  case scUDivExpr:
  case scUMaxExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    return constantOnly(S->operands());
  case scCouldNotCompute:
    return Form::Neither;
  }
  llvm_unreachable("a kind of expression that LLVM does not have");
}

Answerable::Form Answerable::formOf(const Value &V) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return Form::Constant;
  if (!R.contains(I))
    return Nest && Nest->contains(I) ? Form::Affine : Form::Constant;
  if (const auto *Load = dyn_cast<LoadInst>(I))
    return formOfLoad(*Load);
  return formOfInstruction(*I);
}

/// Operations without SCEVs are constants if their operands are.
Answerable::Form Answerable::formOfInstruction(const Instruction &I) {
  if (!isa<BinaryOperator, CastInst, ICmpInst, SelectInst>(I))
    return Form::Neither;
  for (const Value *Operand : I.operand_values()) {
    if (!SE.isSCEVable(Operand->getType()) || ++Steps > MaxSteps)
      return Form::Neither;
    const SCEV *S = SE.getSCEV(const_cast<Value *>(Operand));
    const Form One = constantOnly({S});
    if (One != Form::Constant)
      return One;
  }
  return Form::Constant;
}

/// Handles sizes, row pointers and indices: guards compare them before the region runs, so every
/// call must read them, and nothing may change them.
Answerable::Form Answerable::formOfLoad(const LoadInst &Load) {
  if (!Load.isSimple() || !SE.isSCEVable(Load.getType()) || isWritten(Load) ||
      !alwaysRuns(*Load.getParent()))
    return Form::Neither;
  const Form Address = formOf(SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())));
  if (Address == Form::Constant)
    NeedsCells = true;
  else if (Address == Form::Affine)
    (Load.getType()->isPointerTy() ? NeedsRows : NeedsIndices) = true;
  return Address;
}

/// Returns whether something is stored behind the same base pointer. Guards compare different ones.
bool Answerable::isWritten(const LoadInst &Load) {
  auto BaseOf = [&](const Value *Pointer) {
    return SE.getPointerBase(SE.getSCEV(const_cast<Value *>(Pointer)));
  };
  const SCEV *Base = BaseOf(Load.getPointerOperand());
  for (const BasicBlock *Block : R.blocks())
    for (const Instruction &I : *Block)
      if (I.mayWriteToMemory() && getLoadStorePointerOperand(&I) &&
          BaseOf(getLoadStorePointerOperand(&I)) == Base)
        return true;
  return false;
}

/// Returns whether every execution of the region reaches \p Block, provided that conditions which
/// are invariant in the region hold.
bool Answerable::alwaysRuns(const BasicBlock &Block) {
  for (const auto *Node = DT.getNode(&Block); Node->getBlock() != R.getEntry();
       Node = Node->getIDom()) {
    const BasicBlock *Above = Node->getIDom()->getBlock();
    if (PDT.dominates(Node->getBlock(), Above))
      continue;
    const auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
    if (!Branch || !Branch->isConditional() || ++Steps > MaxSteps ||
        formOf(*Branch->getCondition()) != Form::Constant)
      return false;
  }
  return true;
}

} // namespace specrt
