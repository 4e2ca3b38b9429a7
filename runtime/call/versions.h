//===- runtime/call/versions.h - published versions and their reclamation -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A published version is reached in two ways: through its entry (machine code that checks the
// guards; the slot points at the first, each entry's state.next at the next, the last at the
// original) and, on sampled calls, through the list RegionState::Versions. A Version object and
// its entry live until the process ends, because a thread may be anywhere inside them; they are
// small. Bodies are large and can be released: when state.body is null, no shard counts a thread
// inside, and all read sections have ended.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_VERSIONS_H
#define SPECRT_RUNTIME_CALL_VERSIONS_H

#include "runtime/base/expenses.h"
#include "runtime/call/trial.h"
#include "runtime/record/instrumented_call.h"
#include "specrt/jit_api.h"
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A body that is published, or was.
struct Version : CompiledBody {
  Version() = default;
  explicit Version(CompiledBody B) : CompiledBody(std::move(B)) {}

  specrt_version_state OwnState{};
  specrt_version_state *State = &OwnState; ///< that of Stored's object when the entry lies there
  std::atomic<Version *> Next{nullptr};
  Assumptions Assumed;
  void *Entry = nullptr;
  bool ExactInside = false;
  bool Varying = false;     ///< calls differ in size: only times by their work can be compared
  double BaselineNs = 0;    ///< what it was measured against
  double BodyNs = 0;        ///< what was measured
  std::string EndReason;    ///< why it was taken out; "" while it is in use
  double SavedAtReview = 0; ///< savedNs() when the region was settled last

  // Calls that came to the thunk without having passed the entries.
  std::atomic<uint64_t> ThunkHits{0}, ThunkMisses{0};
  std::atomic<uint64_t> SamplesSeen{0}; ///< of State->sampled, by the thunk
  /// Misses that its entry had counted when it became the last of the chain, which it still is.
  static constexpr uint64_t NotLast = ~uint64_t{0};
  uint64_t MissesBeforeLast = NotLast;
  uint64_t MissesWhileLast = 0; ///< before it became the last this time

  // Sampled times since publication, guarded by the region's Lock.
  static constexpr uint32_t Window = 8;
  /// The last times of something.
  struct LastTicks {
    std::array<uint64_t, Window> Ticks{};
    uint32_t Total = 0; ///< ever
    uint32_t New = 0;   ///< since the last comparison

    void add(uint64_t Time) {
      Ticks[Total++ % Window] = Time;
      ++New;
    }
    uint64_t median() const; ///< 0 without times
  };
  LastTicks BodyTimes, BaselineTimes;
  /// Their medians, once there are enough of them; until then 0.
  std::atomic<double> MeasuredBaselineNs{0}, MeasuredBodyNs{0};
  /// Comparisons lost in a row. One may be due to something else that ran on the machine.
  static constexpr uint32_t LostWindowsToRetire = 3;
  uint32_t LostWindows = 0;
  // What its hits have gained over the original, each by the times that were known then: a machine
  // that is busy for a moment says nothing about the calls before.
  std::atomic<double> CountedNs{0};
  std::atomic<uint64_t> HitsCounted{0};
  double MostCountedNs = 0; ///< ever
  std::atomic<uint32_t> SampledHits{0};
  /// Every n-th sampled hit runs the original to compare; 0: only when the body became slow.
  uint32_t BaselinePeriod = 0;
  /// Measured in an earlier run: some calls of this run compare again.
  bool IsProven = false;
  // Compared in place, see pace.h; under the registry's mutex.
  bool IsCompared = false; ///< in this run
  double PaceGain = 0;     ///< so many times as often did calls come with it; 0: unknown
  uint32_t SlowerRuns = 0; ///< the last ones, in which they came less often
  std::atomic<bool> Suspicious{false};
  std::atomic<bool> Losing{false};
  /// A step waits for the region to be called again.
  std::atomic<bool> ReportsFurtherCalls{false};

  /// What this run measured, or what the version was published with: per call, 0: unknown. The
  /// original that is compared with calls on several threads finds its data in other processors'
  /// caches, where without the version it would not be: there, the smaller of both.
  double baselineNs() const;
  double bodyNs() const;
  /// What this run measured even so, or what the version was published with.
  double latestBaselineNs() const;
  /// Did an earlier run measure what these say, and this one did not? Then machine and load may
  /// have been others.
  bool isBaselineEarlier() const { return IsProven && MeasuredBaselineNs == 0; }
  bool isBodyEarlier() const { return IsProven && MeasuredBodyNs == 0; }
  /// So many times faster than the original; 0: unknown.
  double gain() const;
  /// What its calls took less than the original would have, so far; negative: more.
  double savedNs() const;
  /// Brings CountedNs up to date. Caller holds the region's Lock.
  void countSaved();

