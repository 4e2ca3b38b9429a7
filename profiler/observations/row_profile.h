//===- profiler/observations/row_profile.h - what rows of sparse data look like ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_ROW_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_ROW_PROFILE_H

#include "profiler/observations/observation.h"
#include "profiler/streams/rows_of_loop.h"
#include <vector>

namespace specrt {

/// Of each row loop, the classes of rows that an instrumented call has shown. The latest call
/// counts: what rows look like belongs to one matrix.
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

  /// One more instrumented call; one that shows nothing counts, too.
  void addCall(std::vector<RowsOfLoop> Shown);

  /// Loops without classes are among them; empty: the region has no row loops.
  const std::vector<RowsOfLoop> &loops() const { return Loops; }

private:
  std::vector<RowsOfLoop> Loops;
  uint64_t Calls = 0;
};

} // namespace specrt

#endif
