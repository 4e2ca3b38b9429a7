//===- runtime/call/guard_price.h - the time of a body's guards -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of a body includes its guards: a fast body behind slow guards must not win. Trials and
// sampled calls evaluate guards as data, which takes several times as long as the machine code of a
// published entry and would decide between bodies of some 100 ns. So a call is charged the
// estimated time of the published code, plus the part of the measured evaluation time that data in
// the first cache do not explain, for example a cache miss or an inspected range of memory.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_GUARD_PRICE_H
#define SPECRT_RUNTIME_CALL_GUARD_PRICE_H

#include "guards/guard_list.h"
#include <cstdint>

namespace specrt {

/// A price in ticks. Async-signal-safe after construction.
class GuardPrice {
public:
  /// Makes a price that charges the whole evaluation time.
  GuardPrice() = default;
  GuardPrice(GuardView Guards, double NsPerTick);

  /// Returns the price of a call that evaluated the guards from Begin to End.
  uint64_t of(uint64_t Begin, uint64_t End) const {
    const uint64_t Evaluation = End > Begin ? End - Begin : 0; // counters of sockets may differ
    return Published + (Evaluation > Interpreted ? Evaluation - Interpreted : 0);
  }

private:
  uint64_t Published = 0; ///< time of the entry with these guards
  /// upper estimate of the time to evaluate them as data, two clocks included
  uint64_t Interpreted = 0;
};

} // namespace specrt

#endif
