//===- guards/words.cpp - arguments, values and ranges as people write them ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace specrt {
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

std::string describeValue(const specrt_region &Region, uint32_t Argument, uint64_t Packed) {
  return describeValue(Argument < Region.num_args ? Region.arg_kinds[Argument] : SPECRT_KIND_I64,
                       Packed);
}

std::string describe(PolynomialView P, const specrt_region &Region) {
  if (!P.isKnown())
    return "?";
  std::string Text;
  for (uint32_t T = 0; T < P.NumTerms; ++T) {
    const specrt_term &Term = P.Terms[T];
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

std::string describe(const specrt_base &Base, const specrt_region &Region) {
  if (Base.kind > SPECRT_BASE_SYMBOL_LOADED_TWICE)
    return "?";
  if (isLoaded(Base))
    return "*(" + describe(holderOf(Base), Region) + " + " + std::to_string(cellOf(Base)) + ")";
  if (Base.kind == SPECRT_BASE_ARGUMENT)
    return argumentName(Region, Base.index);
  return Base.index < Region.num_symbols ? Region.symbols[Base.index].name : "symbol?";
}

std::string describe(const specrt_cell &Cell, const specrt_region &Region) {
  return "the " + std::to_string(Cell.width) + " bytes at " + describe(Cell.base, Region) + " + " +
         std::to_string(Cell.begin);
}

std::string describe(const RangeView &Range, const specrt_region &Region) {
  return describe(Range.Base, Region) + "[" + describe(Range.Begin, Region) + ", " +
         describe(Range.End, Region) + ")";
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
