//===- specializer/loops/affine_trips.cpp - nests of loops with affine trip counts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/affine_trips.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace specrt {
namespace {

/// Splits numbers into affine functions of the iterations of loops. The results only balance
/// threads, so conversions are assumed to keep values, and a maximum is replaced by its operand
/// that varies. Unlike those of LinearForm, factors need not be constants.
class AffineSplit {
public:
  AffineSplit(ArrayRef<Loop *> Loops, ScalarEvolution &SE) : Loops(Loops), SE(SE) {}

  std::optional<AffineTrips> of(const SCEV *S) const {
    std::optional<AffineTrips> Parts = split(S);
    if (!Parts)
      return std::nullopt;
    Type *Word = Type::getInt64Ty(SE.getContext());
    const auto Convert = [&](const SCEV *&Part) {
      Part = SE.getTruncateOrSignExtend(Part, Word);
      return isKnownBefore(*Loops.front(), Part, SE);
    };
    return Convert(Parts->Constant) && all_of(Parts->Factors, Convert) ? Parts : std::nullopt;
  }

private:
  std::optional<AffineTrips> split(const SCEV *S) const;
  std::optional<AffineTrips> splitSum(const SCEV *S) const;
  std::optional<AffineTrips> splitProduct(const SCEV *S) const;
  const SCEV *varyingOperand(const SCEV *S) const;
  AffineTrips invariant(const SCEV *S) const {
    AffineTrips Parts;
    Parts.Constant = S;
    Parts.Factors.fill(SE.getZero(S->getType()));
    return Parts;
  }
  template <typename Fn> static AffineTrips map(AffineTrips Parts, Fn To) {
    Parts.Constant = To(Parts.Constant);
    for (const SCEV *&Factor : Parts.Factors)
      Factor = To(Factor);
    return Parts;
  }

  const ArrayRef<Loop *> Loops; ///< from outside in
  ScalarEvolution &SE;
};

/// Returns the only operand of \p S that the outermost loop changes; null if there are several.
const SCEV *AffineSplit::varyingOperand(const SCEV *S) const {
  const SCEV *Found = nullptr;
  for (const SCEV *Operand : S->operands())
    if (!SE.isLoopInvariant(Operand, Loops.front())) {
      if (Found)
        return nullptr;
      Found = Operand;
    }
  return Found;
}

std::optional<AffineTrips> AffineSplit::splitSum(const SCEV *S) const {
  AffineTrips Sum = invariant(SE.getZero(S->getType()));
  for (const SCEV *Operand : S->operands()) {
    const std::optional<AffineTrips> Parts = split(Operand);
    if (!Parts)
      return std::nullopt;
    Sum.Constant = SE.getAddExpr(Sum.Constant, Parts->Constant);
    for (size_t I = 0; I < Sum.Factors.size(); ++I)
      Sum.Factors[I] = SE.getAddExpr(Sum.Factors[I], Parts->Factors[I]);
  }
  return Sum;
}

std::optional<AffineTrips> AffineSplit::splitProduct(const SCEV *S) const {
  const SCEV *Varying = varyingOperand(S);
  const std::optional<AffineTrips> Parts = Varying ? split(Varying) : std::nullopt;
  if (!Parts)
    return std::nullopt;
  const SCEV *Factor = SE.getOne(S->getType());
  for (const SCEV *Operand : S->operands())
    if (Operand != Varying)
      Factor = SE.getMulExpr(Factor, Operand);
  return map(*Parts, [&](const SCEV *Part) { return SE.getMulExpr(Part, Factor); });
}

std::optional<AffineTrips> AffineSplit::split(const SCEV *S) const {
  if (SE.isLoopInvariant(S, Loops.front()))
    return invariant(S);
  switch (S->getSCEVType()) {
  case scAddExpr:
    return splitSum(S);
  case scMulExpr:
    return splitProduct(S);
  case scAddRecExpr: {
    const auto *Counter = cast<SCEVAddRecExpr>(S);
    const auto *At = find(Loops, Counter->getLoop());
    const SCEV *Step = Counter->getStepRecurrence(SE);
    if (At == Loops.end() || !Counter->isAffine() || !SE.isLoopInvariant(Step, Loops.front()))
      return std::nullopt;
    std::optional<AffineTrips> Parts = split(Counter->getStart());
    if (Parts) {
      const SCEV *&Factor = Parts->Factors[size_t(At - Loops.begin())];
      Factor = SE.getAddExpr(Factor, Step);
    }
    return Parts;
  }
  case scZeroExtend:
  case scSignExtend:
  case scTruncate: {
    const std::optional<AffineTrips> Parts = split(S->operands().front());
    if (!Parts)
      return std::nullopt;
    return map(*Parts,
               [&](const SCEV *Part) { return SE.getTruncateOrSignExtend(Part, S->getType()); });
  }
  case scSMaxExpr:
  case scUMaxExpr: {
    const SCEV *Varying = varyingOperand(S);
    return Varying ? split(Varying) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// Returns the number of loops inside each other that begin with \p L.
unsigned height(const Loop &L) {
  unsigned Most = 0;
  for (const Loop *Inner : L)
    Most = std::max(Most, height(*Inner));
  return 1 + Most;
}

} // namespace

bool AffineTrips::isVarying() const {
  return any_of(Factors, [](const SCEV *Factor) { return !Factor->isZero(); });
}

std::optional<LoopExtent> AffineTrips::extent() const {
  LoopExtent Numbers;
  const auto Read = [](const SCEV *S, int64_t &Number) {
    const auto *Known = dyn_cast<SCEVConstant>(S);
    if (Known)
      Number = Known->getAPInt().getSExtValue();
    return Known != nullptr;
  };
  bool AreKnown = Read(Constant, Numbers.Constant);
  for (size_t I = 0; I < Factors.size(); ++I)
    AreKnown &= Read(Factors[I], Numbers.Factors[I]);
  return AreKnown ? std::optional(Numbers) : std::nullopt;
}

AffineNest affineNest(Loop &L, ScalarEvolution &SE) {
  AffineNest Nest;
  for (Loop *Next = &L; Next && Nest.Loops.size() < MaxRankedLoops;) {
    const SCEV *Trips = tripsOf(*Next, SE);
    Nest.Loops.push_back(Next);
    const std::optional<AffineTrips> Parts =
        Trips ? AffineSplit(Nest.Loops, SE).of(Trips) : std::nullopt;
    if (!Parts) {
      Nest.Loops.pop_back();
      break;
    }
    Nest.Trips.push_back(*Parts);
    const auto &Inner = Next->getSubLoops();
    const auto Highest =
        std::max_element(Inner.begin(), Inner.end(),
                         [](const Loop *A, const Loop *B) { return height(*A) < height(*B); });
    Next = Highest == Inner.end() ? nullptr : *Highest;
  }
  return Nest;
}

} // namespace specrt
