//===- profiler/observations/input_values.h - observes the values of inputs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a region are its arguments, then its cells: places in memory that shape the nest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_INPUT_VALUES_H
#define SPECRT_PROFILER_OBSERVATIONS_INPUT_VALUES_H

#include "profiler/observations/observation.h"
#include "profiler/observations/value_profile.h"
#include <vector>

namespace specrt {

/// Observes each input separately.
class InputValues final : public ObservationOf<InputValues, SampledObservation> {
public:
  static constexpr const char *Name = "values";

  explicit InputValues(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override { return Profiles.empty() || Profiles.front().calls() == 0; }
  void clear() override;
  void add(const InputValues &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  size_t size() const { return Profiles.size(); }
  const ValueProfile &operator[](size_t Input) const { return Profiles[Input]; }

private:
  std::vector<ValueProfile> Profiles; ///< [num_args + num_cells]
};

} // namespace specrt

#endif
