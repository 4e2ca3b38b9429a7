//===- guards/disjoint.h - two ranges share no byte -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_DISJOINT_H
#define SPECRT_GUARDS_DISJOINT_H

#include "guards/address.h"
#include "guards/guard_list.h"
#include "guards/kind.h"

namespace specrt {

/// The two ranges share no byte. Bounds are polynomials, so that two halves of one buffer pass
/// while overlapping ones do not. An empty range is disjoint from everything, and its base is not
/// read. A range that wraps around the address space, or whose bounds overflow, is disjoint from
/// nothing.
struct DisjointGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Disjoint;
  specrt_base Base[2];
  /// Numbers of terms of the begin and end of the first range, and the begin and end of the second.
  /// The terms lie behind the record in this order.
  uint32_t NumTerms[4];

  DisjointGuard(const RangeView &A, const RangeView &B)
      : Base{A.Base, B.Base},
        NumTerms{A.Begin.NumTerms, A.End.NumTerms, B.Begin.NumTerms, B.End.NumTerms} {}
  RangeView range(unsigned Number) const;

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  /// Returns true if a range names errno: code of versions cannot name a thread's errno.
  bool isCalled() const;
  Presumes presumes() const;
  uint32_t trailingBytes() const;
};

void appendDisjoint(GuardList &Guards, const RangeView &A, const RangeView &B);

} // namespace specrt

#endif
