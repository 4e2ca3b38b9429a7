//===- specializer/loops/independence/footprint.cpp - bytes that iterations access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/footprint.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// A product of two numbers below MaxNumber is below 2^58, so sums of the products of two
/// footprints and their constants, which are below MaxOffset, do not overflow.
constexpr int64_t MaxNumber = int64_t{1} << 29;
constexpr size_t MaxTerms = 8;

/// Splits a constant factor off \p S.
std::pair<int64_t, const SCEV *> splitFactor(const SCEV *S, ScalarEvolution &SE) {
  const auto *Product = dyn_cast<SCEVMulExpr>(S);
  const auto *Factor = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!Factor || Product->getNumOperands() != 2 || !Factor->getAPInt().isSignedIntN(30))
    return {1, S};
  return {Factor->getAPInt().getSExtValue(), Product->getOperand(1)};
}

} // namespace

std::optional<Footprint> Footprint::of(const SCEV *Address, uint64_t Bytes, const Loop &L,
                                       ScalarEvolution &SE) {
  Footprint New;
  SmallVector<const SCEV *, 2> Others;
  if (Bytes >= uint64_t(MaxNumber) || !splitAffine(Address, New.Affine, Others))
    return std::nullopt;
  New.Bytes = int64_t(Bytes);
  for (const SCEV *Other : Others) {
    if (SE.isLoopInvariant(Other, &L)) {
      New.Invariant.push_back(Other);
      continue;
    }
    if (!Other->getType()->isIntegerTy())
      return std::nullopt;
    const auto [Factor, Number] = splitFactor(Other, SE);
    const ConstantRange Range = SE.getSignedRange(Number);
    const APInt Low = Range.getSignedMin(), High = Range.getSignedMax();
    if (Range.isEmptySet() || !Low.isSignedIntN(30) || !High.isSignedIntN(30))
      return std::nullopt;
    New.Varying.push_back({Factor, Low.getSExtValue(), High.getSExtValue()});
  }
  for (const Loop *Inner : New.Affine.loops()) {
    if (!L.contains(Inner) || Inner == &L)
      continue;
    const std::optional<int64_t> Last = constantLastIteration(Inner, SE);
    const int64_t Factor = New.Affine.factor(Inner);
    if (!Last || std::abs(Factor) >= MaxNumber)
      return std::nullopt;
    New.Varying.push_back({Factor, 0, *Last});
  }
  if (New.Varying.size() > MaxTerms || !New.Affine.isBelow(MaxOffset))
    return std::nullopt;
  llvm::sort(New.Invariant);
  return New;
}

bool Footprint::areApart(const Footprint &A, const Footprint &B, const Loop &L,
                         std::optional<int64_t> LastIteration) {
  const int64_t Step = std::abs(A.Affine.factor(&L));
  if (Step == 0 || Step >= MaxNumber || A.Affine.factor(&L) != B.Affine.factor(&L) ||
      A.Invariant != B.Invariant)
    return false;
  const auto Around = [&](const LinearForm &Form, const LinearForm &Other) {
    return all_of(Form.loops(), [&](const Loop *Outer) {
      return L.contains(Outer) || Form.factor(Outer) == Other.factor(Outer);
    });
  };
  if (!Around(A.Affine, B.Affine) || !Around(B.Affine, A.Affine))
    return false;

  // The difference of the two addresses is Step (i - i') + Between + a multiple of Period + a
  // number from Low to High.
  int64_t Between = A.Affine.Constant - B.Affine.Constant, Low = 0, High = 0, Period = 0;
  const auto Add = [&](Term T, int64_t Sign) {
    T.Factor *= Sign;
    if (std::abs(T.Factor) > Step && T.Low != T.High) {
      // The other values of the term are this one plus multiples of Factor.
      Between += T.Factor * T.Low;
      Period = std::gcd(Period, T.Factor);
      return;
    }
    Low += std::min(T.Factor * T.Low, T.Factor * T.High);
    High += std::max(T.Factor * T.Low, T.Factor * T.High);
  };
  for (const Term &T : A.Varying)
    Add(T, 1);
  for (const Term &T : B.Varying)
    Add(T, -1);
  if (Period != 0) {
    Between %= Period;
    if (std::abs(Between) > Period / 2)
      Between += Between > 0 ? -Period : Period;
  }
  // The accesses meet if Step (i' - i) is in [First, Last] modulo Period.
  const int64_t First = Between + Low - (B.Bytes - 1), Last = Between + High + (A.Bytes - 1);
  const int64_t Furthest = LastIteration.value_or(std::numeric_limits<int32_t>::max());
  // The distances i' - i at which they meet, without the period.
  const int64_t Least = divideCeilSigned(First, Step), Most = divideFloorSigned(Last, Step);
  if (Least <= Most && (Least != 0 || Most != 0) && Least <= Furthest && Most >= -Furthest)
    return false;
  return Period == 0 || Step * Furthest < Period - std::max(std::abs(First), std::abs(Last));
}

} // namespace specrt
