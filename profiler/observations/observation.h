//===- profiler/observations/observation.h - what one kind of observation brings with it ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An observation is what is known of a region's calls from one point of view: their times, the
// values of their arguments, which arrays overlapped. A kind is a class in a file of its own. It
// says how what two runs saw is joined, how it is written, and how much memory it takes; the table
// in kinds.cpp names them all. Profiles and their store know no kind; who plans asks for the one
// that it needs (RegionProfile::get).
//
// How an observation comes to know something is its own matter. Those that look at sampled calls
// are SampledObservations.
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

/// Of one region. Not thread-safe.
class Observation {
public:
  virtual ~Observation() = default;

  virtual std::unique_ptr<Observation> clone() const = 0;
  /// Was nothing observed?
  virtual bool isEmpty() const = 0;
  /// Forgets everything observed. Does not allocate.
  virtual void clear() = 0;
  /// Adds what one of the same kind and for a region of the same shape saw of later calls. What has
  /// no room then is older or rarer than what has.
  virtual void merge(const Observation &Newer) = 0;

  /// For stored profiles. What is not known in another process, such as addresses, is left out.
  /// Large ones are kept in files of their own: that is not the kind's business.
  virtual nlohmann::json toJson() const = 0;
  /// Fills one that is empty. In remembers what has the wrong type, does not fit the region or
  /// contradicts itself; the contents are unspecified then. Trusts nothing.
  virtual void readJson(JsonReader &In, const nlohmann::json &Json) = 0;

  /// With all that it points to. Bounded, whatever calls do.
  virtual size_t memoryBytes() const = 0;

  /// Itself, or null when sampled calls do not concern it.
  virtual SampledObservation *sampled() { return nullptr; }

protected:
  Observation() = default;
  Observation(const Observation &) = default;
  Observation &operator=(const Observation &) = default;
};

/// A call as sampled observations see it.
struct SampledCall {
  const specrt_region &Region;
  const uint64_t *Inputs; ///< packed arguments, then what the region's cells held
  uint64_t Nanoseconds;
  bool SameInputs;      ///< as in the call recorded before
  bool IntegersChanged; ///< some integer among the inputs differs from that call's
};

/// Learns from the calls that are sampled anyway.
class SampledObservation : public Observation {
public:
  /// No allocation, no lock, no dereference of arguments; async-signal-safe.
  virtual void record(const SampledCall &Call) = 0;

  SampledObservation *sampled() final { return this; }
};

/// What every kind does in the same way. Kind derives from it and has
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

/// All kinds, in the order in which sampled calls meet them.
std::span<const ObservationKind> observationKinds();

} // namespace specrt

#endif
