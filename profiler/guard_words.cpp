//===- profiler/guard_words.cpp - guards and values as people write them --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/guard_words.h"
#include "profiler/polynomial.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace specrt {
namespace {

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

std::string describeFpEnvironment(const specrt_guard &Guard) {
  std::string Text = Guard.low == 0 ? "floating point" : "floating point (x87 too)";
  if (Guard.value & SPECRT_MXCSR_DENORMALS)
    return Text + " rounds to nearest, keeps denormals and does not trap";
  return Text + " rounds to nearest and does not trap";
}

} // namespace

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

std::string describe(const specrt_range &Range, const specrt_region &Region) {
  return describeBase(Range.base, Region) + "[" + describePolynomial(Range.begin, Region) + ", " +
         describePolynomial(Range.end, Region) + ")";
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
    return describe(Guard.a, Region) + " and " + describe(Guard.b, Region) + " do not overlap";
  case SPECRT_GUARD_LOAD_EQUAL:
    return "the " + std::to_string(Guard.width) + " bytes at " +
           describeBase(Guard.a.base, Region) + " + " + describePolynomial(Guard.a.begin, Region) +
           " == " + std::to_string(Guard.value);
  case SPECRT_GUARD_FP_ENVIRONMENT:
    return describeFpEnvironment(Guard);
  default:
    return "a guard of unknown kind " + std::to_string(Guard.kind);
  }
}

std::string labelOfConstants(const specrt_region &Region, const specrt_fact *Facts) {
  std::string Label;
  for (uint32_t I = 0; Facts && I < Region.num_args; ++I) {
    if (!(Facts[I].flags & SPECRT_FACT_CONSTANT))
      continue;
    std::string Next = (Label.empty() ? "" : ",") + argumentName(Region, I) + "=" +
                       describeValue(Region.arg_kinds[I], Facts[I].value);
    if (Label.size() + Next.size() + 4 > MaxLabel)
      return Label + (Label.empty() ? "..." : ",...");
    Label += Next;
  }
  return Label;
}

} // namespace specrt
