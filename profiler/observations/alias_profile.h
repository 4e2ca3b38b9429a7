//===- profiler/observations/alias_profile.h - observes which accesses overlap ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor states the bytes that a region accesses as base + [begin, end), with polynomials.
// They are evaluated on the arguments of observed calls, and for each pair of accesses of which one
// writes, the disjoint calls are counted. No pointer is dereferenced: a base that is loaded from
// memory is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_ALIAS_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_ALIAS_PROFILE_H

#include "profiler/observations/evaluation_rhythm.h"
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace specrt {

/// Two pointer arguments, the smaller number first.
using ArgumentPair = std::pair<uint32_t, uint32_t>;

/// Returns the pairs of arguments that are the bases of two observed accesses of which one writes.
std::set<ArgumentPair> comparedArguments(const specrt_region &Region);

/// How often accesses First < Second shared bytes.
struct PairProfile {
  enum Outcome : uint8_t {
    Disjoint,
    Overlapping,
    Unknown,
    Same ///< their bases are two arguments with the same address
  };
  static constexpr unsigned NumOutcomes = 4;
  uint32_t First = 0, Second = 0;        ///< indices into specrt_region::accesses
  std::optional<ArgumentPair> Arguments; ///< their bases; none unless they are two arguments
  uint64_t Counts[NumOutcomes] = {};     ///< [Outcome] number of evaluated calls
  uint64_t Ns[NumOutcomes] = {};         ///< [Outcome] time of these calls
  Outcome Last = Unknown;
};

/// The number of accesses is bounded: regions with more are observed partly.
class AliasProfile final : public ObservationOf<AliasProfile, SampledObservation> {
public:
  static constexpr const char *Name = "aliasing";
  static constexpr unsigned MaxAccesses = 32;
  /// The share of the calls' time from which two accesses count as overlapping. Versions do without
  /// a guard for them then.
  static constexpr double MinOverlapShare = 0.5;
  /// The share of the calls' time from which two arguments count as the same address for plans that
  /// leave values open. All versions of such a plan have a guard for that, so the calls of the
  /// remaining time get no version.
  static constexpr double MinSameShare = 0.95;

  explicit AliasProfile(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override;
  void clear() override;
  void add(const AliasProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  const std::vector<PairProfile> &pairs() const { return Pairs; }

  /// [num_accesses * num_accesses], symmetric: 1 if two accesses overlapped in MinOverlapShare of
  /// the time, 2 if their arguments moreover had the same address in MinSameShare of it. If one
  /// pair of accesses to two arguments has a 2, all observed pairs of these arguments do. Calls are
  /// weighted by their time, so many small ones, such as those for coarse grids of a solver, do not
  /// outweigh a few long ones.
  std::vector<uint8_t> overlapMatrix() const;

  /// Returns the matrix of calls in which the pointers of some pairs are known to be the same, or
  /// not to be.
  std::vector<uint8_t> overlapMatrix(const std::map<ArgumentPair, bool> &AreSame) const;

private:
  /// Bytes relative to a base: unknown unless Known.
  struct Extent {
    int64_t Begin = 0, End = 0;
    bool Known = false;
  };
  void evaluateExtents(const SampledCall &Call);
  PairProfile::Outcome compare(const SampledCall &Call, const PairProfile &Pair) const;

  std::vector<PairProfile> Pairs;
  std::vector<Extent> Extents; ///< for the integers evaluated last
  uint32_t NumAccesses = 0;    ///< of the region, including those beyond MaxAccesses
  EvaluationRhythm Rhythm;
};

} // namespace specrt

#endif
