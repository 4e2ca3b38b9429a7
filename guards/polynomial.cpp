//===- guards/polynomial.cpp - values of polynomials on a call's arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/polynomial.h"
#include <algorithm>

namespace specrt {
namespace {

std::optional<int64_t> factorValue(uint16_t Factor, const uint8_t *ArgKinds, uint32_t NumArgs,
                                   const uint64_t *Packed) {
  uint16_t Argument = Factor & ~uint16_t{SPECRT_FACTOR_UNSIGNED};
  if (Argument >= NumArgs || !isInteger(ArgKinds[Argument]))
    return std::nullopt;
  if (!(Factor & SPECRT_FACTOR_UNSIGNED))
    return signedValue(ArgKinds[Argument], Packed[Argument]);
  if (Packed[Argument] > static_cast<uint64_t>(INT64_MAX))
    return std::nullopt;
  return static_cast<int64_t>(Packed[Argument]);
}

} // namespace

std::optional<int64_t> evaluate(PolynomialView Polynomial, const uint8_t *ArgKinds,
                                uint32_t NumArgs, const uint64_t *Packed) {
  if (!Polynomial.isKnown())
    return std::nullopt;
  int64_t Sum = 0;
  for (uint32_t T = 0; T < Polynomial.NumTerms; ++T) {
    const specrt_term &Term = Polynomial.Terms[T];
    if (Term.num_factors > SPECRT_MAX_FACTORS)
      return std::nullopt;
    int64_t Product = Term.coefficient;
    for (uint16_t F = 0; F < Term.num_factors; ++F) {
      std::optional<int64_t> Value = factorValue(Term.factors[F], ArgKinds, NumArgs, Packed);
      if (!Value || __builtin_mul_overflow(Product, *Value, &Product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(Sum, Product, &Sum))
      return std::nullopt;
  }
  return Sum;
}

const char *problemOf(PolynomialView Polynomial, const specrt_region &Region) {
  if (!Polynomial.isKnown())
    return "refers to an unknown bound";
  for (uint32_t T = 0; T < Polynomial.NumTerms; ++T) {
    const specrt_term &Term = Polynomial.Terms[T];
    if (Term.num_factors > SPECRT_MAX_FACTORS)
      return "has a term with too many factors";
    for (uint16_t F = 0; F < Term.num_factors; ++F) {
      uint16_t Argument = Term.factors[F] & ~uint16_t{SPECRT_FACTOR_UNSIGNED};
      if (Argument >= Region.num_args)
        return "refers to an argument that does not exist";
      if (!isInteger(Region.arg_kinds[Argument]))
        return "computes with an argument that is not an integer";
    }
  }
  return nullptr;
}

specrt_polynomial constantPolynomial(int64_t Value) {
  specrt_polynomial P{};
  if (Value != 0) {
    P.num_terms = 1;
    P.terms[0].coefficient = Value;
  }
  return P;
}

std::optional<int64_t> constantOf(const specrt_polynomial &P) {
  if (P.num_terms == 0)
    return 0;
  if (P.num_terms == 1 && P.terms[0].num_factors == 0)
    return P.terms[0].coefficient;
  return std::nullopt;
}

bool isSamePolynomial(const specrt_polynomial &A, const specrt_polynomial &B) {
  const auto IsSameTerm = [](const specrt_term &X, const specrt_term &Y) {
    return X.coefficient == Y.coefficient &&
           std::equal(X.factors, X.factors + X.num_factors, Y.factors, Y.factors + Y.num_factors);
  };
  const PolynomialView First(A), Second(B);
  return First.NumTerms == Second.NumTerms &&
         std::equal(First.Terms, First.Terms + First.stored(), Second.Terms,
                    Second.Terms + Second.stored(), IsSameTerm);
}

} // namespace specrt
