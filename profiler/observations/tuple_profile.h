//===- profiler/observations/tuple_profile.h - observes recurring tuples of inputs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of single inputs do not tell whether n == 1000 and m == 1100 occur together. This table
// counts whole tuples of the inputs that are not pointers (addresses change from run to run), by
// Space-Saving as in value_profile.h, with the time spent in each. Of pointers a tuple contains
// which of them are the same: a transform in place is another call than one that copies.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_TUPLE_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_TUPLE_PROFILE_H

#include "profiler/observations/alias_profile.h"
#include <array>
#include <vector>

namespace specrt {

/// One tuple's statistics: it occurred between Count - Error and Count times. Times cover the calls
/// since the entry was taken over: Count - Error of them.
struct TupleCount {
  uint64_t Count = 0; ///< 0: the entry is free
  uint64_t Error = 0;
  uint64_t TotalNs = 0;
  uint64_t MinNs = 0;
};

class TupleProfile final : public ObservationOf<TupleProfile, SampledObservation> {
public:
  static constexpr const char *Name = "tuples";
  static constexpr unsigned Capacity = 16;

  explicit TupleProfile(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override;
  void clear() override;
  void add(const TupleProfile &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  /// Returns the numbers of the inputs that form the tuple, ascending.
  const std::vector<uint32_t> &inputs() const { return Inputs; }
  /// Returns the table, unordered; free entries have Count 0.
  const std::array<TupleCount, Capacity> &entries() const { return Entries; }
  /// Returns the packed values of entry I, in the order of inputs().
  const uint64_t *values(unsigned I) const { return Values.data() + I * Inputs.size(); }

  static constexpr unsigned MaxPairs = 32;
  /// Returns the pointer arguments that are compared: those of accesses of which one writes.
  const std::vector<ArgumentPair> &pairs() const { return Pairs; }
  /// Returns whether the pointers of pair P are the same in entry I.
  bool areSame(unsigned I, size_t P) const { return Same[I] >> P & 1; }

private:
  uint32_t samePairs(const uint64_t *Packed) const;
  void recordOther(const uint64_t *Packed, uint32_t SamePairs, uint64_t Nanoseconds);
  void repeat(uint64_t Nanoseconds);
  bool matches(unsigned I, const uint64_t *Packed) const;

  std::vector<uint32_t> Inputs;
  std::vector<uint8_t> Kinds; ///< enum specrt_kind, in the order of Inputs
  std::array<TupleCount, Capacity> Entries{};
  std::array<uint64_t, Capacity> Hashes{};
  std::vector<ArgumentPair> Pairs;
  std::array<uint32_t, Capacity> Same{}; ///< a bit for each of Pairs
  std::vector<uint64_t> Values;          ///< [Capacity * Inputs.size()]
  unsigned Last = 0;
};

} // namespace specrt

#endif
