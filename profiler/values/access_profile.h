//===- profiler/values/access_profile.h - overlaps and trip counts --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor states what a region touches as base + [begin, end) and how often its loops run,
// both as polynomials. This profile evaluates them on the arguments of observed calls and counts,
// for each pair of accesses of which one writes, how often they were disjoint; and for each loop
// its trip counts. It never dereferences: a base that is loaded from memory is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_VALUES_ACCESS_PROFILE_H
#define SPECRT_PROFILER_VALUES_ACCESS_PROFILE_H

#include "specrt/abi.h"
#include <cstdint>
#include <vector>

namespace specrt {

/// How often accesses First < Second shared bytes.
struct PairProfile {
  enum Outcome : uint8_t { Disjoint, Overlapping, Unknown };
  uint32_t First = 0, Second = 0; ///< indices into specrt_region::accesses
  uint64_t Counts[3] = {};        ///< by Outcome, in evaluated calls
  Outcome Last = Unknown;
};

/// Trip counts of one loop over the calls where they could be computed.
struct LoopProfile {
  uint32_t Line = 0, Depth = 0;
  uint64_t Count = 0; ///< calls
  int64_t Min = 0, Max = 0;
  double Sum = 0;
  int64_t Last = -1; ///< of the call recorded last; -1: unknown

  double mean() const { return Count ? Sum / static_cast<double>(Count) : 0; }
};

/// Bounded: regions with more accesses or loops than the limits are observed partly.
class AccessProfile {
public:
  static constexpr unsigned MaxAccesses = 32;
  static constexpr unsigned MaxLoops = 32;
  /// After so many evaluations with changing arguments only every SparsePeriod-th is evaluated.
  static constexpr uint64_t DenseEvaluations = 256;
  static constexpr uint64_t SparsePeriod = 8;
  /// No loop runs more often: such a count is that of a loop that is never reached, or of
  /// arithmetic that wraps, and counts as unknown.
  static constexpr int64_t MaxTrips = int64_t{1} << 60;

  explicit AccessProfile(const specrt_region &Region);

  /// Observes one call. IntegersChanged: some integer argument differs from the call before.
  /// Async-signal-safe.
  void record(const specrt_region &Region, const uint64_t *Packed, bool IntegersChanged);

  /// Observes one more call with the arguments recorded last. Async-signal-safe.
  void repeat();

  /// Forgets everything observed.
  void clear();

  /// Adds what Other saw of the same region.
  void merge(const AccessProfile &Other);

  const std::vector<PairProfile> &pairs() const { return Pairs; }
  const std::vector<LoopProfile> &loops() const { return Loops; }
  uint32_t numAccesses() const { return NumAccesses; }

  /// [numAccesses * numAccesses], symmetric: 1 where two accesses were seen to overlap.
  std::vector<uint8_t> overlapMatrix() const;

private:
  friend class ProfileReader;
  friend class ProfileWriter;
  /// Bytes relative to a base: unknown unless Known.
  struct Extent {
    int64_t Begin = 0, End = 0;
    bool Known = false;
  };
  void evaluateExtents(const specrt_region &Region, const uint64_t *Packed);
  void evaluateLoops(const specrt_region &Region, const uint64_t *Packed);
  PairProfile::Outcome compare(const specrt_region &Region, const uint64_t *Packed, uint32_t A,
                               uint32_t B) const;

  std::vector<PairProfile> Pairs;
  std::vector<LoopProfile> Loops;
  std::vector<Extent> Extents; ///< of the integers evaluated last
  uint32_t NumAccesses = 0;    ///< of the region, also beyond MaxAccesses
  uint64_t Evaluations = 0;
  bool Stale = true;      ///< Extents and Loops' Last do not belong to the arguments seen last
  bool Evaluated = false; ///< the call recorded last was evaluated
};

} // namespace specrt

#endif
