//===- specializer/polyhedral/schedule/settled_order.h - nests that no reordering improves -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SETTLED_ORDER_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SETTLED_ORDER_H

#include "isl/isl-noexceptions.h"
#include <cstdint>

namespace polly {
class Scop;
}

namespace specrt {

/// Note for nests for which isOrderSettled() holds.
inline constexpr const char *SettledOrderNote = "the order of the source is as good as any";

/// Returns whether no other order can improve on the source's: all iterations are independent, so
/// that each loop is already parallel; no access uses an element again, unless all that it accesses
/// fits into \p CacheBytes; and innermost loops make smaller steps in memory than those around
/// them. False if that is unknown.
bool isOrderSettled(polly::Scop &S, const isl::union_map &Dependences, uint64_t CacheBytes);

} // namespace specrt

#endif
