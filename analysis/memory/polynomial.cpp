//===- analysis/memory/polynomial.cpp - polynomials over bounded variables ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact arithmetic and elimination of bounded variables; see polynomial.h for the idea.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

namespace specrt {

// Limits on the work for one subscript.
static constexpr size_t MaxTerms = 64;
static constexpr size_t MaxDegree = 8;
static constexpr unsigned MaxEliminationDepth = 4;

static std::optional<Wide> checkedMultiply(std::optional<Wide> A, std::optional<Wide> B) {
  Wide Product;
  if (!A || !B || __builtin_mul_overflow(*A, *B, &Product))
    return std::nullopt;
  return Product;
}

static std::optional<Wide> checkedAdd(std::optional<Wide> A, std::optional<Wide> B) {
  Wide Sum;
  if (!A || !B || __builtin_add_overflow(*A, *B, &Sum))
    return std::nullopt;
  return Sum;
}

bool Polynomial::addTerm(const Monomial &Variables, Wide Coefficient) {
  if (Variables.size() > MaxDegree)
    return false;
  auto [It, Inserted] = Terms.try_emplace(Variables, 0);
  if (__builtin_add_overflow(It->second, Coefficient, &It->second))
    return false;
  if (It->second == 0)
    Terms.erase(It);
  return Terms.size() <= MaxTerms;
}

std::optional<Polynomial> Polynomial::dividedBy(Wide Divisor) const {
  Polynomial Quotient;
  for (const auto &[Variables, Coefficient] : Terms) {
    if (Coefficient % Divisor != 0)
      return std::nullopt;
    Quotient.Terms[Variables] = Coefficient / Divisor;
  }
  return Quotient;
}

std::optional<Polynomial> operator+(const Polynomial &A, const Polynomial &B) {
  Polynomial Sum = A;
  for (const auto &[Variables, Coefficient] : B.Terms)
    if (!Sum.addTerm(Variables, Coefficient))
      return std::nullopt;
  return Sum;
}

std::optional<Polynomial> operator*(const Polynomial &A, const Polynomial &B) {
  Polynomial Product;
  for (const auto &[VariablesA, CoefficientA] : A.Terms)
    for (const auto &[VariablesB, CoefficientB] : B.Terms) {
      Monomial Variables = VariablesA;
      Variables.append(VariablesB.begin(), VariablesB.end());
      llvm::sort(Variables);
      std::optional<Wide> Coefficient = checkedMultiply(CoefficientA, CoefficientB);
      if (!Coefficient || !Product.addTerm(Variables, *Coefficient))
        return std::nullopt;
    }
  return Product;
}

std::optional<Polynomial> operator-(const Polynomial &A, const Polynomial &B) {
  std::optional<Polynomial> Negated = B * Polynomial(-1);
  return Negated ? A + *Negated : std::nullopt;
}

/// Returns the product of two intervals. An infinite end makes the product infinite unless both
/// intervals are nonnegative.
static Interval multiply(const Interval &A, const Interval &B) {
  if (A.isNonNegative() && B.isNonNegative())
    return {checkedMultiply(A.Low, B.Low).value_or(0), checkedMultiply(A.High, B.High)};
  if (!A.Low || !A.High || !B.Low || !B.High)
    return {};
  std::optional<Wide> Low, High;
  for (Wide X : {*A.Low, *A.High})
    for (Wide Y : {*B.Low, *B.High}) {
      std::optional<Wide> Product = checkedMultiply(X, Y);
      if (!Product)
        return {};
      Low = Low ? std::min(*Low, *Product) : *Product;
      High = High ? std::max(*High, *Product) : *Product;
    }
  return {Low, High};
}

Interval VariableTable::termwiseRange(const Polynomial &P) const {
  Interval Sum{0, 0};
  for (const auto &[Numbers, Coefficient] : P.terms()) {
    Interval Product{1, 1};
    for (size_t I = 0; I < Numbers.size();) {
      size_t End = I;
      while (End < Numbers.size() && Numbers[End] == Numbers[I])
        ++End;
      Interval Power = Variables[Numbers[I]].Range;
      for (size_t J = I + 1; J < End; ++J)
        Power = multiply(Power, Variables[Numbers[I]].Range);
      // Even powers are never negative.
      if ((End - I) % 2 == 0 && (!Power.Low || *Power.Low < 0))
        Power.Low = 0;
      Product = multiply(Product, Power);
      I = End;
    }
    std::optional<Wide> A = checkedMultiply(Product.Low, Coefficient);
    std::optional<Wide> B = checkedMultiply(Product.High, Coefficient);
    if (Coefficient < 0)
      std::swap(A, B);
    Sum.Low = checkedAdd(Sum.Low, A);
    Sum.High = checkedAdd(Sum.High, B);
  }
  return Sum;
}

Interval VariableTable::range(const Polynomial &P) const {
  Interval Result = termwiseRange(P);
  // Eliminating first keeps relations such as i <= n - 1 that the termwise range cannot see.
  if (std::optional<Polynomial> Low = bound(P, /*Upper=*/false)) {
    std::optional<Wide> Value = termwiseRange(*Low).Low;
    if (Value && (!Result.Low || *Value > *Result.Low))
      Result.Low = Value;
  }
  if (std::optional<Polynomial> High = bound(P, /*Upper=*/true)) {
    std::optional<Wide> Value = termwiseRange(*High).High;
    if (Value && (!Result.High || *Value < *Result.High))
      Result.High = Value;
  }
  return Result;
}

std::optional<int> VariableTable::sign(const Polynomial &P, unsigned Depth) const {
  Interval Range = termwiseRange(P);
  if (Range.isNonNegative())
    return 1;
  if (Range.isNonPositive())
    return -1;
  if (Depth >= MaxEliminationDepth)
    return std::nullopt;
  if (std::optional<Polynomial> Low = bound(P, false, Depth + 1))
    if (termwiseRange(*Low).isNonNegative())
      return 1;
  if (std::optional<Polynomial> High = bound(P, true, Depth + 1))
    if (termwiseRange(*High).isNonPositive())
      return -1;
  return std::nullopt;
}

std::optional<Polynomial> VariableTable::bound(Polynomial P, bool Upper, unsigned Depth) const {
  auto ToEliminate = [&](unsigned Number) { return !Variables[Number].IsArgument; };
  while (std::optional<unsigned> Number = P.highestVariable(ToEliminate)) {
    std::optional<Polynomial> Next = eliminate(P, *Number, Upper, Depth);
    if (!Next)
      return std::nullopt;
    P = std::move(*Next);
  }
  return P;
}

std::optional<Polynomial> VariableTable::eliminate(const Polynomial &P, unsigned Number, bool Upper,
                                                   unsigned Depth) const {
  const Variable &V = Variables[Number];
  // P = sum over Power of Coefficients[Power] * V^Power.
  std::map<size_t, Polynomial> Coefficients;
  for (const auto &[Numbers, Coefficient] : P.terms()) {
    Monomial Rest;
    llvm::copy_if(Numbers, std::back_inserter(Rest), [&](unsigned N) { return N != Number; });
    if (!Coefficients[Numbers.size() - Rest.size()].addTerm(Rest, Coefficient))
      return std::nullopt;
  }
  Polynomial Result;
  for (auto &[Power, Coefficient] : Coefficients) {
    std::optional<Polynomial> Term = Coefficient;
    if (Power > 0) {
      std::optional<int> Sign = sign(Coefficient, Depth);
      // Powers grow with the variable only where it is not negative.
      if (!Sign || (Power > 1 && !V.Range.isNonNegative()))
        return std::nullopt;
      bool UseHigh = (*Sign > 0) == Upper;
      const std::optional<Polynomial> &Bound = UseHigh ? V.High : V.Low;
      if (!Bound)
        return std::nullopt;
      if (UseHigh && V.Scale != 1) {
        // Scale * V <= High. Without a divisible coefficient V <= High is still true for V >= 0.
        if (std::optional<Polynomial> Scaled = Coefficient.dividedBy(V.Scale); Scaled && Power == 1)
          Term = Scaled;
      }
      for (size_t I = 0; I < Power && Term; ++I)
        Term = *Term * *Bound;
    }
    std::optional<Polynomial> Sum = Term ? Result + *Term : std::nullopt;
    if (!Sum)
      return std::nullopt;
    Result = std::move(*Sum);
  }
  return Result;
}

std::optional<Polynomial> VariableTable::extreme(const Polynomial &A, const Polynomial &B,
                                                 bool Upper) const {
  std::optional<Polynomial> Difference = A - B;
  if (!Difference)
    return std::nullopt;
  if (std::optional<int> Sign = sign(*Difference, 0))
    return (*Sign > 0) == Upper ? A : B;
  // Over nonnegative monomials the larger coefficient gives the larger term: B plus the part of
  // A - B that points outwards.
  Polynomial Result = B;
  for (const auto &[Numbers, Coefficient] : Difference->terms()) {
    for (unsigned Number : Numbers)
      if (!Variables[Number].Range.isNonNegative())
        return std::nullopt;
    if ((Coefficient > 0) == Upper && !Result.addTerm(Numbers, Coefficient))
      return std::nullopt;
  }
  return Result;
}

specrt_polynomial VariableTable::exportPolynomial(const std::optional<Polynomial> &P) const {
  specrt_polynomial Result{};
  specrt_polynomial Unknown{};
  Unknown.num_terms = SPECRT_UNKNOWN;
  if (!P || P->terms().size() > SPECRT_MAX_TERMS)
    return Unknown;
  for (const auto &[Numbers, Coefficient] : P->terms()) {
    if (Numbers.size() > SPECRT_MAX_FACTORS || Coefficient > std::numeric_limits<int64_t>::max() ||
        Coefficient < std::numeric_limits<int64_t>::min())
      return Unknown;
    specrt_term &Term = Result.terms[Result.num_terms++];
    Term.coefficient = static_cast<int64_t>(Coefficient);
    for (unsigned Number : Numbers) {
      if (!Variables[Number].IsArgument)
        return Unknown;
      Term.factors[Term.num_factors++] = Variables[Number].Factor;
    }
    // Equal polynomials get equal encodings, whatever order SCEV visited the arguments in.
    std::sort(Term.factors, Term.factors + Term.num_factors);
  }
  return Result;
}

} // namespace specrt
