//===- guards/equal.h - a packed argument equals a value, or another one --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_EQUAL_H
#define SPECRT_GUARDS_EQUAL_H

#include "guards/kind.h"
#include <vector>

namespace specrt {

/// All 64 bits of the packed argument equal Value: a floating-point value is compared by its bits.
struct EqualGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Equal;
  uint32_t Argument;
  uint32_t Reserved = 0;
  uint64_t Value;

  EqualGuard(uint32_t Argument, uint64_t Value) : Argument(Argument), Value(Value) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  std::optional<PinnedArgument> pins() const { return PinnedArgument{Argument, Value}; }
};

/// Checks that two packed arguments are equal, such as two pointers in a call that works in place.
struct SameGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Same;
  uint32_t First, Second; ///< argument numbers

  SameGuard(uint32_t First, uint32_t Second) : First(First), Second(Second) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
};

/// Returns one guard for each pair of arguments that \p Overlaps (specrt_jit_request::overlaps, may
/// be null) says are the same address, in ascending order.
std::vector<SameGuard> sameArguments(const uint8_t *Overlaps, const specrt_region &Region);

} // namespace specrt

#endif
