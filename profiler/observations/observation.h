//===- profiler/observations/observation.h - the interface of a kind of observation ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An observation is what is known about a region's calls from one point of view: their times, the
// values of their arguments, the overlaps of arrays. A kind is a class in a file of its own. It
// defines how the observations of two runs are joined, how they are written, and how much memory
// they take; the table in kinds.cpp lists all kinds. Profiles and their store do not distinguish
// kinds; a planner gets the kind that it needs (RegionProfile::get).
//
// Each kind decides how it gets its data. Those that use sampled calls are SampledObservations.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_OBSERVATION_H
#define SPECRT_PROFILER_OBSERVATIONS_OBSERVATION_H

#include "specrt/abi.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>

namespace specrt {

class JsonReader;
class SampledObservation;

/// An observation of one region. Not thread-safe.
class Observation {
public:
  virtual ~Observation() = default;

  virtual std::unique_ptr<Observation> clone() const = 0;
  /// Returns whether nothing was observed.
  virtual bool isEmpty() const = 0;
  /// Removes all observations. Does not allocate.
  virtual void clear() = 0;
  /// Adds an observation of later calls, of the same kind and for a region of the same shape. If
  /// there is not enough room, older or rarer data are dropped.
  virtual void merge(const Observation &Newer) = 0;

  /// Returns the form in stored profiles, without data that are meaningless in another process,
  /// such as addresses. The caller stores large ones in files of their own.
  virtual nlohmann::json toJson() const = 0;
  /// Fills an empty observation. In records errors: wrong types, data that do not fit the region,
  /// and contradictions; the contents are unspecified then. Accepts any JSON.
  virtual void readJson(JsonReader &In, const nlohmann::json &Json) = 0;

  /// Returns the bytes of the object and all that it points to. Bounded for any calls.
  virtual size_t memoryBytes() const = 0;

  /// Returns this, or null if the observation does not use sampled calls.
  virtual SampledObservation *sampled() { return nullptr; }

protected:
  Observation() = default;
  Observation(const Observation &) = default;
  Observation &operator=(const Observation &) = default;
};

/// A call as sampled observations receive it.
struct SampledCall {
  const specrt_region &Region;
  const uint64_t *Inputs; ///< packed arguments, then the values of the region's cells
  uint64_t Nanoseconds;
  bool SameInputs;      ///< the same as in the previous recorded call
  bool IntegersChanged; ///< some integer among the inputs differs from that call's
  /// A version ran. Nanoseconds is what the original probably takes.
  bool IsEstimate = false;
};

/// An observation of sampled calls.
class SampledObservation : public Observation {
public:
  /// Records a call. Does not allocate, lock or dereference arguments; async-signal-safe.
  virtual void record(const SampledCall &Call) = 0;

  SampledObservation *sampled() final { return this; }
};

/// The functions that all kinds share. Kind derives from it and has
///
///   static constexpr const char *Name;            in stored profiles, for ever
///   explicit Kind(const specrt_region &Region);   reads Region during the call only
///   void add(const Kind &Newer);                  as Observation::merge
template <typename Kind, typename Base = Observation> class ObservationOf : public Base {
public:
  std::unique_ptr<Observation> clone() const final { return std::make_unique<Kind>(self()); }
  void merge(const Observation &Newer) final {
    static_cast<Kind &>(*this).add(static_cast<const Kind &>(Newer));
  }

private:
  friend Kind;
  ObservationOf() = default;
  const Kind &self() const { return static_cast<const Kind &>(*this); }
};

/// An entry of the table.
struct ObservationKind {
  const char *Name;
  std::unique_ptr<Observation> (*create)(const specrt_region &Region);
};

/// Returns all kinds, in the order in which sampled calls are recorded.
std::span<const ObservationKind> observationKinds();

} // namespace specrt

#endif
