//===- profiler/observations/trip_counts.cpp - observes the trip counts of loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/trip_counts.h"

#include "guards/polynomial.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

TripCounts::TripCounts(const specrt_region &Region) {
  for (uint32_t L = 0; L < std::min<uint32_t>(Region.num_loops, MaxLoops); ++L) {
    LoopProfile Loop;
    Loop.Line = Region.loops[L].line;
    Loop.Depth = Region.loops[L].depth;
    Loops.push_back(Loop);
  }
}

void TripCounts::evaluateLoops(const SampledCall &Call) {
  const specrt_region &Region = Call.Region;
  for (size_t L = 0; L < Loops.size(); ++L) {
    auto Trips =
        evaluate(Region.loops[L].trip_count, Region.arg_kinds, Region.num_args, Call.Inputs);
    Loops[L].Last = Trips && *Trips <= MaxTrips ? std::max<int64_t>(*Trips, 0) : -1;
  }
}

void TripCounts::record(const SampledCall &Call) {
  EvaluationRhythm::Beat Beat = Rhythm.next(Call);
  if (Beat == EvaluationRhythm::Beat::Skip)
    return;
  if (Beat == EvaluationRhythm::Beat::Evaluate)
    evaluateLoops(Call);
  for (LoopProfile &Loop : Loops) {
    if (Loop.Last < 0)
      continue;
    Loop.Min = Loop.Count ? std::min(Loop.Min, Loop.Last) : Loop.Last;
    Loop.Max = Loop.Count ? std::max(Loop.Max, Loop.Last) : Loop.Last;
    Loop.Sum += static_cast<double>(Loop.Last);
    ++Loop.Count;
  }
}

bool TripCounts::isEmpty() const {
  return std::all_of(Loops.begin(), Loops.end(), [](const LoopProfile &L) { return !L.Count; });
}

void TripCounts::clear() {
  for (LoopProfile &Loop : Loops) {
    Loop.Count = 0;
    Loop.Sum = 0;
  }
  Rhythm = {};
}

void TripCounts::add(const TripCounts &Newer) {
  for (size_t L = 0; L < Loops.size() && L < Newer.Loops.size(); ++L) {
    LoopProfile &Mine = Loops[L];
    const LoopProfile &Theirs = Newer.Loops[L];
    if (Theirs.Count == 0)
      continue;
    Mine.Min = Mine.Count ? std::min(Mine.Min, Theirs.Min) : Theirs.Min;
    Mine.Max = Mine.Count ? std::max(Mine.Max, Theirs.Max) : Theirs.Max;
    Mine.Sum += Theirs.Sum;
    Mine.Count += Theirs.Count;
  }
}

json TripCounts::toJson() const {
  json Out = json::array();
  for (const LoopProfile &L : Loops)
    Out.push_back({{"line", L.Line},
                   {"depth", L.Depth},
                   {"count", countForJson(L.Count)},
                   {"min", L.Min},
                   {"max", L.Max},
                   {"sum", L.Sum}});
  return Out;
}

void TripCounts::readJson(JsonReader &In, const json &Json) {
  if (!In.require(Json.is_array() && Json.size() == Loops.size()))
    return;
  for (size_t I = 0; I < Loops.size(); ++I) {
    LoopProfile &L = Loops[I];
    L.Count = In.count(Json[I], "count");
    L.Min = In.integer(In.member(Json[I], "min"));
    L.Max = In.integer(In.member(Json[I], "max"));
    L.Sum = In.number(Json[I], "sum");
    In.require(0 <= L.Min && L.Min <= L.Max && L.Max <= MaxTrips && L.Sum >= 0);
  }
}

size_t TripCounts::memoryBytes() const {
  return sizeof(*this) + Loops.capacity() * sizeof(LoopProfile);
}

} // namespace specrt
