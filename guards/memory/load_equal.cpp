//===- guards/memory/load_equal.cpp - bytes in memory equal a value ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/load_equal.h"
#include "guards/address.h"
#include "guards/words.h"

#include <cstring>

namespace specrt {

static bool isWidth(uint32_t Bytes) { return Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8; }

uint32_t LoadEqualGuard::trailingBytes() const {
  return offset().stored() * static_cast<uint32_t>(sizeof(specrt_term));
}

const char *LoadEqualGuard::problem(const specrt_region &Region) const {
  if (!isWidth(Width))
    return "compares other than 1, 2, 4 or 8 bytes of memory";
  if (Width < 8 && (Value >> (8 * Width)) != 0)
    return "compares memory with a value that is too wide";
  const char *Problem = problemOf(offset(), Region);
  return Problem ? Problem : problemOf(Base, Region);
}

bool LoadEqualGuard::holds(const specrt_region &Region, const uint64_t *Packed) const {
  if (!isWidth(Width))
    return false;
  std::optional<int64_t> Offset = evaluate(offset(), Region, Packed);
  if (!Offset)
    return false;
  std::optional<uint64_t> Address = addressOf(Base, Region, Packed);
  if (!Address)
    return false;
  uint64_t Loaded = 0; // the low bytes are the first in memory: little-endian targets only
  std::memcpy(&Loaded, reinterpret_cast<const void *>(*Address + static_cast<uint64_t>(*Offset)),
              Width);
  return Loaded == Value;
}

std::string LoadEqualGuard::describe(const specrt_region &Region) const {
  const PolynomialView Offset = offset();
  if (Offset.NumTerms == 0 || (Offset.NumTerms == 1 && Offset.Terms[0].num_factors == 0)) {
    const specrt_cell Cell{
        .base = Base,
        .begin = static_cast<int32_t>(Offset.NumTerms ? Offset.Terms[0].coefficient : 0),
        .width = static_cast<uint16_t>(Width),
        .certain = 0};
    return specrt::describe(Cell, Region) + " == " + std::to_string(Value);
  }
  return "the " + std::to_string(Width) + " bytes at " + specrt::describe(Base, Region) + " + " +
         specrt::describe(offset(), Region) + " == " + std::to_string(Value);
}

double LoadEqualGuard::costNs() const {
  return 0.3 + specrt::costNs(Base) + specrt::costNs(offset());
}

/// Memory behind a loaded pointer exists only for these sizes.
Presumes LoadEqualGuard::presumes() const {
  return isLoaded(Base) ? Presumes::MemoryContent : Presumes::Arguments;
}

void appendLoadEqual(GuardList &Guards, const specrt_base &Base, PolynomialView Offset,
                     uint32_t Width, uint64_t Value) {
  Guards.append(LoadEqualGuard(Base, Offset, Width, Value), {Offset});
}

} // namespace specrt
