//===- runtime/rows/row_sharing.cpp - runs dependent rows on several threads ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_sharing.h"

#include <cerrno>
#include <ctime>
#include <immintrin.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace specrt {
namespace {

/// The number of polls without a pause. A chunk takes a microsecond or two; after that, the awaited
/// thread is not running.
constexpr unsigned Spins = 500;
/// The number of yields. The system may not give this processor to the awaited thread if this
/// thread has a higher priority, so it has to sleep then; in a wait of some milliseconds sleeping
/// costs little.
constexpr unsigned Yields = 2000;
constexpr long SleepNs = 50'000;

/// Sleeps by a system call, because the library function is a cancellation point.
void sleepBriefly() {
  const int SavedErrno = errno;
  const timespec Time = {.tv_sec = 0, .tv_nsec = SleepNs};
  syscall(SYS_nanosleep, &Time, nullptr);
  errno = SavedErrno;
}

void waitFor(const std::atomic<uint32_t> &Done, uint32_t Least) {
  for (unsigned I = 0; Done.load(std::memory_order_acquire) < Least;)
    if (I < Spins + Yields) {
      if (I++ < Spins)
        _mm_pause();
      else
        sched_yield();
    } else {
      sleepBriefly();
    }
}

} // namespace

RowSharing::RowSharing(Plan P)
    : Of(std::move(P)), Counters(std::make_unique<Counter[]>(Of.NumCounters)) {}

void RowSharing::begin() {
  for (uint32_t I = 0; I < Of.NumCounters; ++I)
    Counters[I].Done.store(0, std::memory_order_relaxed);
  NextStrip.store(0, std::memory_order_release);
}

void RowSharing::work(specrt_rows_segments *Segments, void *Words) {
  for (;;) {
    const uint32_t Mine = NextStrip.fetch_add(1, std::memory_order_acquire);
    if (Mine >= Of.Strips.size() - 1)
      return;
    for (uint32_t C = Of.Strips[Mine].FirstChunk; C < Of.Strips[Mine + 1].FirstChunk; ++C) {
      for (uint32_t W = Of.Chunks[C].FirstWait; W < Of.Chunks[C + 1].FirstWait; ++W)
        waitFor(Counters[Of.Waits[W].Counter].Done, Of.Waits[W].Least);
      Segments(Words, Of.FirstSegment[C], Of.FirstSegment[C + 1]);
      Counters[Of.Strips[Mine].Counter].Done.fetch_add(1, std::memory_order_release);
    }
  }
}

} // namespace specrt
