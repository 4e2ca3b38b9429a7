//===- runtime/decide/timeline.h - what happened to a region, and when ----===//
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
  FirstCall,    ///< came through the thunk
  Known,        ///< hot in an earlier run: queued at once
  Hot,          ///< ran in the original for SPECRT_HOT
  CompileBegin, ///< for one plan
  CompileEnd,
  CompileDeferred, ///< to the end of the run
  TrialBegin,
  TrialEnd,
  Published,    ///< a version is in use from now on
  VersionEnded, ///< and no longer
  Relearning,   ///< the values moved on: the region is observed again
  HandedOver,   ///< a call that was running in the original
  Instrumented, ///< a call showed what it accesses
  Retired,      ///< runs its original from now on
  Blocked,
};

/// A stable identifier for reports: "compile-begin". Static.
const char *eventName(Event E);

struct TimelineEntry {
  uint64_t Ns; ///< of CLOCK_MONOTONIC
  Event What;
  std::string Text; ///< details for people; may be ""
};

/// "1 plan", "4 plans".
std::string counted(uint64_t Count, const char *Noun);

/// Bounded: of a long life the first and the latest events are kept. The caller synchronizes.
class Timeline {
public:
  static constexpr unsigned Capacity = 64;

  /// Adds an event that happens now, or happened at Ns.
  void add(Event What, std::string Text = "", uint64_t Ns = 0);

  /// In the order of time.
  const std::vector<TimelineEntry> &entries() const { return Entries; }
  /// Events that were dropped from the middle.
  uint64_t numOmitted() const { return Omitted; }

private:
  std::vector<TimelineEntry> Entries;
  uint64_t Omitted = 0;
};

} // namespace specrt

#endif
