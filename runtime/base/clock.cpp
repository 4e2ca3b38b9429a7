//===- runtime/base/clock.cpp - calibration of the time-stamp counter -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "arch/x86_64/processor_features.h"

namespace specrt {
namespace clock_detail {
std::atomic<bool> UseCounter{false};
std::atomic<double> NsPerTick{1.0};
} // namespace clock_detail

#if defined(__x86_64__)
namespace {

/// Readings of both clocks, taken one directly after the other.
struct Reading {
  Reading() noexcept : Ns(monotonicNs()), Ticks(__rdtsc()) {}
  uint64_t Ns, Ticks;
};

const Reading AtLoad;

} // namespace
#endif

void calibrateClock() {
#if defined(__x86_64__)
  if (!processorFeatures().InvariantCounter)
    return;
  // The error of one clock_gettime (about 25 ns) over 20 us is 0.1 %, far below the 3 % that decide
  // between versions.
  constexpr uint64_t MinSpanNs = 20000;
  Reading Now;
  while (Now.Ns - AtLoad.Ns < MinSpanNs)
    Now = Reading();
  if (Now.Ticks <= AtLoad.Ticks)
    return;
  clock_detail::NsPerTick.store(static_cast<double>(Now.Ns - AtLoad.Ns) /
                                    static_cast<double>(Now.Ticks - AtLoad.Ticks),
                                std::memory_order_relaxed);
  clock_detail::UseCounter.store(true, std::memory_order_relaxed);
#endif
}

} // namespace specrt
