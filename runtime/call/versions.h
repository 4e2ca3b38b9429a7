//===- runtime/call/versions.h - published versions and their reclamation -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A published version is reached in two ways: through its entry (machine code that checks the
// guards; the slot points at the first, each entry's state.next at the next, the last at the
// original) and, on sampled calls, through the list RegionState::Versions. A Version object and its
// entry live until the process ends, because a thread may be anywhere inside them; they are small.
// Bodies are large and can be released once state.body is null, no shard counts a thread inside,
// and all read sections have ended.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_VERSIONS_H
#define SPECRT_RUNTIME_CALL_VERSIONS_H

#include "runtime/base/policy/ledger.h"
#include "runtime/call/trial.h"
#include "runtime/record/instrumented_call.h"
#include "specrt/jit_api.h"
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A body that is or was published.
struct Version : CompiledBody {
  Version() = default;
  explicit Version(CompiledBody B) : CompiledBody(std::move(B)) {}

  specrt_version_state OwnState{};
  /// the state in Stored's object if that contains the entry
  specrt_version_state *State = &OwnState;
  std::atomic<Version *> Next{nullptr};
  Assumptions Assumed;
  void *Entry = nullptr;
  bool ExactInside = false;
  bool Varying = false; ///< calls differ in size, so only times scaled by their work are comparable
  double BaselineNs = 0;    ///< time of the original per call, as the trial measured it
  double BodyNs = 0;        ///< time of the body per call, as the trial measured it
  std::string EndReason;    ///< why it was retired; "" while it is in use
  double SavedAtReview = 0; ///< savedNs() when the region was last settled
  /// The time of inspecting rows on trial, for which the region's ledger has paid.
  double WalkedOnTrialNs = 0;

  // Counters of calls that came to the thunk without having passed the entries.
  std::atomic<uint64_t> ThunkHits{0}, ThunkMisses{0};
  std::atomic<uint64_t> SamplesSeen{0}; ///< State->sampled, as counted by the thunk
  /// The misses that its entry had counted when it became the last of the chain; NotLast if it is
  /// not the last.
  static constexpr uint64_t NotLast = ~uint64_t{0};
  uint64_t MissesBeforeLast = NotLast;
  uint64_t MissesWhileLast = 0; ///< misses during earlier times as the last of the chain

  // Sampled times since publication, guarded by the region's Lock.
  static constexpr uint32_t Window = 8;
  /// The last measured times.
  struct LastTicks {
    std::array<uint64_t, Window> Ticks{};
    uint32_t Total = 0; ///< number of all times
    uint32_t New = 0;   ///< number of times since the last comparison

    void add(uint64_t Time) {
      Ticks[Total++ % Window] = Time;
      ++New;
    }
    uint64_t median() const; ///< 0 without times
  };
  LastTicks BodyTimes, BaselineTimes;
  /// Medians of these times, once there are enough of them; 0 before.
  std::atomic<double> MeasuredBaselineNs{0}, MeasuredBodyNs{0};
  /// The medians of the latest windows. A single one may be due to other load on the machine.
  PairedTimes Windows;
  // The time that its hits have gained over the original, each computed with the times known at
  // that moment: a temporary load says nothing about earlier calls.
  std::atomic<double> CountedNs{0};
  std::atomic<uint64_t> HitsCounted{0};
  double MostCountedNs = 0; ///< the maximum so far
  std::atomic<uint32_t> SampledHits{0};
  /// Every n-th sampled hit runs the original for comparison; 0: only when the body became slow.
  uint32_t BaselinePeriod = 0;
  /// An earlier run measured it; some calls of this run are compared again.
  bool IsProven = false;
  // Results of the comparison in place, see in_place_comparison.h; guarded by the registry's mutex.
  bool IsCompared = false; ///< in this run
  double GainInPlace = 0;  ///< ratio by which calls came more often with it; 0: unknown
  uint32_t SlowerRuns = 0; ///< number of latest runs in a row in which calls came less often
  std::atomic<bool> Suspicious{false};
  std::atomic<bool> Losing{false};
  /// A step of the worker waits for further calls of the region.
  std::atomic<bool> ReportsFurtherCalls{false};

