//===- profiler/observations/row_profile.h - observes classes of sparse rows ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_ROW_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_ROW_PROFILE_H

#include "profiler/observations/observation.h"
#include "profiler/streams/rows_of_loop.h"
#include <vector>

namespace specrt {

/// The classes of rows of each row loop, from an instrumented call. Only the latest call counts,
/// because the classes belong to one matrix.
class RowProfile final : public ObservationOf<RowProfile> {
public:
  static constexpr const char *Name = "row_shapes";
  static constexpr size_t MaxLoops = 16;

  explicit RowProfile(const specrt_region &) {}

  bool isEmpty() const override { return Calls == 0; }
  void clear() override;
  void add(const RowProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// Adds an instrumented call, which counts even without data.
  void addCall(std::vector<RowsOfLoop> Shown);

  /// Returns the row loops, including those without classes; empty: the region has no row loops.
  const std::vector<RowsOfLoop> &loops() const { return Loops; }

private:
  std::vector<RowsOfLoop> Loops;
  uint64_t Calls = 0;
};

} // namespace specrt

#endif
