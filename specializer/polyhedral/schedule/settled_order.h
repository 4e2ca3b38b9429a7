//===- specializer/polyhedral/schedule/settled_order.h - nests that no other order helps ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SETTLED_ORDER_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_SETTLED_ORDER_H

#include "isl/isl-noexceptions.h"
#include <cstdint>

namespace polly {
class Scop;
}

namespace specrt {

/// Says that isOrderSettled() holds.
inline constexpr const char *SettledOrderNote = "the order of the source is as good as any";

/// Returns whether another order than that of the source has nothing to offer: all iterations are
/// independent, so that each loop is parallel as it is; no access touches an element again, unless
/// all that it touches fits into \p CacheBytes; and in memory, innermost loops make smaller steps
/// than those around them. False where that cannot be told.
bool isOrderSettled(polly::Scop &S, const isl::union_map &Dependences, uint64_t CacheBytes);

} // namespace specrt

#endif
