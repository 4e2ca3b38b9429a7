//===- profiler/observations/alias_profile.h - which accesses overlap -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor states what a region touches as base + [begin, end), as polynomials. They are
// evaluated on the arguments of observed calls, and for each pair of accesses of which one writes
// it is counted how often they were disjoint. Nothing is dereferenced: a base that is loaded from
// memory is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_ALIAS_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_ALIAS_PROFILE_H

#include "profiler/observations/evaluation_rhythm.h"
#include <vector>

namespace specrt {

/// How often accesses First < Second shared bytes.
struct PairProfile {
  enum Outcome : uint8_t {
    Disjoint,
    Overlapping,
    Unknown,
    Same ///< through two arguments that are the same address, as in place
  };
  static constexpr unsigned NumOutcomes = 4;
  uint32_t First = 0, Second = 0;    ///< indices into specrt_region::accesses
  uint64_t Counts[NumOutcomes] = {}; ///< by Outcome, in evaluated calls
  uint64_t Ns[NumOutcomes] = {};     ///< by Outcome, the time of these calls
  Outcome Last = Unknown;
};

/// Bounded: regions with more accesses than the limit are observed partly.
class AliasProfile final : public ObservationOf<AliasProfile, SampledObservation> {
public:
  static constexpr const char *Name = "aliasing";
  static constexpr unsigned MaxAccesses = 32;

  explicit AliasProfile(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override;
  void clear() override;
  void add(const AliasProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  const std::vector<PairProfile> &pairs() const { return Pairs; }

  /// [num_accesses * num_accesses], symmetric: 1 where two accesses overlapped in half of the time
  /// or more, 2 where their arguments were the same address then. Small calls may be many: of a
  /// solver on several grids only the finest one counts.
  std::vector<uint8_t> overlapMatrix() const;

private:
  /// Bytes relative to a base: unknown unless Known.
  struct Extent {
    int64_t Begin = 0, End = 0;
    bool Known = false;
  };
  void evaluateExtents(const SampledCall &Call);
  PairProfile::Outcome compare(const SampledCall &Call, const PairProfile &Pair) const;

  std::vector<PairProfile> Pairs;
  std::vector<Extent> Extents; ///< of the integers evaluated last
  uint32_t NumAccesses = 0;    ///< of the region, also beyond MaxAccesses
  EvaluationRhythm Rhythm;
};

} // namespace specrt

#endif
