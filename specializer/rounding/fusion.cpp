//===- specializer/rounding/fusion.cpp - makes fused multiply-adds explicit -===//
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

/// Replaces \p I; \p Fuses says whether the target fuses float and double.
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

/// Fuses \p Sum, which is x y + z, x y - z or z - x y.
static void fuse(Instruction &Product, Instruction &Sum) {
  IRBuilder<> B(&Sum);
  // The new operation may assume only what both old operations may assume.
  B.setFastMathFlags(Sum.getFastMathFlags() & Product.getFastMathFlags());
  const bool IsFirst = Sum.getOperand(0) == &Product;
  Value *X = Product.getOperand(0), *Z = Sum.getOperand(IsFirst ? 1 : 0);
  if (Sum.getOpcode() == Instruction::FSub)
    (IsFirst ? Z : X) = B.CreateFNeg(IsFirst ? Z : X);
  Value *Fused = B.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {X, Product.getOperand(1), Z});
  Fused->takeName(&Sum);
  Sum.replaceAllUsesWith(Fused);
  Sum.eraseFromParent();
  Product.eraseFromParent();
}

void fuseProducts(Function &F) {
  if (!mayFuse(F))
    return;
  SmallVector<std::pair<Instruction *, Instruction *>> Pairs;
  for (Instruction &I : instructions(F)) {
    if (I.getOpcode() != Instruction::FMul || !I.hasAllowContract() || !I.hasOneUse())
      continue;
    auto *Sum = cast<Instruction>(*I.user_begin());
    if (is_contained({Instruction::FAdd, Instruction::FSub}, Sum->getOpcode()) &&
        Sum->hasAllowContract() && Sum->getParent() == I.getParent())
      Pairs.push_back({&I, Sum});
  }
  for (auto [Product, Sum] : Pairs)
    fuse(*Product, *Sum);
}

void fuseFirstProducts(Function &F) {
  if (!mayFuse(F))
    return;
  const auto IsSum = [](const Instruction &I) {
    const Type *T = I.getType()->getScalarType();
    return is_contained({Instruction::FAdd, Instruction::FSub}, I.getOpcode()) &&
           (T->isFloatTy() || T->isDoubleTy());
  };
  for (BasicBlock &Block : F)
    for (Instruction &I : make_early_inc_range(Block)) {
      if (!IsSum(I))
        continue;
      const auto *Found = find_if(I.operands(), [&](const Value *V) {
        const auto *Product = dyn_cast<Instruction>(V);
        return Product && Product->getOpcode() == Instruction::FMul && Product->hasOneUse() &&
               Product->getParent() == &Block;
      });
      if (Found != I.op_end())
        fuse(*cast<Instruction>(*Found), I);
    }
}

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
