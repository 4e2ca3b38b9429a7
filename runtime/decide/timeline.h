//===- runtime/decide/timeline.h - records the events of a region ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region's life has few events: hot, compiled, tried, published, retired. They are recorded where
// the worker changes the region, under the registry's mutex, and shown in reports.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_TIMELINE_H
#define SPECRT_RUNTIME_DECIDE_TIMELINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace specrt {

enum class Event : uint8_t {
  FirstCall,    ///< the first call through the thunk
  Known,        ///< hot in an earlier run: queued immediately
  Hot,          ///< ran in the original for SPECRT_HOT
  CompileBegin, ///< for one plan
  CompileEnd,
  CompileDeferred, ///< to the end of the run
  TrialBegin,
  TrialEnd,
  Published,    ///< a version is in use from now on
  VersionEnded, ///< a version is not in use any more
  Relearning,   ///< the values changed: the region is observed again
  HandedOver,   ///< a version took over a call that was running in the original
  Instrumented, ///< a call recorded its accesses
  Retired,      ///< runs its original from now on
  Blocked,
};

/// Returns a stable identifier for reports, for example "compile-begin". Static.
const char *eventName(Event E);

struct TimelineEntry {
  uint64_t Ns; ///< of CLOCK_MONOTONIC
  Event What;
  std::string Text; ///< details for people; may be ""
};

/// Returns for example "1 plan" or "4 plans".
std::string counted(uint64_t Count, const char *Noun);

/// The events of a region. If there are too many, the first and the latest are kept. Not
/// thread-safe.
class Timeline {
public:
  /// The limit of events, more than most regions have.
  static constexpr unsigned Capacity = 64;

  /// Adds an event that happens now, or happened at Ns.
  void add(Event What, std::string Text = "", uint64_t Ns = 0);

  /// Returns the events in the order of time.
  const std::vector<TimelineEntry> &entries() const { return Entries; }
  /// Returns the number of events that were dropped from the middle.
  uint64_t numOmitted() const { return Omitted; }

private:
  std::vector<TimelineEntry> Entries;
  uint64_t Omitted = 0;
};

} // namespace specrt

#endif
