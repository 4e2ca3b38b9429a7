//===- guards/polynomial.h - values of polynomials on a call's arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors and guards state byte ranges and trip counts as polynomials in the region's integer
// arguments. This file evaluates them for the packed arguments of one call. A value that does not
// fit into int64_t at any step, in the order of the terms and their factors, is unknown: a wrapped
// value would be a wrong range.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_POLYNOMIAL_H
#define SPECRT_GUARDS_POLYNOMIAL_H

#include "specrt/abi.h"
#include <cstdint>
#include <optional>

namespace specrt {

/// Returns whether Kind is one of the integer kinds.
constexpr bool isInteger(uint8_t Kind) { return Kind >= SPECRT_KIND_I1 && Kind <= SPECRT_KIND_I64; }
constexpr bool isFloat(uint8_t Kind) { return Kind == SPECRT_KIND_F32 || Kind == SPECRT_KIND_F64; }

/// Returns a packed integer argument as a signed value; I1 is 0 or 1. Returns the 64 bits for other
/// kinds.
constexpr int64_t signedValue(uint8_t Kind, uint64_t Packed) {
  switch (Kind) {
  case SPECRT_KIND_I1:
    return static_cast<int64_t>(Packed & 1);
  case SPECRT_KIND_I8:
    return static_cast<int8_t>(Packed);
  case SPECRT_KIND_I16:
    return static_cast<int16_t>(Packed);
  case SPECRT_KIND_I32:
    return static_cast<int32_t>(Packed);
  default:
    return static_cast<int64_t>(Packed);
  }
}

/// Returns the packed form of a signed value: the inverse of signedValue for values of that width.
constexpr uint64_t packedValue(uint8_t Kind, int64_t Value) {
  switch (Kind) {
  case SPECRT_KIND_I1:
    return static_cast<uint64_t>(Value) & 1;
  case SPECRT_KIND_I8:
    return static_cast<uint8_t>(Value);
  case SPECRT_KIND_I16:
    return static_cast<uint16_t>(Value);
  case SPECRT_KIND_I32:
    return static_cast<uint32_t>(Value);
  default:
    return static_cast<uint64_t>(Value);
  }
}

/// Refers to a polynomial whose terms are in a specrt_polynomial or in a guard's record.
struct PolynomialView {
  const specrt_term *Terms = nullptr;
  uint32_t NumTerms = 0; ///< more than SPECRT_MAX_TERMS: not expressible

  PolynomialView() = default;
  PolynomialView(const specrt_term *Terms, uint32_t NumTerms) : Terms(Terms), NumTerms(NumTerms) {}
  PolynomialView(const specrt_polynomial &P) : Terms(P.terms), NumTerms(P.num_terms) {}

  bool isKnown() const { return NumTerms <= SPECRT_MAX_TERMS; }
  /// Returns the number of terms in memory.
  uint32_t stored() const { return isKnown() ? NumTerms : 0; }
};

/// Returns the value of Polynomial for a call with NumArgs packed arguments of the given kinds.
/// Returns nothing when it is not expressible, names an argument that is not an integer, or
/// overflows. Does not allocate; async-signal-safe; thread-safe.
std::optional<int64_t> evaluate(PolynomialView Polynomial, const uint8_t *ArgKinds,
                                uint32_t NumArgs, const uint64_t *Packed);
inline std::optional<int64_t> evaluate(PolynomialView Polynomial, const specrt_region &Region,
                                       const uint64_t *Packed) {
  return evaluate(Polynomial, Region.arg_kinds, Region.num_args, Packed);
}

/// Returns null, or why Polynomial has no value for any call of Region: "refers to ...".
const char *problemOf(PolynomialView Polynomial, const specrt_region &Region);

/// constantPolynomial returns the polynomial { Value }; constantOf the value of one that is
/// constant.
specrt_polynomial constantPolynomial(int64_t Value);
std::optional<int64_t> constantOf(const specrt_polynomial &P);

/// Returns whether both have the same terms in the same order.
bool isSamePolynomial(const specrt_polynomial &A, const specrt_polynomial &B);

} // namespace specrt

#endif
