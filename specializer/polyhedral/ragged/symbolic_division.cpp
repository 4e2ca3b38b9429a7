//===- specializer/polyhedral/ragged/symbolic_division.cpp - division of SCEVs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/symbolic_division.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace specrt {
namespace {

class Terms {
public:
  Terms(int64_t Divisor, Type *Integer, ScalarEvolution &SE)
      : Divisor(Divisor), Integer(Integer), SE(SE) {}

  void add(const SCEV *S);
  std::optional<Division> division();

private:
  const SCEV *number(int64_t Value) {
    return SE.getConstant(Integer, uint64_t(Value), /*isSigned=*/true);
  }
  /// Returns \p Factor / Divisor; nothing if it is not a constant or not a multiple.
  std::optional<int64_t> times(const SCEV *Factor) const {
    const auto *Constant = dyn_cast<SCEVConstant>(Factor);
    if (!Constant || Constant->getAPInt().getSExtValue() % Divisor != 0)
      return std::nullopt;
    return Constant->getAPInt().getSExtValue() / Divisor;
  }

  const int64_t Divisor;
  Type *const Integer;
  ScalarEvolution &SE;
  int64_t Constant = 0;
  SmallVector<const SCEV *, 4> Multiples, Others;
};

void Terms::add(const SCEV *S) {
  if (const auto *Number = dyn_cast<SCEVConstant>(S)) {
    Constant += Number->getAPInt().getSExtValue();
    return;
  }
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    for (const SCEV *Operand : Sum->operands())
      add(Operand);
    return;
  }
  if (const auto *Product = dyn_cast<SCEVMulExpr>(S))
    if (std::optional<int64_t> Times = times(Product->getOperand(0))) {
      SmallVector<const SCEV *, 4> Factors(drop_begin(Product->operands()));
      Factors.push_back(number(*Times));
      Multiples.push_back(SE.getMulExpr(Factors));
      return;
    }
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  if (!Recurrence || !Recurrence->isAffine() || !isa<SCEVConstant>(Recurrence->getOperand(1))) {
    Others.push_back(S);
    return;
  }
  add(Recurrence->getStart());
  std::optional<int64_t> Times = times(Recurrence->getOperand(1));
  const SCEV *Step = Times ? number(*Times) : Recurrence->getOperand(1);
  (Times ? Multiples : Others)
      .push_back(SE.getAddRecExpr(number(0), Step, Recurrence->getLoop(), SCEV::FlagAnyWrap));
}

std::optional<Division> Terms::division() {
  Multiples.push_back(number(divideFloorSigned(Constant, Divisor)));
  Others.push_back(number(Constant - divideFloorSigned(Constant, Divisor) * Divisor));
  Division Of{SE.getAddExpr(Multiples), SE.getAddExpr(Others)};
  const ConstantRange Range = SE.getSignedRange(Of.Remainder);
  if (Range.getSignedMin().isNegative() || Range.getSignedMax().sge(Divisor))
    return std::nullopt;
  return Of;
}

} // namespace

std::optional<Division> divide(const SCEV *Dividend, int64_t Divisor, ScalarEvolution &SE) {
  if (SE.getTypeSizeInBits(Dividend->getType()) != 64)
    return std::nullopt;
  Terms All(Divisor, Dividend->getType(), SE);
  All.add(Dividend);
  return All.division();
}

} // namespace specrt