  /// Adds what \p Earlier counted, the same version before its image was unloaded. No call may come
  /// to either of them any more.
  void absorb(const Version &Earlier);

  void *body() const { return __atomic_load_n(&State->body, __ATOMIC_ACQUIRE); }
  uint64_t hits() const;   ///< calls whose guards held
  uint64_t misses() const; ///< calls whose guards it checked, and that did not hold
  /// Calls for which its entry, as the last of the chain, chose the original.
  uint64_t finalMisses() const;
  /// Calls that the entry served alone, or as the last sent on, without the thunk.
  uint64_t callsPastThunk() const;
  bool anyInside() const;
};

/// May the program be slower with V than what its calls show? Then it is compared in place.
bool isInDoubt(const Version &V);

/// Does the sampled hit of this number run the original, to compare?
bool comparesAgain(const Version &V, uint32_t Turn);

/// Chooses sampling for a version whose body takes BodyNs.
void planObservation(Version &V, double BodyNs);

/// The first version whose guards hold, or nulls.
struct FoundVersion {
  Version *V = nullptr;
  void *Body = nullptr;
  uint64_t Price = 0; ///< what its guards cost this call, in ticks
};

struct Lookup {
  bool IsTimed = false;   ///< the price is wanted, which takes two clocks
  bool IsCounted = false; ///< the call's way goes into the figures: no entry has counted it
};

/// Caller is in a read section; async-signal-safe.
FoundVersion findVersion(RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                         Lookup How);

/// Did an entry, which has counted it, send this call to be observed? To be asked once per call;
/// threads that come at the same time may get each other's answer. Async-signal-safe.
bool takeSample(const RegionState &S);

/// Adds the sampled time of a body or of the original; where calls differ in size, the time for
/// some fixed amount of work. Caller holds the region's Lock. Returns true when the version has
/// just turned out not to pay any more.
bool addVersionSample(Version &V, bool Baseline, uint64_t Ticks);

/// Returns the function that the last entry calls when its guards do not hold: the original, or,
/// where that is the nest in place, a function that returns SPECRT_UNDONE.
void *behindVersions(const specrt_region &R);

/// Puts V into the list and the chain of entries, right behind the last one that gains more, so
/// that of the versions that a call meets the best one takes it; in front when its gain is not
/// known. The slot is not touched. Worker only.
void linkVersion(RegionState &S, Version &V, const specrt_region &Live);

/// Takes V out of list and chain: no new call will run its body. Worker only; the slot must not
/// point at V's entry alone, see slotTarget.
void unlinkVersion(RegionState &S, Version &V);

/// Returns the value for the slot of a region without open questions: the first version's entry, or
/// InPlace where there is no version.
void *slotTarget(const RegionState &S);

/// Frees trials and bodies once nobody can be inside. Worker only. What add... throws for, which is
/// lack of memory only, stays with the caller.
class Reclaimer {
public:
  void addTrial(RegionState &S, std::unique_ptr<Trial> &&T);
  /// With its version.
  void addInstrumented(RegionState &S, std::unique_ptr<InstrumentedCall> &&Call);
  /// Of a candidate that was never published, or of a version whose image is gone: others keep
  /// their object for ever.
  void addStored(RegionState &S, std::shared_ptr<LoadedVersion> &&Stored);
  /// Whose image is gone, and whose figures another one has absorbed.
  void addVersion(RegionState &S, std::unique_ptr<Version> &&V);

  /// Frees what can be freed. True while something is left.
  bool poll();

private:
  struct Item {
    RegionState *State = nullptr;
    std::unique_ptr<Trial> OwnedTrial;
    std::unique_ptr<InstrumentedCall> OwnedCall;
    std::shared_ptr<LoadedVersion> Stored;
    std::unique_ptr<Version> OwnedVersion;
    bool Drained[2] = {false, false};
  };
  Item &add(RegionState &S);
  bool drained(Item &I);

  std::vector<Item> Items;
};

} // namespace specrt

#endif
