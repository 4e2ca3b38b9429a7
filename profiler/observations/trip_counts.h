//===- profiler/observations/trip_counts.h - observes the trip counts of loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor states the trip counts of a region's loops as polynomials, which are evaluated on
// the arguments of observed calls.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_TRIP_COUNTS_H
#define SPECRT_PROFILER_OBSERVATIONS_TRIP_COUNTS_H

#include "profiler/observations/evaluation_rhythm.h"
#include <vector>

namespace specrt {

/// The trip counts of one loop in calls where they could be computed.
struct LoopProfile {
  uint32_t Line = 0, Depth = 0;
  uint64_t Count = 0; ///< calls
  int64_t Min = 0, Max = 0;
  double Sum = 0;
  int64_t Last = -1; ///< in the last recorded call; -1: unknown

  double mean() const { return Count ? Sum / static_cast<double>(Count) : 0; }
};

/// The number of loops is bounded: regions with more are observed partly.
class TripCounts final : public ObservationOf<TripCounts, SampledObservation> {
public:
  static constexpr const char *Name = "trip_counts";
  static constexpr unsigned MaxLoops = 32;
  /// The limit of trip counts: a larger one belongs to a loop that is never reached, or to
  /// arithmetic that wraps, and counts as unknown.
  static constexpr int64_t MaxTrips = int64_t{1} << 60;

  explicit TripCounts(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override;
  void clear() override;
  void add(const TripCounts &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  const std::vector<LoopProfile> &loops() const { return Loops; }

private:
  void evaluateLoops(const SampledCall &Call);

  std::vector<LoopProfile> Loops;
  EvaluationRhythm Rhythm;
};

} // namespace specrt

#endif
