//===- runtime/call/thread_use.h - what a call cost the calling thread ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wall time of a call says nothing about its code when the thread met pages that were never
// touched before, or had to let others run. Both are asked of the operating system, around calls
// that are long enough for two system calls to be nothing.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_THREAD_USE_H
#define SPECRT_RUNTIME_CALL_THREAD_USE_H

#include <cstdint>

namespace specrt {

struct CallRecord;

/// Calls that are expected to be shorter are timed by the wall alone: asking takes about 0.5 us.
constexpr double WatchedNs = 20e3;
/// Calls that are expected to be longer may be asked for the thread's processor time more often:
/// for the kernel this is an occasion to let other threads run, which it otherwise has every few
/// milliseconds. Where threads wait for processors, each then finds its caches used by others.
constexpr double ClockedNs = 1e6;

/// How exactly a call that was preempted has to be timed.
enum class WhenPreempted : uint8_t {
  Exact,  ///< its processor time
  Roughly ///< below ClockedNs at most twice what is expected, which will do for one call of many
};

/// The time of one call, and what it is worth.
struct Measurement {
  uint64_t Ticks = 0;
  bool Cold = false;      ///< much of it is the first use of memory, or of the code
  bool Disturbed = false; ///< the thread was preempted, for an unknown part of it
  bool PutOff = false;    ///< the version has not looked at its rows yet, and runs them as written
};

/// Begins the measurement of a call that takes about ExpectedNs; 0: unknown. The time of the
/// guards, Price, has passed already. Async-signal-safe, preserves errno.
void beginMeasurement(CallRecord &Record, double ExpectedNs, WhenPreempted How, uint64_t Price = 0);

/// Stores what the operating system knows of the thread at this moment. Async-signal-safe,
/// preserves errno.
void askSystem(CallRecord &Record, WhenPreempted How);

/// An upper limit of what a call that is still running has taken itself, from the figures of its
/// record: if its thread was preempted meanwhile, what it has had of a processor. Infinite where
/// that is not known. Async-signal-safe, preserves errno.
double ownNs(uint64_t ProcessorNs, uint32_t Preemptions);

/// Ends it. ExpectedNs: as known now. Parallel: threads of ours did part of the work. SleptTicks do
/// not count. Async-signal-safe, preserves errno.
Measurement endMeasurement(const CallRecord &Record, double ExpectedNs, bool Parallel,
                           uint64_t SleptTicks = 0);

} // namespace specrt

#endif
