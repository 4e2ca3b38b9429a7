//===- guards/address.cpp - addresses and ranges that guards name ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/address.h"

#include <cstring>

namespace specrt {

/// Kinds of bases by level: the argument or symbol itself, a pointer that it points to, and a
/// pointer behind that one.
static constexpr specrt_base_kind Levels[3][2] = {
    {SPECRT_BASE_ARGUMENT, SPECRT_BASE_SYMBOL},
    {SPECRT_BASE_LOADED, SPECRT_BASE_SYMBOL_LOADED},
    {SPECRT_BASE_LOADED_TWICE, SPECRT_BASE_SYMBOL_LOADED_TWICE}};

static unsigned levelOf(const specrt_base &Base) {
  if (Base.kind == SPECRT_BASE_ERRNO)
    return 0;
  return Base.kind >= SPECRT_BASE_LOADED_TWICE ? 2 : Base.kind >= SPECRT_BASE_LOADED ? 1 : 0;
}
static bool isSymbol(const specrt_base &Base) { return Base.kind == Levels[levelOf(Base)][1]; }

bool isLoaded(const specrt_base &Base) { return levelOf(Base) > 0; }

specrt_base holderOf(const specrt_base &Loaded) {
  const unsigned Level = levelOf(Loaded) - 1;
  return {static_cast<uint16_t>(Levels[Level][isSymbol(Loaded)]), Loaded.index,
          Level == 0 ? 0 : static_cast<int16_t>(Loaded.offset)};
}

int64_t cellOf(const specrt_base &Loaded) {
  return levelOf(Loaded) == 1 ? Loaded.offset : Loaded.offset >> 16;
}

std::optional<specrt_base> loadedFrom(const specrt_base &Holder, int64_t Offset) {
  const unsigned Level = levelOf(Holder);
  if (Level == 2)
    return std::nullopt;
  if (Level == 1 && (static_cast<int16_t>(Holder.offset) != Holder.offset ||
                     static_cast<int16_t>(Offset) != Offset))
    return std::nullopt;
  if (static_cast<int32_t>(Offset) != Offset)
    return std::nullopt;
  const auto Cell = static_cast<int32_t>(Offset);
  return specrt_base{static_cast<uint16_t>(Levels[Level + 1][isSymbol(Holder)]), Holder.index,
                     Level == 0 ? Cell : Cell * 65536 + static_cast<uint16_t>(Holder.offset)};
}

bool isSameBase(const specrt_base &A, const specrt_base &B) {
  return A.kind == B.kind && A.index == B.index && (!isLoaded(A) || A.offset == B.offset);
}

bool isSameCell(const specrt_cell &A, const specrt_cell &B) {
  return isSameBase(A.base, B.base) && A.begin == B.begin && A.width == B.width;
}

std::optional<uint64_t> addressOf(const specrt_base &Base, const specrt_region &Region,
                                  const uint64_t *Packed) {
  if (problemOf(Base, Region))
    return std::nullopt;
  if (Base.kind == SPECRT_BASE_ARGUMENT)
    return Packed[Base.index];
  if (Base.kind == SPECRT_BASE_SYMBOL)
    return reinterpret_cast<uint64_t>(Region.symbols[Base.index].address);
  std::optional<uint64_t> Holder = addressOf(holderOf(Base), Region, Packed);
  if (!Holder)
    return std::nullopt;
  uint64_t Loaded;
  std::memcpy(&Loaded,
              reinterpret_cast<const void *>(*Holder + static_cast<uint64_t>(cellOf(Base))),
              sizeof(Loaded));
  return Loaded;
}

const char *problemOf(const specrt_base &Base, const specrt_region &Region) {
  const uint32_t Limit = isSymbol(Base) ? Region.num_symbols : Region.num_args;
  return Base.kind > SPECRT_BASE_SYMBOL_LOADED_TWICE || Base.index >= Limit
             ? "refers to a base that does not exist"
             : nullptr;
}

double costNs(const specrt_base &Base) {
  return Base.kind == SPECRT_BASE_ERRNO ? 3 : 0.3 * levelOf(Base);
}

double costNs(PolynomialView Polynomial) {
  uint32_t Factors = 0;
  for (uint32_t T = 0; T < Polynomial.stored(); ++T)
    Factors += Polynomial.Terms[T].num_factors;
  return 0.15 * Factors;
}

} // namespace specrt
