//===- runtime/call/thread_use.cpp - measures the calling thread's use of the system ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/thread_use.h"
#include "runtime/base/clock.h"
#include "runtime/base/deferred.h"
#include "runtime/base/open_calls.h"
#include "runtime/call/region_state.h"

#include <algorithm>
#include <limits>
#include <sys/resource.h>

namespace specrt {
namespace {

/// The upper estimate of a page fault's time, except for huge pages, which take a hundred times as
/// long.
constexpr double FaultNs = 5e3;
/// The share of a call's time that faults may take if it counts as warm.
constexpr double WarmShare = 0.02;
/// In longer calls of several threads a preemption counts as normal.
constexpr double NoiseNs = 5e6;

/// The ticks that a measurement yields for an empty body and for an empty nest in place.
std::atomic<uint64_t> BodyCost{0}, InPlaceCost{0};

uint64_t ticksOfEmptyBody() {
  CallRecord Record{};
  beginMeasurement(Record, 1, WhenPreempted::Roughly);
  return endMeasurement(Record, 1, /*Parallel=*/false).Ticks;
}

/// Measures what the thunk and a nest in place execute between the two readings of the clock.
uint64_t ticksOfEmptyNest() {
  CallRecord Record{.IsInPlace = true};
  beginMeasurement(Record, 1, WhenPreempted::Roughly);
  OpenCall *Place = takePlace([](specrt_call &) {});
  if (!Place)
    return UINT64_MAX;
  OpenCall *const Taken = takeOpen(open(*Place, /*IsKept=*/false));
  const uint64_t Ticks = endMeasurement(Record, 1, /*Parallel=*/false).Ticks;
  close(Taken ? *Taken : *Place);
  return Ticks;
}

/// Returns the least of some measurements: an interrupt only makes them longer.
uint64_t least(uint64_t (*Measured)()) {
  uint64_t Least = UINT64_MAX;
  for (int I = 0; I < 64; ++I)
    Least = std::min(Least, Measured());
  return Least;
}

} // namespace

// Neither system call fails for the calling thread, so errno is preserved.
void askSystem(CallRecord &Record, WhenPreempted How) {
  rusage Use{};
  getrusage(RUSAGE_THREAD, &Use);
  Record.Faults = static_cast<uint32_t>(Use.ru_minflt + Use.ru_majflt);
  Record.Preemptions = static_cast<uint32_t>(Use.ru_nivcsw);
  Record.ProcessorNs = How == WhenPreempted::Roughly ? CallRecord::NoClock : processorNs();
}

void beginMeasurement(CallRecord &Record, double ExpectedNs, WhenPreempted How, uint64_t Price) {
  Record.ProcessorNs = CallRecord::WallOnly;
  if (ExpectedNs == 0 || ExpectedNs >= WatchedNs)
    askSystem(Record, ExpectedNs != 0 && ExpectedNs < ClockedNs ? How : WhenPreempted::Exact);
  setupTicks() = 0;
  isDeferred() = false;
  Record.Begin = ticks() - Price;
}

void calibrateMeasurement() {
  BodyCost = InPlaceCost = 0;
  const uint64_t Body = least(ticksOfEmptyBody), Nest = least(ticksOfEmptyNest);
  BodyCost = Body;
  InPlaceCost = Nest == UINT64_MAX ? Body : std::max(Body, Nest);
}

double ownNs(uint64_t ProcessorNs, uint32_t Preemptions) {
  constexpr double Unknown = std::numeric_limits<double>::infinity();
  if (ProcessorNs == CallRecord::WallOnly || ProcessorNs == CallRecord::NoClock)
    return Unknown;
  rusage Use{};
  getrusage(RUSAGE_THREAD, &Use);
  if (static_cast<uint32_t>(Use.ru_nivcsw) == Preemptions)
    return Unknown;
  return std::max(0.0, static_cast<double>(processorNs()) - static_cast<double>(ProcessorNs));
}

Measurement endMeasurement(const CallRecord &Record, double ExpectedNs, bool Parallel,
                           uint64_t SleptTicks) {
  const uint64_t End = ticks() - SleptTicks;
  const uint64_t Begin = Record.Begin + setupTicks();
  const std::atomic<uint64_t> &Cost = Record.IsInPlace ? InPlaceCost : BodyCost;
  const uint64_t Empty = Begin + Cost.load(std::memory_order_relaxed);
  Measurement M{.Ticks = End > Empty ? End - Empty : 1,
                .Cold = Begin != Record.Begin,
                .IsDeferred = isDeferred()};
  if (Record.ProcessorNs == CallRecord::WallOnly)
    return M;
  rusage Use{};
  getrusage(RUSAGE_THREAD, &Use);
  const uint32_t Faults = static_cast<uint32_t>(Use.ru_minflt + Use.ru_majflt) - Record.Faults;
  const bool Preempted = static_cast<uint32_t>(Use.ru_nivcsw) != Record.Preemptions;
  const double Ns = static_cast<double>(M.Ticks) * nsPerTick();
  if (Preempted && !Parallel) {
    double AtMostNs = 2 * ExpectedNs;
    if (Record.ProcessorNs != CallRecord::NoClock) {
      const double AsideNs = static_cast<double>(Begin - Record.Begin) * nsPerTick();
      AtMostNs = std::max(0.0, static_cast<double>(processorNs() - Record.ProcessorNs) - AsideNs);
    }
    M.Ticks = std::min(M.Ticks, static_cast<uint64_t>(AtMostNs / nsPerTick()));
  }
  M.Preempted = Preempted;
  M.Disturbed = Preempted && Parallel && Ns < NoiseNs;
  M.Cold |= Faults * FaultNs > WarmShare * Ns;
  return M;
}

} // namespace specrt
