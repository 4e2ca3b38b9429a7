//===- specializer/rounding/extrema.cpp - settles the results of fmin and fmax -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/extrema.h"
#include "analysis/rounding/extrema.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

Value *settle(const IntrinsicInst &I, bool SecondOfEqual, IRBuilder<> &B) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  const CmpInst::Predicate Better =
      I.getIntrinsicID() == Intrinsic::minnum ? CmpInst::FCMP_OLT : CmpInst::FCMP_OGT;
  // The second operand is a constant and not a NaN.
  if (SecondOfEqual)
    return B.CreateSelect(B.CreateFCmp(Better, X, Y), X, Y);
  Value *IsNaN = B.CreateFCmpUNO(X, ConstantFP::getZero(X->getType()));
  return B.CreateSelect(B.CreateOr(IsNaN, B.CreateFCmp(Better, Y, X)), Y, X);
}

} // namespace

void settleExtrema(Module &M) {
  // The decisions are made before any change, as extrema may be operands of each other.
  SmallVector<std::pair<const IntrinsicInst *, OfEqual>> Extrema;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const IntrinsicInst *Extremum = asExtremum(I))
        Extrema.push_back({Extremum, whichOfEqual(*Extremum)});
  for (auto [Found, Which] : Extrema) {
    if (Which == OfEqual::Either || Which == OfEqual::Free)
      continue;
    auto *Old = const_cast<IntrinsicInst *>(Found);
    IRBuilder<> B(Old);
    Value *New = settle(*Old, Which == OfEqual::Second, B);
    New->takeName(Old);
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
  }
}

} // namespace specrt
