//===- analysis/memory/linear_form.cpp - affine functions of iteration numbers -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/linear_form.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

/// Limits on iteration numbers and on coefficients, so that their products do not overflow.
static constexpr int64_t MaxCount = int64_t{1} << 20, MaxFactor = int64_t{1} << 40;

void LinearForm::add(const Loop *L, int64_t Factor) { Factors[L] += Factor; }

void LinearForm::add(const LinearForm &Other, int64_t Times) {
  Constant += Times * Other.Constant;
  for (const auto &[L, Factor] : Other.Factors)
    add(L, Times * Factor);
}

int64_t LinearForm::at(ArrayRef<const Loop *> Loops, ArrayRef<uint64_t> Iterations) const {
  int64_t Sum = Constant;
  for (auto [L, Iteration] : zip(Loops, Iterations))
    Sum += factor(L) * int64_t(Iteration);
  return Sum;
}

SmallVector<const Loop *, 4> LinearForm::loops() const {
  SmallVector<const Loop *, 4> Loops;
  for (const auto &[L, Factor] : Factors)
    if (Factor != 0)
      Loops.push_back(L);
  return Loops;
}

bool LinearForm::isBelow(int64_t Limit) const {
  auto Fits = [&](int64_t Number) { return Number > -Limit && Number < Limit; };
  return Fits(Constant) && all_of(make_second_range(Factors), Fits);
}

bool LinearForm::divideBy(int64_t Divisor) {
  if (Constant % Divisor != 0 ||
      any_of(make_second_range(Factors), [&](int64_t F) { return F % Divisor != 0; }))
    return false;
  Constant /= Divisor;
  for (auto &Entry : Factors)
    Entry.second /= Divisor;
  return true;
}

const SCEV *LinearForm::expression(ScalarEvolution &SE, Type *Integer) const {
  // Outer loops first: the recurrence of an inner one begins with theirs.
  SmallVector<const Loop *, 4> Loops = loops();
  sort(Loops, [](const Loop *A, const Loop *B) { return A->getLoopDepth() < B->getLoopDepth(); });
  const SCEV *Sum = SE.getConstant(Integer, uint64_t(Constant), /*isSigned=*/true);
  for (const Loop *L : Loops)
    Sum = SE.getAddRecExpr(Sum, SE.getConstant(Integer, uint64_t(factor(L)), /*isSigned=*/true), L,
                           SCEV::FlagAnyWrap);
  return Sum;
}

static std::optional<int64_t> number(const SCEV *S) {
  const auto *Constant = dyn_cast<SCEVConstant>(S);
  if (!Constant || Constant->getAPInt().getSignificantBits() > 64)
    return std::nullopt;
  const int64_t Number = Constant->getAPInt().getSExtValue();
  return Number > -MaxFactor && Number < MaxFactor ? std::optional(Number) : std::nullopt;
}

bool splitAffine(const SCEV *S, LinearForm &Affine, SmallVectorImpl<const SCEV *> &Others) {
  if (isa<SCEVConstant>(S)) {
    std::optional<int64_t> Number = number(S);
    Affine.Constant += Number.value_or(0);
    return Number.has_value();
  }
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S))
    return all_of(Sum->operands(),
                  [&](const SCEV *Operand) { return splitAffine(Operand, Affine, Others); });
  if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S); Recurrence && Recurrence->isAffine())
    if (std::optional<int64_t> Step = number(Recurrence->getOperand(1))) {
      Affine.add(Recurrence->getLoop(), *Step);
      return splitAffine(Recurrence->getStart(), Affine, Others);
    }
  Others.push_back(S);
  return true;
}

/// Returns the number of the last iteration of \p L as a function of the loops around.
static std::optional<LinearForm> exactLastIteration(const Loop *L, ScalarEvolution &SE) {
  LinearForm Form;
  SmallVector<const SCEV *, 2> Others;
  const SCEV *Count = SE.getBackedgeTakenCount(L);
  // 64-bit expressions of such small numbers do not wrap: a negative value would stand for more
  // iterations than any call can execute.
  if (isa<SCEVCouldNotCompute>(Count) || SE.getTypeSizeInBits(Count->getType()) != 64 ||
      !splitAffine(Count, Form, Others) || !Others.empty() || !Form.isBelow(MaxCount))
    return std::nullopt;
  return Form;
}

std::optional<int64_t> constantLastIteration(const Loop *L, ScalarEvolution &SE) {
  std::optional<int64_t> Most = number(SE.getConstantMaxBackedgeTakenCount(L));
  if (!Most || *Most < 0) {
    // ScalarEvolution's maximum also covers outer iterations in which the loop is not entered.
    std::optional<LinearForm> Form = exactLastIteration(L, SE);
    if (Form)
      Form = eliminate(*Form, SE, [](const Loop *) { return false; }, /*Upper=*/true);
    if (!Form)
      return std::nullopt;
    Most = std::max<int64_t>(Form->Constant, 0);
  }
  return *Most < MaxCount ? Most : std::nullopt;
}

static std::optional<LinearForm> lastIteration(const Loop *L, ScalarEvolution &SE) {
  if (std::optional<LinearForm> Form = exactLastIteration(L, SE))
    return Form;
  std::optional<int64_t> Most = constantLastIteration(L, SE);
  return Most ? std::optional(LinearForm(*Most)) : std::nullopt;
}

std::optional<LinearForm> eliminate(LinearForm Form, ScalarEvolution &SE,
                                    function_ref<bool(const Loop *)> IsKept, bool Upper) {
  while (true) {
    // The innermost first: its count may depend on the others.
    const Loop *Next = nullptr;
    for (const Loop *L : Form.loops())
      if (!IsKept(L) && (!Next || L->getLoopDepth() > Next->getLoopDepth()))
        Next = L;
    if (!Next)
      return Form;
    const int64_t Factor = Form.factor(Next);
    Form.Factors[Next] = 0;
    if ((Factor > 0) != Upper)
      continue;
    std::optional<LinearForm> Last = lastIteration(Next, SE);
    if (!Last || !Form.isBelow(MaxFactor))
      return std::nullopt;
    Form.add(*Last, Factor);
    if (!Form.isBelow(MaxFactor))
      return std::nullopt;
  }
}

} // namespace specrt
