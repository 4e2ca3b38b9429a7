//===- runtime/guards.cpp - what a guard means ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/guards.h"
#include "profiler/polynomial.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace specrt {
namespace {

std::optional<uint64_t> addressOf(const specrt_base &Base, const specrt_region &Region,
                                  const uint64_t *Packed) {
  switch (Base.kind) {
  case SPECRT_BASE_ARGUMENT:
    if (Base.index >= Region.num_args)
      return std::nullopt;
    return Packed[Base.index];
  case SPECRT_BASE_SYMBOL:
    if (Base.index >= Region.num_symbols)
      return std::nullopt;
    return reinterpret_cast<uint64_t>(Region.symbols[Base.index].address);
  case SPECRT_BASE_LOADED: {
    if (Base.index >= Region.num_args)
      return std::nullopt;
    uint64_t Loaded;
    std::memcpy(&Loaded,
                reinterpret_cast<const void *>(Packed[Base.index] +
                                               static_cast<uint64_t>(int64_t{Base.offset})),
                sizeof(Loaded));
    return Loaded;
  }
  default:
    return std::nullopt;
  }
}

/// [Begin, End) in address arithmetic that wraps like the machine's.
struct Bytes {
  uint64_t Begin, End;
  bool Empty;
};

std::optional<Bytes> bytesOf(const specrt_range &Range, const specrt_region &Region,
                             const uint64_t *Packed) {
  std::optional<int64_t> Begin = evaluatePolynomial(Range.begin, Region, Packed);
  std::optional<int64_t> End = evaluatePolynomial(Range.end, Region, Packed);
  if (!Begin || !End)
    return std::nullopt;
  // An empty range is empty wherever its base is: do not even read the base.
  if (*End <= *Begin)
    return Bytes{0, 0, true};
  std::optional<uint64_t> Base = addressOf(Range.base, Region, Packed);
  if (!Base)
    return std::nullopt;
  return Bytes{*Base + static_cast<uint64_t>(*Begin), *Base + static_cast<uint64_t>(*End), false};
}

bool disjoint(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  std::optional<Bytes> A = bytesOf(Guard.a, Region, Packed);
  std::optional<Bytes> B = bytesOf(Guard.b, Region, Packed);
  if (!A || !B)
    return false;
  if (A->Empty || B->Empty)
    return true;
  // A range that wraps around the address space is not a real object: refuse it.
  if (A->End < A->Begin || B->End < B->Begin)
    return false;
  return A->Begin >= B->End || B->Begin >= A->End;
}

bool loadEquals(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  if (Guard.width != 1 && Guard.width != 2 && Guard.width != 4 && Guard.width != 8)
    return false;
  std::optional<int64_t> Offset = evaluatePolynomial(Guard.a.begin, Region, Packed);
  if (!Offset)
    return false;
  std::optional<uint64_t> Base = addressOf(Guard.a.base, Region, Packed);
  if (!Base)
    return false;
  uint64_t Loaded = 0; // little-endian targets only: the low bytes are the first in memory
  std::memcpy(&Loaded, reinterpret_cast<const void *>(*Base + static_cast<uint64_t>(*Offset)),
              Guard.width);
  return Loaded == Guard.value;
}

std::string describePolynomial(const specrt_polynomial &P, const specrt_region &Region) {
  if (P.num_terms == SPECRT_UNKNOWN)
    return "?";
  std::string Text;
  for (uint16_t T = 0; T < P.num_terms && T < SPECRT_MAX_TERMS; ++T) {
    const specrt_term &Term = P.terms[T];
    int64_t Coefficient = Term.coefficient;
    if (T > 0)
      Text += Coefficient < 0 ? " - " : " + ";
    else if (Coefficient < 0)
      Text += "-";
    uint64_t Magnitude = Coefficient < 0 ? 0 - static_cast<uint64_t>(Coefficient)
                                         : static_cast<uint64_t>(Coefficient);
    bool Shown = Magnitude != 1 || Term.num_factors == 0;
    if (Shown)
      Text += std::to_string(Magnitude);
    for (uint16_t F = 0; F < Term.num_factors && F < SPECRT_MAX_FACTORS; ++F) {
      if (Shown || F > 0)
        Text += "*";
      Text += argumentName(Region, Term.factors[F] & ~uint16_t{SPECRT_FACTOR_UNSIGNED});
    }
  }
  return Text.empty() ? "0" : Text;
}

std::string describeBase(const specrt_base &Base, const specrt_region &Region) {
  switch (Base.kind) {
  case SPECRT_BASE_ARGUMENT:
    return argumentName(Region, Base.index);
  case SPECRT_BASE_SYMBOL:
    return Base.index < Region.num_symbols ? Region.symbols[Base.index].name : "symbol?";
  case SPECRT_BASE_LOADED:
    return "*(" + argumentName(Region, Base.index) + " + " + std::to_string(Base.offset) + ")";
  default:
    return "?";
  }
}

std::string describeRange(const specrt_range &Range, const specrt_region &Region) {
  return describeBase(Range.base, Region) + "[" + describePolynomial(Range.begin, Region) + ", " +
         describePolynomial(Range.end, Region) + ")";
}

} // namespace

