//===- guards/in_range.h - an integer argument lies in a range ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_IN_RANGE_H
#define SPECRT_GUARDS_IN_RANGE_H

#include "guards/kind.h"

namespace specrt {

/// The signed value of the argument lies in [Low, High].
struct InRangeGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::InRange;
  uint32_t Argument;
  uint32_t Reserved = 0;
  int64_t Low, High;

  InRangeGuard(uint32_t Argument, int64_t Low, int64_t High)
      : Argument(Argument), Low(Low), High(High) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
};

} // namespace specrt

#endif
