//===- profiler/observations/arrays/zero_shares.h - observes arrays that are mostly zero ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some words of each array are read after some of the sampled calls. If most words of an array that
// the region reads are zero, a version that skips zeros may pay. Such a version determines by
// itself which elements are zero, and whether they still are. Shares of arrays that the region only
// writes are shown in reports.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_SHARES_H
#define SPECRT_PROFILER_OBSERVATIONS_ARRAYS_ZERO_SHARES_H

#include "profiler/observations/observation.h"
#include <array>
#include <vector>

namespace specrt {

class ZeroShares final : public ObservationOf<ZeroShares, SampledObservation> {
public:
  static constexpr const char *Name = "zeros";
  static constexpr unsigned MaxAccesses = 8;

  /// The words that were inspected in the last counted call.
  struct Share {
    uint32_t Words = 0;
    uint32_t ZeroWords = 0;  ///< 8 bytes
    uint32_t ZeroHalves = 0; ///< 4 bytes; two for each word
  };

  explicit ZeroShares(const specrt_region &Region);

  void record(const SampledCall &Call) override;
  bool isEmpty() const override;
  void clear() override;
  void add(const ZeroShares &Newer);
  nlohmann::json toJson() const override;
  void readJson(JsonReader &In, const nlohmann::json &Json) override;
  size_t memoryBytes() const override;

  const std::vector<Share> &shares() const { return Shares; }
  /// Returns [num_accesses] digits: 1 if the array is read and at least 70 % of the inspected words
  /// are zero. Empty if none is.
  std::vector<uint8_t> mostlyZero() const;

private:
  void look(const SampledCall &Call, uint32_t Access);

  std::vector<Share> Shares; ///< by access, up to MaxAccesses
  std::array<bool, MaxAccesses> IsRead{};
  uint32_t NumAccesses = 0;
  uint64_t Calls = 0;
};

} // namespace specrt

#endif
