//===- profiler/observations/folded_streams.h - what an instrumented call showed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By access: which addresses a load or store has, and what the integers and pointers are that it
// reads, as far as they decide about addresses or branches.
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

  /// One more instrumented call; one that shows nothing counts, too.
  void addCall(CallStreams Shown);

  uint64_t calls() const { return Calls; }
  /// The latest call, with what earlier ones had in common with it.
  const CallStreams &latest() const { return Latest; }

  /// What loads may be taken to read in calls with the integer arguments of the latest one: such as
  /// have pieces and did not change from call to call.
  std::vector<Sequence> sequences() const;

private:
  std::vector<uint8_t> Kinds; ///< enum specrt_kind of the arguments
  CallStreams Latest;
  uint64_t Calls = 0;
};

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