std::optional<int64_t> evaluatePolynomial(const specrt_polynomial &P, const specrt_region &Region,
                                          const uint64_t *Packed) {
  return evaluate(P, Region.arg_kinds, Region.num_args, Packed);
}

bool holds(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed) {
  switch (Guard.kind) {
  case SPECRT_GUARD_EQUAL:
    return Guard.arg < Region.num_args && Packed[Guard.arg] == Guard.value;
  case SPECRT_GUARD_IN_RANGE: {
    if (Guard.arg >= Region.num_args)
      return false;
    int64_t Value = signedValue(Region.arg_kinds[Guard.arg], Packed[Guard.arg]);
    return Guard.low <= Value && Value <= Guard.high;
  }
  case SPECRT_GUARD_ALIGNED: {
    std::optional<uint64_t> Address = addressOf(Guard.a.base, Region, Packed);
    return Address && Guard.value != 0 && (*Address & (Guard.value - 1)) == 0;
  }
  case SPECRT_GUARD_DISJOINT:
    return disjoint(Guard, Region, Packed);
  case SPECRT_GUARD_LOAD_EQUAL:
    return loadEquals(Guard, Region, Packed);
  default:
    return false;
  }
}

std::string argumentName(const specrt_region &Region, uint32_t Argument) {
  if (Argument < Region.num_args && Region.arg_names && Region.arg_names[Argument] &&
      *Region.arg_names[Argument])
    return Region.arg_names[Argument];
  return "arg" + std::to_string(Argument);
}

std::string describeValue(uint8_t Kind, uint64_t Packed) {
  char Text[64];
  switch (Kind) {
  case SPECRT_KIND_F32: {
    float Value;
    std::memcpy(&Value, &Packed, sizeof(Value));
    std::snprintf(Text, sizeof(Text), "%.9g", static_cast<double>(Value));
    return Text;
  }
  case SPECRT_KIND_F64: {
    double Value;
    std::memcpy(&Value, &Packed, sizeof(Value));
    std::snprintf(Text, sizeof(Text), "%.17g", Value);
    return Text;
  }
  case SPECRT_KIND_POINTER:
    std::snprintf(Text, sizeof(Text), "0x%" PRIx64, Packed);
    return Text;
  default:
    return std::to_string(signedValue(Kind, Packed));
  }
}

std::string describe(const specrt_guard &Guard, const specrt_region &Region) {
  std::string Argument = argumentName(Region, Guard.arg);
  uint8_t Kind = Guard.arg < Region.num_args ? Region.arg_kinds[Guard.arg] : SPECRT_KIND_I64;
  switch (Guard.kind) {
  case SPECRT_GUARD_EQUAL:
    return Argument + " == " + describeValue(Kind, Guard.value);
  case SPECRT_GUARD_IN_RANGE:
    return std::to_string(Guard.low) + " <= " + Argument + " <= " + std::to_string(Guard.high);
  case SPECRT_GUARD_ALIGNED:
    return describeBase(Guard.a.base, Region) + " is a multiple of " + std::to_string(Guard.value);
  case SPECRT_GUARD_DISJOINT:
    return describeRange(Guard.a, Region) + " and " + describeRange(Guard.b, Region) +
           " do not overlap";
  case SPECRT_GUARD_LOAD_EQUAL:
    return "the " + std::to_string(Guard.width) + " bytes at " +
           describeBase(Guard.a.base, Region) + " + " + describePolynomial(Guard.a.begin, Region) +
           " == " + std::to_string(Guard.value);
  default:
    return "a guard of unknown kind " + std::to_string(Guard.kind);
  }
}

} // namespace specrt
