//===- runtime/call/thread_use.h - measures the calling thread's use of the system ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wall time of a call says nothing about its code when the thread touched new pages or was
// preempted. The operating system reports both, around calls that are so long that two system calls
// are negligible.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_THREAD_USE_H
#define SPECRT_RUNTIME_CALL_THREAD_USE_H

#include <cstdint>

namespace specrt {

struct CallRecord;

/// Calls that are expected to be shorter are timed by the wall clock alone: asking the system takes
/// about 0.5 us.
constexpr double WatchedNs = 20e3;
/// For calls that are expected to be longer, the thread's processor time may be read more often.
/// Reading it is an occasion for the kernel to run other threads, which it otherwise has every few
/// milliseconds. If threads wait for processors, each then finds its caches used by others.
constexpr double ClockedNs = 1e6;

/// How exactly a call that was preempted has to be timed.
enum class WhenPreempted : uint8_t {
  Exact, ///< by its processor time
  /// below ClockedNs, by at most twice the expected time, which suffices for one call of many
  Roughly
};

/// The time of one call, and properties that say whether it is representative.
struct Measurement {
  uint64_t Ticks = 0;
  bool Cold = false;      ///< much of it is the first use of memory or code
  bool Disturbed = false; ///< the thread was preempted for an unknown part of it
  bool Preempted = false; ///< the thread had to leave its processor to others
  /// the version has not inspected its rows yet and runs the original loop over them
  bool IsDeferred = false;
};

/// Begins the measurement of a call that is expected to take about ExpectedNs; 0: unknown. Price is
/// the time of the guards, which has passed already. Async-signal-safe, preserves errno.
void beginMeasurement(CallRecord &Record, double ExpectedNs, WhenPreempted How, uint64_t Price = 0);

/// Stores the system's data about the thread at this moment. Async-signal-safe, preserves errno.
void askSystem(CallRecord &Record, WhenPreempted How);

/// Returns an upper limit of the time that a running call has used itself, from the data in its
/// record: the processor time if its thread was preempted meanwhile, infinity if that is unknown.
/// Async-signal-safe, preserves errno.
double ownNs(uint64_t ProcessorNs, uint32_t Preemptions);

/// Measures empty calls. Their time is then subtracted from all measurements. Must be called after
/// calibrateClock(), and not once a region has been called: it uses and frees a place for a call.
void calibrateMeasurement();

/// Ends the measurement. The time is at least one tick, because 0 stands for an unknown one.
/// ExpectedNs is the current expectation. With Parallel, threads of ours did part of the work.
/// SleptTicks are subtracted. Async-signal-safe, preserves errno.
Measurement endMeasurement(const CallRecord &Record, double ExpectedNs, bool Parallel,
                           uint64_t SleptTicks = 0);

} // namespace specrt

#endif
