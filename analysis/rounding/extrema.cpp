//===- analysis/rounding/extrema.cpp - the result of fmin for equal operands -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/extrema.h"
#include "analysis/memory/variables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the operands from which \p I may take a NaN.
iterator_range<User::const_op_iterator> sources(const Instruction &I) {
  if (isa<SelectInst>(I))
    return drop_begin(I.operands());
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return Call->args();
  return I.operands();
}

/// Returns whether code generation never proves that \p V is not a NaN, or \p V is a constant that
/// is neither zero nor NaN.
bool isOpaque(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(V).second)
    return true;
  if (const auto *C = dyn_cast<ConstantFP>(V))
    return !C->isZero() && !C->isNaN();
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<Argument>(V);
  if (isa<FPMathOperator>(I) && I->hasNoNaNs())
    return false;
  if (isa<LoadInst, BinaryOperator>(I) || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
    return isVariable(I, [](const PHINode &) { return false; });
  if (asExtremum(*I) ||
      !isa<PHINode, SelectInst, UnaryOperator, FPExtInst, FPTruncInst, FreezeInst, IntrinsicInst>(
          I))
    return false;
  return all_of(sources(*I), [&](const Use &U) {
    // Integer operands, such as the exponent of ldexp, cannot pass on a NaN.
    return !U->getType()->isFloatingPointTy() || isOpaque(U, Seen);
  });
}

/// Returns whether isSignless() holds for all numbers from which the value of \p I comes.
bool areSignless(const Instruction &I, SmallPtrSetImpl<const Value *> &Seen);

/// Returns whether \p V is a NaN or has a clear sign bit: two such zeros have the same sign. A
/// value that a loop carries is signless if its initial values and updates are.
bool isSignless(const Value *V, SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(V).second)
    return true;
  if (const auto *C = dyn_cast<ConstantFP>(V))
    return !C->isNegative();
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (isa<UIToFPInst>(I))
    return true;
  if (I->getOpcode() == Instruction::FMul && I->getOperand(0) == I->getOperand(1))
    return true;
  if (isa<PHINode, SelectInst, FPExtInst, FPTruncInst>(I) || asExtremum(*I))
    return areSignless(*I, Seen);
  switch (I->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FMul:
  case Instruction::FDiv:
    return areSignless(*I, Seen);
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(I);
  if (!Call)
    return false;
  return Call->getIntrinsicID() == Intrinsic::fabs ||
         (Call->getIntrinsicID() == Intrinsic::sqrt && areSignless(*I, Seen));
}

bool areSignless(const Instruction &I, SmallPtrSetImpl<const Value *> &Seen) {
  return all_of(sources(I), [&](const Use &U) {
    return !U->getType()->isFPOrFPVectorTy() || isSignless(U, Seen);
  });
}

/// Returns whether the vectoriser takes \p I for a reduction and splits it into several.
bool isReduction(const IntrinsicInst &I) {
  SmallSetVector<const Instruction *, 8> From;
  auto AddOperands = [&](const Instruction &Of) {
    for (const Value *Operand : Of.operands())
      if (const auto *O = dyn_cast<Instruction>(Operand);
          O && (isa<PHINode, SelectInst>(O) || asExtremum(*O)))
        From.insert(O);
  };
  AddOperands(I);
  for (size_t Next = 0; Next < From.size(); ++Next)
    AddOperands(*From[Next]);
  return From.contains(&I);
}

} // namespace

const IntrinsicInst *asExtremum(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call ||
      (Call->getIntrinsicID() != Intrinsic::minnum && Call->getIntrinsicID() != Intrinsic::maxnum))
    return nullptr;
  return Call;
}

OfEqual whichOfEqual(const IntrinsicInst &I) {
  const Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  const auto *C = dyn_cast<ConstantFP>(Y);
  if (C && !C->isZero() && !C->isNaN())
    return OfEqual::Either;
  SmallPtrSet<const Value *, 16> Signless;
  if (!I.getType()->isVectorTy() && isSignless(X, Signless) && isSignless(Y, Signless))
    return OfEqual::Either;
  if (I.hasNoNaNs())
    return I.hasNoSignedZeros() ? OfEqual::Free : OfEqual::Unsettled;
  Type *T = I.getType();
  if ((!T->isFloatTy() && !T->isDoubleTy()) || isa<Constant>(X) || isReduction(I))
    return OfEqual::Unsettled;
  if (C && C->isZero())
    return OfEqual::Second;
  // With minsize, code generation calls the library.
  SmallPtrSet<const Value *, 16> Seen;
  const bool IsFirst = !I.getFunction()->hasMinSize() && isOpaque(X, Seen) && isOpaque(Y, Seen);
  return IsFirst ? OfEqual::First : OfEqual::Unsettled;
}

} // namespace specrt
