//===- guards/words.cpp - describes arguments, values and ranges in words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"
#include "specrt/packed_region.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>

namespace specrt {
namespace {

constexpr std::string_view AnonymousNamespace = "(anonymous namespace)::";

/// Returns the noun for a value without a name: "array", "size", ...
const char *nounOf(uint8_t Kind) {
  switch (Kind) {
  case SPECRT_KIND_POINTER:
    return "array";
  case SPECRT_KIND_F32:
  case SPECRT_KIND_F64:
    return "number";
  case SPECRT_KIND_I1:
    return "flag";
  default:
    return "size";
  }
}

std::string ordinal(unsigned N) {
  const unsigned Last = N % 100 / 10 == 1 ? 0 : N % 10;
  return std::to_string(N) + (Last == 1 ? "st" : Last == 2 ? "nd" : Last == 3 ? "rd" : "th");
}

/// Returns the source name of the bytes at Base + Begin; "" when unknown.
std::string memoryName(const specrt_base &Base, int64_t Begin, const specrt_region &Region) {
  for (uint64_t I = 0; Region.size >= sizeof(specrt_region) && I < Region.num_memory_names; ++I)
    if (const specrt_memory_name &Name = Region.memory_names[I];
        Name.begin == Begin && isSameBase(Name.base, Base))
      return Name.text;
  return "";
}

/// Returns the title in the descriptor of a program; "" when it has none.
std::string packedTitle(const specrt_region &Region) {
  const uint32_t Needed = SPECRT_REGION_PACKED | SPECRT_REGION_WORDS;
  if ((Region.flags & Needed) != Needed)
    return "";
  const uint8_t *At = Region.arg_kinds + Region.num_args;
  if (Region.flags & SPECRT_REGION_CALLS)
    for (uint64_t Calls = specrt_unpack_number(&At); Calls > 0; --Calls)
      specrt_unpack_number(&At);
  for (uint32_t Texts = 0; Texts < Region.num_args + 2; ++Texts)
    specrt_unpack_text(&At);
  for (uint32_t I = 0; I < Region.num_accesses; ++I)
    specrt_unpack_access(&At);
  for (uint32_t I = 0; I < Region.num_loops; ++I)
    specrt_unpack_loop(&At);
  return specrt_unpack_text(&At);
}

} // namespace

std::string demangled(const std::string &Symbol) {
  const size_t Outlined = Symbol.find(".omp_outlined");
  const std::string Plain = Symbol.substr(0, Outlined);
  int Status = 0;
  std::unique_ptr<char, decltype(&std::free)> Text(
      abi::__cxa_demangle(Plain.starts_with("_Z") ? Plain.c_str() : "", nullptr, nullptr, &Status),
      &std::free);
  std::string Name = Text && Status == 0 ? Text.get() : Plain;
  // Removes "(anonymous namespace)::", which adds nothing for a reader of the source.
  for (size_t At = 0; (At = Name.find(AnonymousNamespace, At)) != std::string::npos;)
    Name.erase(At, AnonymousNamespace.size());
  return Outlined == std::string::npos ? Name : Name + " (OpenMP loop)";
}

std::string titleOf(const specrt_region &Region) {
  std::string Title = packedTitle(Region);
  if (Region.size >= sizeof(specrt_region) && Region.title)
    Title = Region.title;
  if (!Title.empty())
    return Title;
  std::string Name = Region.name;
  const size_t Line = std::min(Name.rfind(':'), Name.rfind('#'));
  if (!Name.starts_with("_Z") && Name.find(".omp_outlined") == std::string::npos)
    return Name;
  return demangled(Name.substr(0, Line)) + (Line == std::string::npos ? "" : Name.substr(Line));
}

std::string shortTitleOf(const specrt_region &Region) {
  std::string Title = titleOf(Region);
  return Title.substr(0, Title.find(", inlined into "));
}

std::string argumentName(const specrt_region &Region, uint32_t Argument) {
  if (Argument < Region.num_args && Region.arg_names && Region.arg_names[Argument] &&
      *Region.arg_names[Argument])
    return Region.arg_names[Argument];
  if (Argument >= Region.num_args)
    return "argument " + std::to_string(Argument);
  const std::string Noun = nounOf(Region.arg_kinds[Argument]);
  unsigned Number = 0;
  for (uint32_t I = 0; I <= Argument; ++I)
    Number += nounOf(Region.arg_kinds[I]) == Noun;
  return Noun == "array" ? ordinal(Number) + " array" : Noun + " " + std::to_string(Number);
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
      std::string Name = argumentName(Region, Term.factors[F] & ~uint16_t{SPECRT_FACTOR_UNSIGNED});
      std::erase(Name, ' '); // a product is one word in a formula: "8*size1"
      Text += Name;
    }
  }
  return Text.empty() ? "0" : Text;
}

std::string describe(const specrt_base &Base, const specrt_region &Region) {
  if (Base.kind == SPECRT_BASE_ERRNO)
    return "errno";
  if (Base.kind > SPECRT_BASE_SYMBOL_LOADED_TWICE)
    return "?";
  if (isLoaded(Base)) {
    if (std::string Name = memoryName(holderOf(Base), cellOf(Base), Region); !Name.empty())
      return Name;
    const std::string Holder = describe(holderOf(Base), Region);
    // Offset 0 is most often the first row pointer.
    return cellOf(Base) == 0 ? Holder + "[0]"
                             : "*(" + Holder + " + " + std::to_string(cellOf(Base)) + ")";
  }
  if (Base.kind == SPECRT_BASE_ARGUMENT)
    return argumentName(Region, Base.index);
  return Base.index < Region.num_symbols ? Region.symbols[Base.index].name : "symbol?";
}

std::string describe(const specrt_cell &Cell, const specrt_region &Region) {
  if (std::string Name = memoryName(Cell.base, Cell.begin, Region); !Name.empty())
    return Name;
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
    std::string Name = argumentName(Region, I);
    std::erase(Name, ' ');
    std::string Next = (Label.empty() ? "" : ",") + Name + "=" +
                       describeValue(Region.arg_kinds[I], Facts[I].value);
    if (Label.size() + Next.size() + 4 > MaxLabel)
      return Label + (Label.empty() ? "..." : ",...");
    Label += Next;
  }
  return Label;
}

} // namespace specrt
