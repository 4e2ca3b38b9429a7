//===- analysis/memory/scev_polynomial.cpp - from SCEV to polynomials -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per kind of expression; see scev_polynomial.h for the meaning of a reading.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/scev_polynomial.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Argument.h"

using namespace llvm;

namespace specrt {

static constexpr unsigned MaxOrder = 4;
// A constant bound of a loop says something only when it comes from the program's sizes; bounds
// that come from the width of a counter would make every range overlap every other.
static constexpr uint64_t MaxUsefulCount = uint64_t(1) << 24;

static Wide toWide(const APInt &Value, bool Signed) {
  // Up to 64 bits; an unsigned 64-bit value does not fit in int64_t, so widen first.
  APInt Extended = Signed ? Value.sext(128) : Value.zext(128);
  return static_cast<Wide>((static_cast<unsigned __int128>(Extended.getRawData()[1]) << 64) |
                           Extended.getRawData()[0]);
}

static Interval typeRange(unsigned Width, Reading How) {
  Wide One = 1;
  if (How == Reading::Unsigned)
    return {0, (One << Width) - 1};
  return {-(One << (Width - 1)), (One << (Width - 1)) - 1};
}

std::optional<Polynomial> ScevPolynomials::fitted(std::optional<Polynomial> P, unsigned Width,
                                                  Reading How) {
  if (!P || How == Reading::Modular)
    return P;
  Interval Type = typeRange(Width, How);
  if (Variables.range(*P).isWithin(*Type.Low, *Type.High))
    return P;
  return std::nullopt;
}

std::optional<Polynomial> ScevPolynomials::convert(const SCEV *S, Reading How) {
  if (!S->getType()->isIntegerTy() || SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  auto Key = std::make_pair(S, static_cast<unsigned>(How));
  if (auto It = Cache.find(Key); It != Cache.end())
    return It->second;
  std::optional<Polynomial> Result = convertUncached(S, How);
  Cache[Key] = Result;
  return Result;
}

std::optional<Polynomial> ScevPolynomials::convertUncached(const SCEV *S, Reading How) {
  unsigned Width = SE.getTypeSizeInBits(S->getType());
  switch (S->getSCEVType()) {
  case scConstant:
    return Polynomial(toWide(cast<SCEVConstant>(S)->getAPInt(), How != Reading::Unsigned));
  case scUnknown:
    return convertUnknown(cast<SCEVUnknown>(S), How);
  case scTruncate: {
    const SCEV *Op = cast<SCEVTruncateExpr>(S)->getOperand();
    std::optional<Polynomial> P = fitted(convert(Op, Reading::Modular), Width, How);
    return P || !AssumeNoWrap ? P : convert(Op, How);
  }
  case scZeroExtend:
    return convert(cast<SCEVZeroExtendExpr>(S)->getOperand(), Reading::Unsigned);
  case scSignExtend:
    return fitted(convert(cast<SCEVSignExtendExpr>(S)->getOperand(), Reading::Signed), Width,
                  How == Reading::Unsigned ? How : Reading::Modular);
  case scAddExpr:
  case scMulExpr:
  case scAddRecExpr:
    return convertRing(S, How);
  case scUDivExpr:
    return fitted(convertUDiv(cast<SCEVUDivExpr>(S)), Width,
                  How == Reading::Signed ? How : Reading::Modular);
  case scSMaxExpr:
  case scSMinExpr:
    return fitted(convertMinMax(cast<SCEVNAryExpr>(S), Reading::Signed), Width,
                  How == Reading::Unsigned ? How : Reading::Modular);
  case scUMaxExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    return fitted(convertMinMax(cast<SCEVNAryExpr>(S), Reading::Unsigned), Width,
                  How == Reading::Signed ? How : Reading::Modular);
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> ScevPolynomials::convertUnknown(const SCEVUnknown *S, Reading How) {
  unsigned Width = SE.getTypeSizeInBits(S->getType());
  ConstantRange SignedRange = SE.getSignedRange(S);
  bool NonNegative = SignedRange.getSignedMin().isNonNegative();
  bool IsArgument = isa<Argument>(S->getValue());
  // Readings that agree share one variable, so that terms cancel.
  bool AsUnsigned = How == Reading::Unsigned && !NonNegative && !AssumeNoWrap;
  auto Key = std::make_pair(static_cast<const SCEV *>(S), 3u + AsUnsigned);
  if (auto It = Cache.find(Key); It != Cache.end())
    return It->second;

  Variable V;
  if (AsUnsigned) {
    ConstantRange Range = SE.getUnsignedRange(S);
    V.Range = {toWide(Range.getUnsignedMin(), false), toWide(Range.getUnsignedMax(), false)};
  } else {
    V.Range = {toWide(SignedRange.getSignedMin(), true), toWide(SignedRange.getSignedMax(), true)};
  }
  if (IsArgument) {
    V.IsArgument = true;
    V.Factor =
        cast<Argument>(S->getValue())->getArgNo() | (AsUnsigned ? SPECRT_FACTOR_UNSIGNED : 0);
    if (AssumeNoWrap && V.Range.Low <= 0)
      V.Range.Low = 1;
    if (cast<Argument>(S->getValue())->getArgNo() >= SPECRT_FACTOR_UNSIGNED)
      return std::nullopt;
  } else {
    // The range of a full type is useless as a bound; that of a loaded byte is useful.
    Interval Type = typeRange(Width, AsUnsigned ? Reading::Unsigned : Reading::Signed);
    if (V.Range.Low == Type.Low && V.Range.High == Type.High && Width > 16)
      return std::nullopt;
    V.Low = Polynomial(*V.Range.Low);
    V.High = Polynomial(*V.Range.High);
  }
  Polynomial P = Polynomial::variable(Variables.add(std::move(V)));
  Cache[Key] = P;
  return P;
}

/// Converts sums, products and recurrences: the operations of the ring modulo 2^width.
std::optional<Polynomial> ScevPolynomials::convertRing(const SCEV *S, Reading How) {
  const auto *NAry = cast<SCEVNAryExpr>(S);
  unsigned Width = SE.getTypeSizeInBits(S->getType());
  if (std::optional<Polynomial> P = fitted(combine(NAry, Reading::Modular), Width, How))
    return P;
  if (How == Reading::Modular)
    return std::nullopt;
  // No-wrap flags are about the operands in the same reading. For recurrences of higher order they
  // do not cover the binomial form.
  bool Affine = !isa<SCEVAddRecExpr>(S) || cast<SCEVAddRecExpr>(S)->isAffine();
  SCEV::NoWrapFlags Flag = How == Reading::Signed ? SCEV::FlagNSW : SCEV::FlagNUW;
  if (Affine && NAry->getNoWrapFlags(Flag) == Flag)
    return combine(NAry, How);
  // If the result in the other reading fits, both readings give the same value.
  Reading Other = How == Reading::Signed ? Reading::Unsigned : Reading::Signed;
  SCEV::NoWrapFlags OtherFlag = How == Reading::Signed ? SCEV::FlagNUW : SCEV::FlagNSW;
  if (Affine && NAry->getNoWrapFlags(OtherFlag) == OtherFlag)
    if (std::optional<Polynomial> P = fitted(combine(NAry, Other), Width, How))
      return P;
  return AssumeNoWrap ? combine(NAry, Reading::Signed) : std::nullopt;
}

std::optional<Polynomial> ScevPolynomials::combine(const SCEVNAryExpr *S, Reading How) {
  if (const auto *AddRec = dyn_cast<SCEVAddRecExpr>(S))
    return combineAddRec(AddRec, How);
  bool IsSum = isa<SCEVAddExpr>(S);
  std::optional<Polynomial> Result = Polynomial(IsSum ? 0 : 1);
  for (const SCEV *Op : S->operands()) {
    std::optional<Polynomial> P = convert(Op, How);
    if (!P)
      return std::nullopt;
    Result = IsSum ? *Result + *P : *Result * *P;
    if (!Result)
      return std::nullopt;
  }
  return Result;
}

/// { a0,+,a1,+,a2,... } at iteration k is the sum of a_i * C(k, i).
std::optional<Polynomial> ScevPolynomials::combineAddRec(const SCEVAddRecExpr *S, Reading How) {
  const Loop *L = S->getLoop();
  if (S->getNumOperands() > MaxOrder)
    return std::nullopt;
  std::optional<Polynomial> Result = Polynomial(0);
  Wide Factorial = 1;
  for (unsigned Order = 0; Order < S->getNumOperands(); ++Order) {
    std::optional<Polynomial> Coefficient = convert(S->getOperand(Order), How);
    if (!Coefficient)
      return std::nullopt;
    if (Order == 0) {
      Result = Coefficient;
      continue;
    }
    Factorial *= Order;
    std::optional<Polynomial> Term;
    if (std::optional<Polynomial> Divided = Coefficient->dividedBy(Factorial)) {
      // C(k, i) * i! = k (k-1) ... (k-i+1), a polynomial with integer coefficients in k.
      Polynomial K = Polynomial::variable(iteration(L));
      Term = Divided;
      for (unsigned I = 0; I < Order && Term; ++I)
        if (std::optional<Polynomial> Factor = K - Polynomial(I))
          Term = *Term * *Factor;
    } else if (std::optional<Polynomial> Binomial = binomial(L, Order)) {
      Term = *Coefficient * *Binomial;
    }
    Result = Term ? *Result + *Term : std::nullopt;
    if (!Result)
      return std::nullopt;
  }
  return Result;
}

/// Returns C(k, Order) as a variable of its own, which lies in [0, C(B, Order)] as it grows with k.
std::optional<Polynomial> ScevPolynomials::binomial(const Loop *L, unsigned Order) {
  if (auto It = Iterations.find({L, Order}); It != Iterations.end())
    return Polynomial::variable(It->second);
  Variable V;
  V.Range.Low = 0;
  V.Low = Polynomial(0);
  if (std::optional<Polynomial> B = backedgeCount(L)) {
    Wide Count = B->constant();
    if (B->isConstant() && Count < (Wide(1) << 30)) {
      Wide Value = 1;
      for (unsigned I = 0; I < Order; ++I)
        Value = Value * (Count - I) / (I + 1);
      V.High = Polynomial(Count < Order ? 0 : Value);
    } else {
      V.High = Polynomial(1);
      for (unsigned I = 0; I < Order && V.High; ++I)
        V.High = *V.High * *B;
    }
    if (V.High)
      V.Range.High = Variables.range(*V.High).High;
  }
  unsigned Number = Variables.add(std::move(V));
  Iterations[{L, Order}] = Number;
  return Polynomial::variable(Number);
}

unsigned ScevPolynomials::iteration(const Loop *L) {
  if (auto It = Iterations.find({L, 1u}); It != Iterations.end())
    return It->second;
  Variable V;
  V.Range.Low = 0;
  V.Low = Polynomial(0);
  V.High = backedgeCount(L);
  if (V.High)
    V.Range.High = Variables.range(*V.High).High;
  // backedgeCount() may have added variables, so the number is chosen only now, to be higher.
  unsigned Number = Variables.add(std::move(V));
  Iterations[{L, 1u}] = Number;
  return Number;
}

std::optional<Polynomial> ScevPolynomials::backedgeCount(const Loop *L) {
  if (auto It = BackedgeCounts.find(L); It != BackedgeCounts.end())
    return It->second;
  const SCEV *Count = SE.getBackedgeTakenCount(L);
  bool Exact = !isa<SCEVCouldNotCompute>(Count);
  if (!Exact)
    Count = SE.getSymbolicMaxBackedgeTakenCount(L);
  auto IsUseful = [](const SCEV *S) {
    const auto *Constant = dyn_cast<SCEVConstant>(S);
    return !Constant || Constant->getAPInt().ult(MaxUsefulCount);
  };
  std::optional<Polynomial> Result;
  if (!isa<SCEVCouldNotCompute>(Count) && (Exact || IsUseful(Count))) {
    Result = convert(Count, Reading::Unsigned);
    if (!Result)
      Result = convert(SE.applyLoopGuards(Count, L), Reading::Unsigned);
  }
  if (const auto *Max = dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(L));
      Max && !Result && IsUseful(Max)) {
    Result = convert(Max, Reading::Unsigned);
    // min(n, ii + 32) - ii - 1 looks as if it could be negative. But a negative integer would be
    // congruent to a count above the constant maximum, so the polynomial is the count.
    std::optional<Polynomial> P;
    if (Result && !isa<SCEVCouldNotCompute>(Count))
      P = convert(Count, Reading::Modular);
    if (P) {
      Wide Modulus = Wide(1) << SE.getTypeSizeInBits(Count->getType());
      if (Variables.range(*P).isWithin(Result->constant() - Modulus + 1, Modulus - 1))
        Result = P;
    }
  }
  BackedgeCounts[L] = Result;
  return Result;
}

std::optional<Polynomial> ScevPolynomials::convertUDiv(const SCEVUDivExpr *S) {
  std::optional<Polynomial> Numerator = convert(S->getLHS(), Reading::Unsigned);
  if (!Numerator)
    return std::nullopt;
  Wide Divisor = 1;
  if (const auto *Constant = dyn_cast<SCEVConstant>(S->getRHS()))
    Divisor = toWide(Constant->getAPInt(), /*Signed=*/false);
  if (Divisor <= 0)
    return std::nullopt;
  if (isa<SCEVConstant>(S->getRHS()))
    if (std::optional<Polynomial> Exact = Numerator->dividedBy(Divisor))
      return Exact;
  Interval Range = Variables.range(*Numerator);
  Variable V;
  V.Range.Low = isa<SCEVConstant>(S->getRHS()) && Range.isNonNegative() ? *Range.Low / Divisor : 0;
  V.Low = Polynomial(*V.Range.Low);
  if (Range.High)
    V.Range.High = std::max<Wide>(*Range.High / Divisor, 0);
  if (Numerator->isConstant()) {
    V.High = Polynomial(*V.Range.High);
  } else {
    V.High = Numerator;
    V.Scale = Divisor;
  }
  return Polynomial::variable(Variables.add(std::move(V)));
}

std::optional<Polynomial> ScevPolynomials::convertMinMax(const SCEVNAryExpr *S, Reading How) {
  bool Max = isa<SCEVSMaxExpr, SCEVUMaxExpr>(S);
  std::optional<Polynomial> Result;
  for (const SCEV *Op : S->operands()) {
    std::optional<Polynomial> P = convert(Op, How);
    if (!P) {
      // One operand bounds a minimum from above; a maximum needs bounds of all operands.
      if (Max)
        return std::nullopt;
      Interval Type = typeRange(SE.getTypeSizeInBits(S->getType()), How);
      Variable V;
      V.Range = Type;
      V.Low = Polynomial(*Type.Low);
      V.High = std::nullopt;
      P = Polynomial::variable(Variables.add(std::move(V)));
    }
    Result = Result ? choose(*Result, *P, Max) : P;
    if (!Result)
      return std::nullopt;
  }
  return Result;
}

/// Returns min(A, B) or max(A, B): one of them if the difference has a known sign, otherwise a
/// variable.
std::optional<Polynomial> ScevPolynomials::choose(const Polynomial &A, const Polynomial &B,
                                                  bool Max) {
  std::optional<Polynomial> Difference = A - B;
  if (!Difference)
    return std::nullopt;
  Interval Range = Variables.range(*Difference);
  if (Range.isNonNegative())
    return Max ? A : B;
  if (Range.isNonPositive())
    return Max ? B : A;
  if (AssumeNoWrap && Max && (A.isConstant() || B.isConstant()))
    return A.isConstant() ? B : A;
  Interval RangeA = Variables.range(A), RangeB = Variables.range(B);
  // The operand with the innermost variable gives the tighter bound: min(n, ii + 32) <= ii + 32.
  auto Any = [](unsigned) { return true; };
  bool PreferA = A.highestVariable(Any).value_or(0) > B.highestVariable(Any).value_or(0);
  if (A.isConstant() != B.isConstant())
    PreferA = B.isConstant();
  const Polynomial &Preferred = PreferA ? A : B;
  Variable V;
  if (Max) {
    V.Low = Preferred;
    V.Range.Low = std::max(RangeA.Low, RangeB.Low);
    if (RangeA.High && RangeB.High) {
      V.Range.High = std::max(*RangeA.High, *RangeB.High);
      V.High = Polynomial(*V.Range.High);
    }
  } else {
    V.High = Variables.bound(Preferred, true) ? Preferred : (PreferA ? B : A);
    V.Range.High = RangeA.High && RangeB.High ? std::min(*RangeA.High, *RangeB.High)
                   : RangeA.High              ? RangeA.High
                                              : RangeB.High;
    if (RangeA.Low && RangeB.Low) {
      V.Range.Low = std::min(*RangeA.Low, *RangeB.Low);
      V.Low = Polynomial(*V.Range.Low);
    }
  }
  return Polynomial::variable(Variables.add(std::move(V)));
}

} // namespace specrt
