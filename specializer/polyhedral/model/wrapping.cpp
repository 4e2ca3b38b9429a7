//===- specializer/polyhedral/model/wrapping.cpp - checks that integers do not wrap -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/wrapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace specrt {
namespace {

constexpr double Unbounded = std::numeric_limits<double>::infinity();

/// Bounds the magnitude of expressions in unbounded arithmetic. By induction these are the actual
/// values, as long as each is small enough for its type.
class Magnitudes {
public:
  explicit Magnitudes(ScalarEvolution &SE) : SE(SE) {}

  double of(const SCEV *S) {
    if (auto It = Known.find(S); It != Known.end())
      return It->second;
    const double Magnitude = limited(compute(S), S);
    return Known[S] = Magnitude;
  }

private:
  double compute(const SCEV *S);
  double largest(ArrayRef<const SCEV *> Operands);
  double limited(double Magnitude, const SCEV *S) const;

  ScalarEvolution &SE;
  DenseMap<const SCEV *, double> Known;
};

/// Limits \p Magnitude by the type, with a margin of a factor of more than two, which leaves room
/// for equivalent expressions.
double Magnitudes::limited(double Magnitude, const SCEV *S) const {
  if (isa<SCEVConstant, SCEVUnknown>(S))
    return Magnitude;
  constexpr int Room = 3;
  const int Bits = static_cast<int>(SE.getTypeSizeInBits(S->getType()));
  return Magnitude < std::ldexp(1.0, Bits - Room) ? Magnitude : Unbounded;
}

double Magnitudes::largest(ArrayRef<const SCEV *> Operands) {
  double Largest = 0;
  for (const SCEV *Operand : Operands)
    Largest = std::max(Largest, of(Operand));
  return Largest;
}

double magnitudeOf(const ConstantRange &Range) {
  return std::max(std::abs(Range.getSignedMin().signedRoundToDouble()),
                  std::abs(Range.getSignedMax().signedRoundToDouble()));
}

double Magnitudes::compute(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant:
    return std::abs(cast<SCEVConstant>(S)->getAPInt().signedRoundToDouble());
  case scUnknown:
    // Base addresses are not part of the model.
    return S->getType()->isPointerTy() ? 0 : magnitudeOf(SE.getSignedRange(S));
  case scAddExpr: {
    double Sum = 0;
    for (const SCEV *Operand : cast<SCEVAddExpr>(S)->operands())
      Sum += of(Operand);
    return Sum;
  }
  case scMulExpr: {
    double Product = 1;
    for (const SCEV *Operand : cast<SCEVMulExpr>(S)->operands())
      Product *= of(Operand);
    return std::isnan(Product) ? Unbounded : Product;
  }
  case scAddRecExpr: {
    const auto *Recurrence = cast<SCEVAddRecExpr>(S);
    const auto *Last =
        dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(Recurrence->getLoop()));
    if (!Recurrence->isAffine() || !Last)
      return Unbounded;
    const double Step = of(Recurrence->getStepRecurrence(SE));
    return of(Recurrence->getStart()) + (Step == 0 ? 0 : Step * Last->getAPInt().roundToDouble());
  }
  case scSignExtend:
  case scTruncate:
    return of(cast<SCEVCastExpr>(S)->getOperand());
  case scZeroExtend: {
    const SCEV *Operand = cast<SCEVCastExpr>(S)->getOperand();
    return SE.isKnownNonNegative(Operand) ? of(Operand) : Unbounded;
  }
  case scUDivExpr:
    return largest({cast<SCEVUDivExpr>(S)->getLHS(), cast<SCEVUDivExpr>(S)->getRHS()});
  case scSMaxExpr:
  case scSMinExpr:
  case scUMaxExpr:
  case scUMinExpr:
    return largest(cast<SCEVMinMaxExpr>(S)->operands());
  default:
    return Unbounded;
  }
}

/// Returns whether \p V is an integer with more than one bit.
bool isNumber(const Value &V, ScalarEvolution &SE) {
  return SE.isSCEVable(V.getType()) && !V.getType()->isIntegerTy(1);
}

} // namespace

bool mayWrap(Function &F, ScalarEvolution &SE) {
  Magnitudes Known(SE);
  auto IsBounded = [&](const Value *V) {
    return !isNumber(*V, SE) || Known.of(SE.getSCEV(const_cast<Value *>(V))) < Unbounded;
  };
  return any_of(instructions(F), [&](const Instruction &I) {
    if (isa<ICmpInst, SwitchInst, CallBase>(I))
      return !all_of(I.operands(), [&](const Use &Operand) { return IsBounded(Operand.get()); });
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && !IsBounded(Pointer);
  });
}

} // namespace specrt
