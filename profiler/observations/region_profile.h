//===- profiler/observations/region_profile.h - all observations of one region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime creates one RegionProfile for a region that may become hot, outside of any signal
// handler, and feeds it sampled calls. Recording writes into memory that the constructor allocated.
// A call with the same inputs as the one before, the common case, only increments counters.
//
// A profile is a set of observations, one of each kind, which it does not distinguish. plans/plan.h
// decides what is worth specialising for. An observation of a stored profile may be read from its
// file only when it is needed.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_REGION_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_REGION_PROFILE_H

#include "profiler/observations/cell_values.h"
#include "profiler/observations/observation.h"
#include "specrt/abi.h"
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace specrt {

/// Not thread-safe: the caller holds the region's lock for every member function, and copies the
/// profile under it for longer use. A copy is independent of the region unless it records.
class RegionProfile {
public:
  /// Allocates; may throw std::bad_alloc. Region must outlive every later record(), but no other
  /// call.
  explicit RegionProfile(const specrt_region &Region);

  /// Records a sampled call: Packed contains num_args packed arguments, Nanoseconds is its duration
  /// in the original, estimated if \p IsEstimate, Cells contains the values of the region's cells.
  /// O(number of arguments, accesses and pairs). Does not allocate, lock or dereference arguments;
  /// async-signal-safe. Throws nothing, but is not noexcept: a thread may be cancelled within, and
  /// unwinding ends the process at noexcept functions.
  void record(const uint64_t *Packed, uint64_t Nanoseconds, const CellValues &Cells = {},
              bool IsEstimate = false);

  /// Counts calls without a sample.
  void addUnsampledCalls(uint64_t Count) noexcept { Unsampled += Count; }

  /// Adds Newer's observations of later calls of a region with the same arguments. Returns false
  /// without effect when the two do not fit together (other kinds of inputs, accesses or loops).
  /// Allocates only when an observation is deferred.
  bool merge(const RegionProfile &Newer);

  /// Removes all observations.
  void clear() noexcept;

  uint64_t calls() const { return Sampled + Unsampled; }
  uint64_t sampledCalls() const { return Sampled; }
  /// [num_args + num_cells] enum specrt_kind
  const std::vector<uint8_t> &inputKinds() const { return Shape.InputKinds; }
  uint32_t numAccesses() const { return Shape.NumAccesses; }
  /// [num_args] enum specrt_kind
  std::span<const uint8_t> argKinds() const {
    return std::span(Shape.InputKinds).first(Shape.NumArgs);
  }

  /// Returns the observation of this kind. Reads it first if it is deferred. Valid until the
  /// profile is assigned to.
  template <typename Kind> const Kind &get() const {
    return static_cast<const Kind &>(complete(*slot(Kind::Name)));
  }

  /// Adds an observation of later calls.
  template <typename Kind> void add(const Kind &Newer) { complete(*slot(Kind::Name)).merge(Newer); }

  /// Fills an empty observation with data that are stored elsewhere; leaves it empty if these are
  /// lost. Throws only std::bad_alloc.
  using Loader = std::function<void(Observation &Into)>;
  /// Makes Load read the observation of the kind Name when it is needed. Has no effect for an
  /// unknown kind.
  void defer(std::string_view Name, Loader Load);

  /// Returns an object with the observations, by kind, that are not deferred. May throw
  /// std::bad_alloc.
  nlohmann::json toJson() const;
  /// Replaces the contents. Kinds that Json lacks are empty; unknown kinds are ignored. In records
  /// errors; the contents are unspecified then.
  void readJson(JsonReader &In, const nlohmann::json &Json);

  /// Returns the bytes of the object and all that it points to.
  size_t memoryBytes() const;

private:
  /// The properties that two profiles must have in common to be merged.
  struct RegionShape {
    std::vector<uint8_t> InputKinds;
    size_t NumArgs;
    uint32_t NumAccesses, NumLoops;
    bool operator==(const RegionShape &) const = default;
  };
  struct Slot {
    explicit Slot(const ObservationKind &Kind, const specrt_region &Region);
    Slot(const Slot &Other);
    Slot(Slot &&) noexcept = default;
    Slot &operator=(Slot Other) noexcept;
    ~Slot() = default;

    const char *Name;
    std::unique_ptr<Observation> Seen;
    SampledObservation *Sampled; ///< Seen, if it uses sampled calls
    Loader Rest;                 ///< loads earlier observations; null: there are none
  };
  Slot *slot(std::string_view Name) const;
  static Observation &complete(Slot &S);

  const specrt_region *Region;
  RegionShape Shape;
  mutable std::vector<Slot> Slots; ///< in the order of observationKinds()
  std::vector<uint64_t> Last;      ///< values of the inputs in the last recorded call
  uint64_t Sampled = 0, Unsampled = 0;
  bool HasLast = false;
};

} // namespace specrt

#endif