  /// Return the time per call that this run measured, or that with which the version was published;
  /// 0: unknown. With calls on several threads, a measured original finds its data in other
  /// processors' caches, where they would not be without the version. In that case baselineNs() is
  /// the smaller of both times.
  double baselineNs() const;
  double bodyNs() const;
  /// Returns the baseline's time that this run measured, in any case, or that with which it was
  /// published.
  double latestBaselineNs() const;
  /// Return whether an earlier run measured these times and this one did not. The machine and its
  /// load may have been different then.
  bool isBaselineEarlier() const { return IsProven && MeasuredBaselineNs == 0; }
  bool isBodyEarlier() const { return IsProven && MeasuredBodyNs == 0; }
  /// Returns whether calls are so short that only whole stretches of the program can be compared,
  /// see in_place_comparison.h: timing a call costs more than the call.
  bool isTooShortToTime() const { return BodyNs > 0 && BodyNs < TimedCallNs; }
  /// Returns whether no comparison has shown yet what such calls gain.
  bool isUnmeasured() const { return isTooShortToTime() && GainInPlace == 0; }
  /// Returns the gain over the original, by single calls at first; 0: unknown.
  double gain() const;
  /// Returns the time that its calls have saved over the original so far; negative if they took
  /// longer, 0 as long as that is unmeasured.
  double savedNs() const;
  /// Updates CountedNs. Caller holds the region's Lock.
  void countSaved();

  /// Adds the counts of \p Earlier, the same version before its image was unloaded. No calls may
  /// reach either of them any more.
  void absorb(const Version &Earlier);

  void *body() const { return __atomic_load_n(&State->body, __ATOMIC_ACQUIRE); }
  uint64_t hits() const;   ///< calls whose guards held
  uint64_t misses() const; ///< calls that reached it and whose guards did not hold
  /// Returns the calls for which its entry, as the last of the chain, chose the original.
  uint64_t finalMisses() const;
  /// Returns the calls that the entry served, or sent on as the last of the chain, without the
  /// thunk.
  uint64_t callsPastThunk() const;
  bool anyInside() const;
};

/// Returns whether V may slow the program down in a way that its calls do not show. It is then
/// compared in place.
bool isInDoubt(const Version &V);

/// Returns whether the sampled hit of this number runs the original for comparison.
bool comparesAgain(const Version &V, uint32_t Turn);

/// Chooses the sampling of a version whose body takes BodyNs.
void planObservation(Version &V, double BodyNs);

/// The first version whose guards hold; null pointers if there is none.
struct FoundVersion {
  Version *V = nullptr;
  void *Body = nullptr;
  uint64_t Price = 0; ///< time of its guards in this call, in ticks
};

struct Lookup {
  bool IsTimed = false;   ///< the price is needed, which takes two clock readings
  bool IsCounted = false; ///< the call is counted, because no entry has counted it
};

/// Caller is in a read section; async-signal-safe.
FoundVersion findVersion(RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                         Lookup How);

/// Returns the number of calls that this one represents if an entry, which has counted it, sent it
/// to be observed; else 0. Must be called once per call; simultaneous calls may get each other's
/// results. Async-signal-safe.
uint32_t takeSample(const RegionState &S);

/// Adds the sampled time of a body or of the original; for calls of different sizes, the time for a
/// fixed amount of work. Caller holds the region's Lock. Returns true when the version has just
/// turned out not to pay any more.
bool addVersionSample(Version &V, bool Baseline, uint64_t Ticks);

/// Returns the function that the last entry calls when its guards do not hold: the original, or,
/// where that is the nest in place, a function that returns SPECRT_UNDONE.
void *behindVersions(const specrt_region &R);

/// Puts V into the list and the chain of entries, right behind the last one that gains more, so
/// that the best of the versions whose guards hold takes a call; in front when its gain is unknown.
/// The slot is not changed. Worker only.
void linkVersion(RegionState &S, Version &V, const specrt_region &Live);

/// Removes V from the list and the chain: no new call will run its body. Worker only; the slot must
/// not point at V's entry alone, see slotTarget.
void unlinkVersion(RegionState &S, Version &V);

/// Returns the value for the slot of a region whose versions are settled: the first version's
/// entry, or InPlace if there is no version.
void *slotTarget(const RegionState &S);

/// Frees trials and bodies once no thread can be inside. Worker only. If an add function throws
/// (for lack of memory only), the caller keeps the object.
class Reclaimer {
public:
  void addTrial(RegionState &S, std::unique_ptr<Trial> &&T);
  /// Adds an instrumented call with its version.
  void addInstrumented(RegionState &S, std::unique_ptr<InstrumentedCall> &&Call);
  /// Adds the object of a candidate that was never published, or of a version whose image is
  /// unloaded. Other objects are never freed.
  void addStored(RegionState &S, std::shared_ptr<LoadedVersion> &&Stored);
  /// Adds a version whose image is unloaded and whose counts another one has absorbed.
  void addVersion(RegionState &S, std::unique_ptr<Version> &&V);

  /// Frees what can be freed. Returns true while something is left.
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
