//===- runtime/base/clock.cpp - calibration of the time-stamp counter -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace specrt {
namespace clock_detail {
std::atomic<bool> UseCounter{false};
std::atomic<double> NsPerTick{1.0};
} // namespace clock_detail

#if defined(__x86_64__)
static bool counterIsInvariant() {
  unsigned Eax, Ebx, Ecx, Edx;
  return __get_cpuid(0x80000007u, &Eax, &Ebx, &Ecx, &Edx) && (Edx & (1u << 8));
}
#endif

void calibrateClock() {
#if defined(__x86_64__)
  if (!counterIsInvariant())
    return;
  // Both ends are read right after each other; the error of one clock_gettime (about 25 ns)
  // over 20 us is 0.1 %, far below the 3 % that decide between versions.
  constexpr uint64_t SpanNs = 20000;
  uint64_t Ns0 = monotonicNs();
  uint64_t Tick0 = __rdtsc();
  uint64_t Ns1, Tick1;
  do {
    Ns1 = monotonicNs();
    Tick1 = __rdtsc();
  } while (Ns1 - Ns0 < SpanNs);
  if (Tick1 <= Tick0)
    return;
  clock_detail::NsPerTick.store(static_cast<double>(Ns1 - Ns0) / static_cast<double>(Tick1 - Tick0),
                                std::memory_order_relaxed);
  clock_detail::UseCounter.store(true, std::memory_order_relaxed);
#endif
}

} // namespace specrt
