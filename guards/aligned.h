//===- guards/aligned.h - an address is aligned ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_ALIGNED_H
#define SPECRT_GUARDS_ALIGNED_H

#include "guards/kind.h"

namespace specrt {

/// The address of Base is a multiple of Alignment, a power of two.
struct AlignedGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Aligned;
  specrt_base Base;
  uint64_t Alignment;

  AlignedGuard(const specrt_base &Base, uint64_t Alignment) : Base(Base), Alignment(Alignment) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  Presumes presumes() const;
};

} // namespace specrt

#endif
