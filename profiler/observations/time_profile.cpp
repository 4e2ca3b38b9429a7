//===- profiler/observations/time_profile.cpp - observes the times of calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/time_profile.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

void TimeProfile::record(const SampledCall &Call) {
  if (Call.IsEstimate) {
    EstimatedNs += Call.Nanoseconds;
    return;
  }
  MinNs = Calls ? std::min(MinNs, Call.Nanoseconds) : Call.Nanoseconds;
  TotalNs += Call.Nanoseconds;
  unsigned Log = static_cast<unsigned>(std::bit_width(Call.Nanoseconds | 1)) - 1;
  ++Histogram[std::min(Log, Buckets - 1)];
  ++Calls;
}

void TimeProfile::clear() {
  Calls = TotalNs = MinNs = EstimatedNs = 0;
  Histogram = {};
}

void TimeProfile::add(const TimeProfile &Newer) {
  EstimatedNs += Newer.EstimatedNs;
  if (Newer.Calls == 0)
    return;
  MinNs = Calls ? std::min(MinNs, Newer.MinNs) : Newer.MinNs;
  TotalNs += Newer.TotalNs;
  for (unsigned I = 0; I < Buckets; ++I)
    Histogram[I] += Newer.Histogram[I];
  Calls += Newer.Calls;
}

json TimeProfile::toJson() const {
  size_t Used = Buckets;
  while (Used != 0 && Histogram[Used - 1] == 0)
    --Used;
  json Counts = json::array();
  for (size_t I = 0; I < Used; ++I)
    Counts.push_back(countForJson(Histogram[I]));
  return {{"calls", countForJson(Calls)},
          {"total_ns", countForJson(TotalNs)},
          {"min_ns", countForJson(MinNs)},
          {"estimated_ns", countForJson(EstimatedNs)},
          {"histogram", std::move(Counts)}};
}

void TimeProfile::readJson(JsonReader &In, const json &Json) {
  Calls = In.count(Json, "calls");
  TotalNs = In.count(Json, "total_ns");
  MinNs = In.count(Json, "min_ns");
  EstimatedNs = In.count(Json, "estimated_ns");
  const json &Counts = In.array(Json, "histogram");
  if (In.require(Counts.size() <= Buckets))
    for (size_t I = 0; I < Counts.size(); ++I)
      Histogram[I] = In.count(Counts[I]);
}

} // namespace specrt
