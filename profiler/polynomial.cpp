//===- profiler/polynomial.cpp - values of polynomials on a call's arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/polynomial.h"

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

std::optional<int64_t> evaluate(const specrt_polynomial &Polynomial, const uint8_t *ArgKinds,
                                uint32_t NumArgs, const uint64_t *Packed) {
  if (Polynomial.num_terms > SPECRT_MAX_TERMS) // includes SPECRT_UNKNOWN
    return std::nullopt;
  int64_t Sum = 0;
  for (uint16_t T = 0; T < Polynomial.num_terms; ++T) {
    const specrt_term &Term = Polynomial.terms[T];
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

} // namespace specrt
