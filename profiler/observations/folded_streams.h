//===- profiler/observations/folded_streams.h - the data of instrumented calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each access: the addresses of a load or store, and the integers and pointers that it reads,
// if they decide about addresses or branches.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_FOLDED_STREAMS_H
#define SPECRT_PROFILER_OBSERVATIONS_FOLDED_STREAMS_H

#include "profiler/feedback/nest.h"
#include "profiler/observations/observation.h"
#include "profiler/streams/access_stream.h"
#include <vector>

namespace specrt {

class FoldedStreams final : public ObservationOf<FoldedStreams> {
public:
  static constexpr const char *Name = "folded_streams";
  static constexpr size_t MaxAccesses = SPECRT_MAX_RECORDED_ACCESSES;

  explicit FoldedStreams(const specrt_region &Region);

  bool isEmpty() const override { return Calls == 0; }
  void clear() override;
  void add(const FoldedStreams &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// Adds an instrumented call, which counts even without data.
  void addCall(CallStreams Shown);

  uint64_t calls() const { return Calls; }
  /// Returns the latest call, with what earlier ones had in common with it.
  const CallStreams &latest() const { return Latest; }

  /// Returns the values that loads can be assumed to read in calls with the integer arguments of
  /// the latest one: those with pieces that did not change from call to call.
  std::vector<Sequence> sequences() const;

private:
  std::vector<uint8_t> Kinds; ///< enum specrt_kind of the arguments
  CallStreams Latest;
  uint64_t Calls = 0;
};

/// Strides and dependences, from a recorded call or from the compiler's model, for `specrt explain
/// --why`. No decision uses them.
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

  /// Replaces the nest: a recording replaces a model, and a newer one an older one.
  void set(Nest New);
  const Nest &get() const { return Seen; }

private:
  Nest Seen;
};

} // namespace specrt

#endif
