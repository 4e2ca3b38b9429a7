//===- profiler/observations/region_profile.h - what was observed of one region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime creates one RegionProfile for a region that may become hot, outside of any signal
// handler, and feeds it sampled calls. Recording writes into memory that the constructor allocated.
// A call with the same inputs as the one before, the common case, only increments counters.
//
// A profile is a set of observations, one of each kind, of which it knows none. Which of what they
// saw is worth specialising for is the question of plans/plan.h. Of a profile that an earlier run
// stored, an observation may still lie in a file until somebody asks for it.
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

  /// Adds what Newer saw of later calls of a region with the same arguments; returns false and does
  /// nothing when the two do not fit together (other kinds of inputs, accesses or loops). Allocates
  /// only when an observation is deferred.
  bool merge(const RegionProfile &Newer);

  /// Forgets everything observed.
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

  /// The observation of this kind. Reads it first when it is deferred. Valid until the profile is
  /// assigned to.
  template <typename Kind> const Kind &get() const {
    return static_cast<const Kind &>(complete(*slot(Kind::Name)));
  }

  /// Adds what one of this kind saw of later calls.
  template <typename Kind> void add(const Kind &Newer) { complete(*slot(Kind::Name)).merge(Newer); }

  /// Fills an observation that is empty with what is kept elsewhere; leaves it empty where that is
  /// lost. Throws only std::bad_alloc.
  using Loader = std::function<void(Observation &Into)>;
  /// The observation of the kind Name is read when it is asked for, by Load. Nothing for a kind
  /// that is unknown.
  void defer(std::string_view Name, Loader Load);

  /// An object with the observations, by kind, that are not deferred. May throw std::bad_alloc.
  nlohmann::json toJson() const;
  /// Replaces the contents. A kind that Json lacks saw nothing, one that is unknown is ignored.
  /// What is wrong is remembered by In; the contents are unspecified then.
  void readJson(JsonReader &In, const nlohmann::json &Json);

  /// With all that it points to.
  size_t memoryBytes() const;

private:
  /// What observations of two profiles must have in common to be merged.
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
    SampledObservation *Sampled; ///< Seen, if calls concern it
    Loader Rest;                 ///< what was seen before Seen; null: nothing else
  };
  Slot *slot(std::string_view Name) const;
  static Observation &complete(Slot &S);

  const specrt_region *Region;
  RegionShape Shape;
  mutable std::vector<Slot> Slots; ///< in the order of observationKinds()
  std::vector<uint64_t> Last;      ///< values of the inputs in the call recorded last
  uint64_t Sampled = 0, Unsampled = 0;
  bool HasLast = false;
};

} // namespace specrt

#endif
