//===- runtime/base/clock.h - a cheap clock for timing calls --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On x86-64 with an invariant time-stamp counter a tick is one step of that counter (about 10 ns
// to read); elsewhere a tick is one nanosecond of CLOCK_MONOTONIC. Both are async-signal-safe.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_CLOCK_H
#define SPECRT_RUNTIME_BASE_CLOCK_H

#include <atomic>
#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace specrt {

namespace clock_detail {
extern std::atomic<bool> UseCounter;
extern std::atomic<double> NsPerTick;
} // namespace clock_detail

inline uint64_t monotonicNs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000u + static_cast<uint64_t>(Now.tv_nsec);
}

/// Returns the seconds since 1970; 0 if the clock is before that.
inline uint64_t secondsNow() {
  const time_t Now = time(nullptr);
  return Now > 0 ? static_cast<uint64_t>(Now) : 0;
}

/// Returns the processor time of a thread.
inline uint64_t processorNs(clockid_t Clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec Now{};
  clock_gettime(Clock, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1000000000u + static_cast<uint64_t>(Now.tv_nsec);
}

inline uint64_t ticks() {
#if defined(__x86_64__)
  if (clock_detail::UseCounter.load(std::memory_order_relaxed))
    return __rdtsc();
#endif
  return monotonicNs();
}

inline double nsPerTick() { return clock_detail::NsPerTick.load(std::memory_order_relaxed); }

/// Returns the nanoseconds between two readings; 0 when the counter went backwards (a thread moved
/// between sockets whose counters differ).
inline uint64_t elapsedNs(uint64_t Begin, uint64_t End) {
  return End <= Begin ? 0 : static_cast<uint64_t>(static_cast<double>(End - Begin) * nsPerTick());
}

/// Measures the counter against the monotonic clock over the time since the library was loaded, or
/// for 20 us if less has passed. Must be called once, before the first ticks().
void calibrateClock();

} // namespace specrt

#endif
