//===- guards/address.cpp - addresses and ranges that guards name ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/address.h"

#include <cstring>

namespace specrt {

bool isSameBase(const specrt_base &A, const specrt_base &B) {
  return A.kind == B.kind && A.index == B.index &&
         (A.kind != SPECRT_BASE_LOADED || A.offset == B.offset);
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
  uint64_t Loaded;
  const uint64_t Cell = Packed[Base.index] + static_cast<uint64_t>(int64_t{Base.offset});
  std::memcpy(&Loaded, reinterpret_cast<const void *>(Cell), sizeof(Loaded));
  return Loaded;
}

const char *problemOf(const specrt_base &Base, const specrt_region &Region) {
  uint32_t Limit = Base.kind == SPECRT_BASE_SYMBOL ? Region.num_symbols : Region.num_args;
  return Base.kind > SPECRT_BASE_LOADED || Base.index >= Limit
             ? "refers to a base that does not exist"
             : nullptr;
}

const char *problemOf(const RangeView &Range, const specrt_region &Region) {
  for (const PolynomialView &P : {Range.Begin, Range.End})
    if (const char *Problem = problemOf(P, Region))
      return Problem;
  return problemOf(Range.Base, Region);
}

double costNs(const specrt_base &Base) { return Base.kind == SPECRT_BASE_LOADED ? 0.3 : 0; }

double costNs(PolynomialView Polynomial) {
  uint32_t Factors = 0;
  for (uint32_t T = 0; T < Polynomial.stored(); ++T)
    Factors += Polynomial.Terms[T].num_factors;
  return 0.15 * Factors;
}

} // namespace specrt
