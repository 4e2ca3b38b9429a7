//===- runtime/decide/timeline.cpp - records the events of a region -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/timeline.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <utility>

namespace specrt {

const char *eventName(Event E) {
  switch (E) {
  case Event::FirstCall:
    return "first-call";
  case Event::Known:
    return "known";
  case Event::Hot:
    return "hot";
  case Event::CompileBegin:
    return "compile-begin";
  case Event::CompileEnd:
    return "compile-end";
  case Event::CompileDeferred:
    return "compile-deferred";
  case Event::TrialBegin:
    return "trial-begin";
  case Event::TrialEnd:
    return "trial-end";
  case Event::Published:
    return "published";
  case Event::VersionEnded:
    return "version-ended";
  case Event::Relearning:
    return "relearning";
  case Event::HandedOver:
    return "handed-over";
  case Event::Instrumented:
    return "instrumented";
  case Event::Retired:
    return "retired";
  case Event::Blocked:
    return "blocked";
  }
  return "";
}

std::string counted(uint64_t Count, const char *Noun) {
  return std::to_string(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

void Timeline::add(Event What, std::string Text, uint64_t Ns) {
  if (Entries.size() == Capacity) {
    Entries.erase(Entries.begin() + Capacity / 2);
    ++Omitted;
  }
  TimelineEntry Entry{Ns ? Ns : monotonicNs(), What, std::move(Text)};
  auto Place =
      std::upper_bound(Entries.begin(), Entries.end(), Entry.Ns,
                       [](uint64_t At, const TimelineEntry &Other) { return At < Other.Ns; });
  Entries.insert(Place, std::move(Entry));
}

} // namespace specrt
