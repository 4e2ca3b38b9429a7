//===- specializer/rounding/fusion.cpp - what is fused, written down ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/fusion.h"
#include "analysis/rounding/fusion.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// \p Fuses: the target does so for float and double.
void decideMulAdd(IntrinsicInst &I, bool Fuses) {
  const Type *T = I.getType()->getScalarType();
  const bool Fused =
      T->isFloatTy() || T->isDoubleTy() ? Fuses : mayFuse(*I.getFunction(), *I.getType());
  IRBuilder<> B(&I);
  B.setFastMathFlags(I.getFastMathFlags());
  Value *A = I.getArgOperand(0), *X = I.getArgOperand(1), *C = I.getArgOperand(2);
  Value *Result = Fused ? B.CreateIntrinsic(Intrinsic::fma, {I.getType()}, {A, X, C})
                        : B.CreateFAdd(B.CreateFMul(A, X), C);
  Result->takeName(&I);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

} // namespace

void decideFusion(Function &F, bool Fuses) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isa<FPMathOperator>(I))
      continue;
    if (!Fuses || !I.hasAllowReassoc())
      I.setHasAllowContract(false);
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->getIntrinsicID() == Intrinsic::fmuladd)
      decideMulAdd(*Call, Fuses);
  }
}

void decideFusion(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      decideFusion(F, mayFuse(F));
}

} // namespace specrt
