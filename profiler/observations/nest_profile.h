//===- profiler/observations/nest_profile.h - what is known of a region's loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_NEST_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_NEST_PROFILE_H

#include "profiler/feedback/nest.h"
#include "profiler/observations/observation.h"

namespace specrt {

/// Strides and dependences, from a recorded call or from the compiler's model: for `specrt explain
/// --why`. Nothing is decided by it.
class NestProfile final : public ObservationOf<NestProfile> {
public:
  static constexpr const char *Name = "nest";

  explicit NestProfile(const specrt_region &) {}

  bool isEmpty() const override { return Seen.isEmpty(); }
  void clear() override;
  void add(const NestProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// A recording tells more than a model, and what is newer more than what is older.
  void set(Nest New);
  const Nest &get() const { return Seen; }

private:
  Nest Seen;
};

} // namespace specrt

#endif
