//===- guards/address.h - addresses and ranges that guards name -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_ADDRESS_H
#define SPECRT_GUARDS_ADDRESS_H

#include "guards/polynomial.h"
#include "specrt/abi.h"
#include "specrt/facts.h"
#include <optional>

namespace specrt {

/// The bytes [Base + Begin, Base + End).
struct RangeView {
  specrt_base Base{};
  PolynomialView Begin, End;
};
inline RangeView viewOf(const specrt_range &Range) { return {Range.base, Range.begin, Range.end}; }

/// Returns whether the base is a pointer in memory, stored cellOf bytes behind holderOf.
bool isLoaded(const specrt_base &Base);
specrt_base holderOf(const specrt_base &Loaded);
int64_t cellOf(const specrt_base &Loaded);
/// Returns the pointer stored Offset bytes behind Holder, or nothing when no base can express it.
std::optional<specrt_base> loadedFrom(const specrt_base &Holder, int64_t Offset);

bool isSameBase(const specrt_base &A, const specrt_base &B);
/// Returns whether both cells are the same bytes.
bool isSameCell(const specrt_cell &A, const specrt_cell &B);

/// Returns the base's address for this call, reading memory for a loaded base. Returns nothing when
/// Region has no such base or it is errno.
std::optional<uint64_t> addressOf(const specrt_base &Base, const specrt_region &Region,
                                  const uint64_t *Packed);

/// Returns null, or the problem: "refers to ...". Only DisjointGuard supports errno as a base, so
/// errno is a problem here.
const char *problemOf(const specrt_base &Base, const specrt_region &Region);

/// Return nanoseconds, as GuardKind::costNs does.
double costNs(const specrt_base &Base);
double costNs(PolynomialView Polynomial);

} // namespace specrt

#endif
