//===- profiler/observations/time_profile.h - observes the times of calls -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_TIME_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_TIME_PROFILE_H

#include "profiler/observations/observation.h"
#include <array>

namespace specrt {

/// The times of sampled calls.
class TimeProfile final : public ObservationOf<TimeProfile, SampledObservation> {
public:
  static constexpr const char *Name = "times";
  static constexpr unsigned Buckets = 40;

  explicit TimeProfile(const specrt_region &) {}

  void record(const SampledCall &Call) override;
  bool isEmpty() const override { return Calls == 0 && EstimatedNs == 0; }
  void clear() override;
  void add(const TimeProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override { return sizeof(*this); }

  uint64_t calls() const { return Calls; }
  uint64_t totalNs() const { return TotalNs; }
  /// Returns the time that the original would take for the calls that versions have served.
  uint64_t estimatedNs() const { return EstimatedNs; }
  uint64_t minNs() const { return MinNs; } ///< meaningless without a call
  /// Returns nanoseconds; 0 without calls.
  double meanNs() const {
    return Calls ? static_cast<double>(TotalNs) / static_cast<double>(Calls) : 0;
  }
  /// Returns the histogram. Bucket B counts calls of [2^B, 2^(B+1)) ns; the first also those of 0
  /// ns, the last all longer ones.
  const std::array<uint64_t, Buckets> &histogram() const { return Histogram; }

private:
  uint64_t Calls = 0, TotalNs = 0, MinNs = 0, EstimatedNs = 0;
  std::array<uint64_t, Buckets> Histogram{};
};

} // namespace specrt

#endif
