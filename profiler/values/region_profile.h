//===- profiler/values/region_profile.h - what was observed of one region -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime creates one RegionProfile for a region that may become hot, outside of any signal
// handler, and feeds it sampled calls. Everything has a fixed size: recording writes into memory
// that the constructor allocated. A call with the same arguments as the one before, the common
// case, only increments counters.
//
// Values, tuples and times are kept; which of them are worth specialising for is plan.h's question.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_VALUES_REGION_PROFILE_H
#define SPECRT_PROFILER_VALUES_REGION_PROFILE_H

#include "profiler/values/access_profile.h"
#include "profiler/values/cell_values.h"
#include "profiler/values/tuple_profile.h"
#include "profiler/values/value_profile.h"
#include "specrt/abi.h"
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace specrt {

/// Time per sampled call.
struct TimeProfile {
  /// Bucket B counts calls of [2^B, 2^(B+1)) ns; the first also 0 ns, the last everything above.
  static constexpr unsigned Buckets = 40;
  uint64_t TotalNs = 0;
  uint64_t MinNs = 0; ///< meaningless without a sample
  std::array<uint64_t, Buckets> Histogram{};
};

/// Not thread-safe: the caller holds the region's lock for every member function, and copies the
/// profile under it to read it at leisure. A copy is independent of the region unless it records.
class RegionProfile {
public:
  /// Allocates; may throw std::bad_alloc. Region must outlive every later record(), nothing else.
  explicit RegionProfile(const specrt_region &Region);

  /// One sampled call: Packed holds num_args packed arguments, Nanoseconds its duration, Cells what
  /// the region's cells held. O(number of arguments, accesses and pairs); no allocation, no lock,
  /// no dereference of arguments; async-signal-safe. Throws nothing, but is not noexcept: a thread
  /// may be cancelled within, and unwinding ends the process at such functions.
  void record(const uint64_t *Packed, uint64_t Nanoseconds, const CellValues &Cells = {});

  /// Calls that happened without a sample.
  void addUnsampledCalls(uint64_t Count) noexcept { Unsampled += Count; }

  /// Adds what Other saw of a region with the same arguments; returns false and does nothing when
  /// the two do not fit together (other argument kinds, accesses or loops). Does not allocate.
  bool merge(const RegionProfile &Other) noexcept;

  /// Forgets everything observed.
  void clear() noexcept;

  uint64_t calls() const { return Sampled + Unsampled; }
  uint64_t sampledCalls() const { return Sampled; }
  const TimeProfile &times() const { return Times; }
  /// Mean of the sampled calls in nanoseconds; 0 without samples.
  double meanNs() const {
    return Sampled ? static_cast<double>(Times.TotalNs) / static_cast<double>(Sampled) : 0;
  }
  /// What values are recorded of: the arguments of a call, then the region's cells.
  /// [num_args + num_cells] enum specrt_kind
  const std::vector<uint8_t> &inputKinds() const { return Kinds; }
  /// [num_args] enum specrt_kind
  std::span<const uint8_t> argKinds() const { return std::span(Kinds).first(NumArgs); }
  /// [num_args + num_cells]
  const std::vector<ValueProfile> &inputs() const { return Inputs; }
  const TupleProfile &tuples() const { return Tuples; }
  const AccessProfile &accesses() const { return Accesses; }

private:
  friend class ProfileReader;
  friend class ProfileWriter;
  void recordTime(uint64_t Nanoseconds);

  const specrt_region *Region;
  std::vector<uint8_t> Kinds;
  size_t NumArgs;
  std::vector<ValueProfile> Inputs;
  TupleProfile Tuples;
  AccessProfile Accesses;
  TimeProfile Times;
  std::vector<uint64_t> Last; ///< values of the inputs in the call recorded last
  uint64_t Sampled = 0, Unsampled = 0;
  bool HasLast = false;
};

} // namespace specrt

#endif
