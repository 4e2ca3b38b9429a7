//===- guards/memory/load_equal.h - bytes in memory equal a value --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_MEMORY_LOAD_EQUAL_H
#define SPECRT_GUARDS_MEMORY_LOAD_EQUAL_H

#include "guards/guard_list.h"
#include "guards/kind.h"

namespace specrt {

/// The Width bytes at Base plus the offset, zero-extended, equal Value. The terms of the offset lie
/// behind the record.
struct LoadEqualGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::LoadEqual;
  specrt_base Base;
  uint32_t Width; ///< 1, 2, 4 or 8
  uint32_t NumTerms;
  uint64_t Value;

  LoadEqualGuard(const specrt_base &Base, PolynomialView Offset, uint32_t Width, uint64_t Value)
      : Base(Base), Width(Width), NumTerms(Offset.NumTerms), Value(Value) {}
  PolynomialView offset() const {
    return {reinterpret_cast<const specrt_term *>(this + 1), NumTerms};
  }

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  Presumes presumes() const;
  uint32_t trailingBytes() const;
};

void appendLoadEqual(GuardList &Guards, const specrt_base &Base, PolynomialView Offset,
                     uint32_t Width, uint64_t Value);

} // namespace specrt

#endif
