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
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

/// A product of two numbers below MaxNumber is below 2^58, so sums of the products of two
/// footprints and their constants, which are below MaxOffset, do not overflow.
constexpr int64_t MaxNumber = int64_t{1} << 29;
constexpr size_t MaxTerms = 8;
/// Limits the time of the proof. Planes that do not overlap have one or two such distances.
constexpr int64_t MaxDistances = 64;

/// Splits a constant factor off \p S.
std::pair<int64_t, const SCEV *> splitFactor(const SCEV *S, ScalarEvolution &SE) {
  const auto *Product = dyn_cast<SCEVMulExpr>(S);
  const auto *Factor = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!Factor || Product->getNumOperands() != 2 || !Factor->getAPInt().isSignedIntN(30))
    return {1, S};
  return {Factor->getAPInt().getSExtValue(), Product->getOperand(1)};
}

/// Returns whether the loops that are not in \p L move both forms by the same number of bytes.
bool areAlikeAround(const Loop &L, const LinearForm &A, const LinearForm &B) {
  const auto Around = [&](const LinearForm &Form, const LinearForm &Other) {
    return all_of(Form.loops(), [&](const Loop *Outer) {
      return L.contains(Outer) || Form.factor(Outer) == Other.factor(Outer);
    });
  };
  return Around(A, B) && Around(B, A);
}

/// Returns the factor of which \p S is a multiple that does not wrap; nothing if it may wrap.
std::optional<int64_t> exactFactor(const SCEV *S, ScalarEvolution &SE) {
  const auto [Factor, Number] = splitFactor(S, SE);
  const ConstantRange Range = SE.getSignedRange(Number);
  const auto *Product = dyn_cast<SCEVMulExpr>(S);
  const bool IsSmall =
      Range.getSignedMin().isSignedIntN(33) && Range.getSignedMax().isSignedIntN(33);
  return Factor == 1 || IsSmall || (Product && Product->hasNoSignedWrap()) ? std::optional(Factor)
                                                                           : std::nullopt;
}

} // namespace

bool areDifferentMembers(const SCEV *A, uint64_t BytesOfA, const SCEV *B, uint64_t BytesOfB,
                         const Loop &L, ScalarEvolution &SE) {
  LinearForm OfA, OfB;
  SmallVector<const SCEV *, 4> OthersOfA, OthersOfB;
  if (!splitAffine(A, OfA, OthersOfA) || !splitAffine(B, OfB, OthersOfB) ||
      !OfA.isBelow(MaxOffset) || !OfB.isBelow(MaxOffset))
    return false;
  int64_t Size = 0;
  const auto AddLoops = [&](const LinearForm &Form, const LinearForm &Other) {
    for (const Loop *Each : Form.loops())
      if (L.contains(Each) || Form.factor(Each) != Other.factor(Each))
        Size = std::gcd(Size, Form.factor(Each));
  };
  AddLoops(OfA, OfB);
  AddLoops(OfB, OfA);
  const auto AddOthers = [&](ArrayRef<const SCEV *> Others, ArrayRef<const SCEV *> InBoth) {
    return all_of(Others, [&](const SCEV *Each) {
      if (SE.isLoopInvariant(Each, &L) && is_contained(InBoth, Each))
        return true;
      const std::optional<int64_t> Factor =
          Each->getType()->isIntegerTy() ? exactFactor(Each, SE) : std::nullopt;
      Size = std::gcd(Size, Factor.value_or(1));
      return Factor.has_value();
    });
  };
  if (!AddOthers(OthersOfA, OthersOfB) || !AddOthers(OthersOfB, OthersOfA))
    return false;
  int64_t Between = OfA.Constant - OfB.Constant;
  if (Size == 0)
    return Between >= int64_t(BytesOfB) || -Between >= int64_t(BytesOfA);
  Between %= Size;
  Between += Between < 0 ? Size : 0;
  return uint64_t(Between) >= BytesOfB && uint64_t(Between) + BytesOfA <= uint64_t(Size);
}

std::optional<Footprint> Footprint::of(const SCEV *Address, uint64_t Bytes, const Loop &L,
                                       ScalarEvolution &SE, const Loop *Shared) {
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
    if (!L.contains(Inner) || Inner == &L || Inner == Shared)
      continue;
    if (Shared && !Shared->contains(Inner))
      return std::nullopt;
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
  if (!areAlikeAround(L, A.Affine, B.Affine))
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

bool Footprint::areInOrder(const Footprint &A, const Loop &SharedA, const Footprint &B,
                           const Loop &SharedB, const Loop &L, SharedIterations Of) {
  int64_t Outer = A.Affine.factor(&L), Inner = A.Affine.factor(&SharedA);
  if (std::abs(Outer) >= MaxNumber || std::abs(Inner) >= MaxNumber || Of.Last >= MaxNumber ||
      Of.LastShared >= MaxNumber || Outer != B.Affine.factor(&L) ||
      Inner != B.Affine.factor(&SharedB) || A.Invariant != B.Invariant ||
      !areAlikeAround(L, A.Affine, B.Affine))
    return false;
  // The accesses meet if Inner (j' - j) - Outer (k - k') is in [First, Last].
  int64_t First = A.Affine.Constant - B.Affine.Constant - (B.Bytes - 1);
  int64_t Last = A.Affine.Constant - B.Affine.Constant + (A.Bytes - 1);
  const auto Add = [&](const Term &T, int64_t Factor) {
    First += std::min(Factor * T.Low, Factor * T.High);
    Last += std::max(Factor * T.Low, Factor * T.High);
  };
  for (const Term &T : A.Varying)
    Add(T, T.Factor);
  for (const Term &T : B.Varying)
    Add(T, -T.Factor);
  if (Inner < 0) {
    Inner = -Inner;
    Outer = -Outer;
    First = -std::exchange(Last, -First);
  }
  if (Of.LastShared == 0)
    return true;
  // Inner (j' - j) is in [Inner, Furthest]. So k - k' is between these:
  const int64_t Furthest = Inner * Of.LastShared;
  int64_t From = Of.LeastDistance, To = Of.Last;
  if (Outer > 0) {
    From = std::max(From, divideCeilSigned(Inner - Last, Outer));
    To = std::min(To, divideFloorSigned(Furthest - First, Outer));
  } else if (Outer < 0) {
    From = std::max(From, divideCeilSigned(First - Furthest, -Outer));
    To = std::min(To, divideFloorSigned(Last - Inner, -Outer));
  } else {
    To = std::min(To, From); // all distances give the same result
  }
  if (To - From >= MaxDistances)
    return false;
  for (int64_t Distance = From; Distance <= To; ++Distance) {
    const int64_t Low = Outer * Distance + First, High = Outer * Distance + Last;
    if (Inner == 0 ? Low <= 0 && High >= 0
                   : std::max<int64_t>(1, divideCeilSigned(Low, Inner)) <=
                         std::min(Of.LastShared, divideFloorSigned(High, Inner)))
      return false;
  }
  return true;
}

} // namespace specrt
