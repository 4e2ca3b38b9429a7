//===- runtime/call/guard_price.h - what its guards cost a body -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body's time includes its guards': one that is fast behind slow guards does not win. Trials and
// sampled calls evaluate guards as data, which takes several times as long as the machine code of a
// published entry, and would decide between bodies of some 100 ns. So a call pays what the kinds
// say that published code takes, and on top of it only what the evaluation took beyond the time
// that data at hand explain: a miss of a cache, a range of memory that was looked at.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_GUARD_PRICE_H
#define SPECRT_RUNTIME_CALL_GUARD_PRICE_H

#include "guards/guard_list.h"
#include <cstdint>

namespace specrt {

/// In ticks. Async-signal-safe once made.
class GuardPrice {
public:
  /// Nothing is free: what the evaluation takes is paid.
  GuardPrice() = default;
  GuardPrice(GuardView Guards, double NsPerTick);

  /// Of a call that evaluated the guards from Begin to End.
  uint64_t of(uint64_t Begin, uint64_t End) const {
    const uint64_t Evaluation = End > Begin ? End - Begin : 0; // counters of sockets may differ
    return Published + (Evaluation > Interpreted ? Evaluation - Interpreted : 0);
  }

private:
  uint64_t Published = 0;   ///< the entry with these guards
  uint64_t Interpreted = 0; ///< what evaluating them as data takes at most, two clocks included
};

} // namespace specrt

#endif
