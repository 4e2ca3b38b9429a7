//===- runtime/call/region_state.h - the state of a region that its calls access ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one RegionState per registered region, in zeroed memory whose pages are only touched
// when the region is called: all-zero bytes are a valid cold region. The program's threads (and
// their signal handlers) and the worker access it at the same time, with strict rules:
//
//  - Program threads never block on Lock: they try it, and if another thread holds it they run
//    unobserved. What they change without it are relaxed counters that may lose an update.
//  - Only the worker changes ActiveTrial, Versions and the slot, and only the worker moves Phase
//    out of Preparing, Compiling, Trial and Specialised. Exceptions: the thread that registers an
//    image, before its first call; and passThunkBy, takeTurns and leaveThunkToEntry, which undo
//    their changes when the worker has done something meanwhile. So the worker changes the phase
//    before it puts the thunk into the slot.
//  - A thread that runs code found through ActiveTrial or Versions first enters a read section
//    (enterSection) and leaves it after the call. The worker frees what it took out of these
//    lists only after all read sections that could have seen it have ended (Reclaimer). A call
//    that never returns keeps its section open for ever: memory is kept, nothing breaks.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_REGION_STATE_H
#define SPECRT_RUNTIME_CALL_REGION_STATE_H

#include "runtime/call/callers.h"
#include "runtime/call/osr.h"
#include "runtime/capture/capture.h"
#include "specrt/abi.h"
#include <atomic>
#include <cstdint>

namespace specrt {

class InstrumentedCall;
class InPlaceComparison;
class RegionProfile;
struct RegionDetail;
struct Measurement;
struct Trial;
struct Version;

enum class Phase : uint32_t {
  Cold,        ///< never called, or not for long enough to be considered
  Profiling,   ///< called; some calls are sampled
  Preparing,   ///< known to be hot from an earlier run; its versions are being compiled
  Compiling,   ///< hot; its first version is being compiled
  Trial,       ///< candidates run on real calls in turn with the original, or one is instrumented
  Specialised, ///< at least one version is published
  Retired,     ///< no version was worth it; runs the original
  Blocked      ///< cannot be specialised; runs the original
};

const char *phaseName(Phase P);

/// The value of a slot while only the original may run: null, for which the stub runs the nest in
/// place.
inline constexpr void *InPlace = nullptr;

/// The program's requests to the worker; a set of bits.
enum Request : uint32_t {
  RequestPrepare = 1,   ///< compile the versions that the stored profile recommends
  RequestCompile = 2,   ///< the region became hot
  RequestDecide = 4,    ///< the trial has its samples
  RequestReview = 8,    ///< new values recur, or a version stopped paying
  RequestContinue = 32, ///< a step waited for further calls, and they have come
  RequestProfile = 16,  ///< the region is hot and has no profile yet
  RequestDescribe = 64, ///< a wrapped function became hot: its bitcode is to be read
  RequestRestart = 128, ///< the settings changed before the first call
  RequestOsr = 256,     ///< a running call asks for a version of its rest, or reports the result
  RequestDepart = 512   ///< the image is unloaded: no earlier request follows this one
};

/// The inputs of the decision whether to capture a call for a replay, and its last result
/// (runtime/call/captured_call.h).
struct CaptureState {
  // Set by the worker before the first call. Times in nanoseconds.
  std::atomic<double> UsualNs; ///< of a call, if earlier runs made only few; else 0
  std::atomic<double> SpentNs; ///< by earlier runs in the original
  std::atomic<bool> AreOver;   ///< a replay would give no new information

  std::atomic<CaptureRefusal> Refusal; ///< for the last call that was considered
};

struct alignas(64) RegionState {
  // The first cache line contains all that an unsampled call accesses.
  std::atomic<Phase> CurrentPhase;
  std::atomic<uint32_t> Distance; ///< calls from the last sample to the next, see passBy
  std::atomic<uint64_t> Calls;    ///< calls of the thunk; see calls()
  std::atomic<Trial *> ActiveTrial;
  std::atomic<Version *> Versions; ///< most useful first
  std::atomic<uint32_t> Epoch;
  std::atomic<uint32_t> Lock;
  std::atomic<uint32_t> Sections[2]; ///< threads in a read section, by the parity of Epoch
  std::atomic<specrt_region *> Region;

  // Guarded by Lock.
  std::atomic<RegionProfile *> Profile; ///< of calls that no version serves
  std::atomic<RegionProfile *> ServedCalls;
  uint64_t CallsAtLastSample;
  uint64_t Samples;
  uint64_t ColdSamples;   ///< cold ones among Samples; see Measurement
  uint64_t TotalTicks;    ///< estimate of all time in the original, unsampled calls included
  uint64_t SampledTicks;  ///< measured time of the sampled calls
  uint64_t RecentTicks;   ///< moving average of one call
  uint64_t HotTarget;     ///< TotalTicks at which it is hot; 0: the configured HotTicks
  uint64_t MissTicks;     ///< estimated time in the original since versions exist
  uint64_t MissThreshold; ///< MissTicks that lead to a review; 0: the worker has been asked
  uint32_t Random;        ///< state of the sampling jitter
  bool ProfileRequested;

  // The queue of the worker.
  std::atomic<uint32_t> Requests;
  std::atomic<uint32_t> Queued;
  std::atomic<RegionState *> NextQueued;

  // Counters of calls that came to the thunk without having passed an entry.
  std::atomic<uint64_t> ThunkMisses; ///< no version's guards held
  std::atomic<uint64_t> TrialCalls;  ///< ran a candidate on trial

  // Waiting for versions.
  std::atomic<uint64_t> WaitedTicks; ///< by calls, in Preparing
  std::atomic<uint32_t> Waiters;
  std::atomic<uint32_t> MayWaitUs; ///< in Preparing: how long a call may wait; 0: not at all

  /// In Trial without ActiveTrial: the version that one call is to run. The rules of ActiveTrial
  /// apply.
  std::atomic<InstrumentedCall *> Instrumented;

  /// In Specialised: the comparison of the versions with the original in place. Never freed.
  std::atomic<InPlaceComparison *> Compared;

  RegionDetail *Detail; ///< owned by the worker; guarded by the registry's mutex
  /// The copy of a region that contains code of other files. Its guards name places in the copy's
  /// table of symbols. Null for other regions. Set before there are guards.
  std::atomic<const specrt_region *> Complete;
  std::atomic<const char *> StaticReason; ///< why it was blocked at registration; static text
  std::atomic<uint64_t> FirstCallNs; ///< CLOCK_MONOTONIC; 0: no call was seen before a decision

  CaptureState Captures;
  Callers Who;
  OnStackReplacement Osr; ///< of a call that runs in the original

  /// Returns the number of calls that came to the thunk, observed or passed by; approximate if
  /// several threads call. Not async-signal-safe: the region's image must not be unloaded.
  uint64_t calls() const;

  /// Returns the region that guards refer to; \p Live is the descriptor in the program.
  const specrt_region &guarded(const specrt_region &Live) const {
    const specrt_region *Copy = Complete.load(std::memory_order_acquire);
    return *(Copy ? Copy : &Live);
  }

  bool tryLock() { return Lock.exchange(1, std::memory_order_acquire) == 0; }
  void unlock() { Lock.store(0, std::memory_order_release); }

  /// Returns whether there is nothing but the original. Needs no read section, which costs more
  /// than the calls of some regions.
  bool hasOnlyOriginal() const {
    return !Versions.load() && !ActiveTrial.load() && !Instrumented.load();
  }

  /// Begins a read section; returns the parity to give back.
  uint32_t enterSection() {
    uint32_t Parity = Epoch.load(std::memory_order_seq_cst) & 1;
    Sections[Parity].fetch_add(1, std::memory_order_seq_cst);
    return Parity;
  }
  void leaveSection(uint32_t Parity) { Sections[Parity].fetch_sub(1, std::memory_order_release); }
};

/// The kind of a call, which specrt_enter stores for specrt_leave in the thunk's scratch memory.
enum class CallKind : uint16_t {
  Plain,       ///< nothing to do
  Sample,      ///< the original, timed for the profile
  Trial,       ///< one candidate of a trial, timed; holds a read section
  Body,        ///< a version's body, timed; holds a read section
  Baseline,    ///< the original, timed to compare with a version; holds a read section
  Held,        ///< a version's body, not timed; holds a read section
  Osr,         ///< the rest of a call that began in the original; holds a read section
  Instrumented ///< the version that records; holds a read section
};

struct CallRecord {
  CallKind Kind;
  bool IsInPlace; ///< the nest runs where it stands, behind the thunk
  uint32_t Parity;
  RegionState *State;
  const uint64_t *Packed; ///< the thunk's array; it lives until specrt_leave
  /// Sample: the capture, or null. Trial: the trial. Body, Baseline: the version. Osr: its target.
  /// Instrumented: the call.
  void *Subject;
  /// Trial: the candidate. Sample: OnStackReplacement::Taken at its begin. Osr: whether it is the
  /// target's first call.
  uint32_t Candidate;
  uint32_t Class; ///< Trial: the class of the call. Osr: PastProbe, or less
  uint64_t Begin; ///< ticks; on-stack replacement knows the call by it
  /// processor time of the thread at Begin, or one of the two constants below
  uint64_t ProcessorNs;
  uint32_t Faults, Preemptions; ///< of the thread at Begin, unless WallOnly

  static constexpr uint64_t WallOnly = 0; ///< the operating system was not asked
  /// the system was asked for Faults and Preemptions only
  static constexpr uint64_t NoClock = UINT64_MAX;
};
static_assert(sizeof(CallRecord) <= sizeof(specrt_call));

/// The cost of timing one call by the clock alone, in nanoseconds: the thunk, which is in no cache,
/// and two readings. The time of a call is uncertain by as much.
constexpr double TimedCallNs = 350;

/// Returns the number of calls per sample that keeps observation, at about TimedCallNs per sample
/// (850 if the operating system is asked), below 1 % of the time of a region whose calls take
/// MeanNs. A power of two, at most 1024.
uint32_t samplePeriod(double MeanNs);

/// Records one timed call of the original in the counters and in the profile. Without a profile,
/// the calls of a region that becomes hot are kept for it, and a hot region requests one from the
/// worker. Caller holds Lock.
void recordSample(RegionState &S, const uint64_t *Packed, const Measurement &M);

/// Records the values of a call that a version has served, which the original does in about
/// \p OriginalNs. Without it later runs would plan for the values that versions have missed. Caller
/// holds Lock.
void recordServed(RegionState &S, const uint64_t *Packed, double OriginalNs);

/// Returns the TotalTicks from which the region is worth compiling. Caller holds Lock.
uint64_t hotTarget(const RegionState &S);

/// Begins a new observation: the region becomes hot after further \p Ticks in the original. The
/// next sample does not represent the calls so far, which ran candidates or were not observed.
/// Caller holds Lock.
void observeAgain(RegionState &S, uint64_t Ticks);

/// Requests a compile if a region without versions has become hot. Called after a sample of the
/// original. Caller holds Lock.
void checkHot(RegionState &S);

/// Sleeps until S leaves phase While, at most TimeoutUs, and not while a compile starves. Signals
/// do not shorten the wait. Safe in signal handlers.
void waitForPhase(RegionState &S, Phase While, uint64_t TimeoutUs);

/// Sets the phase and wakes the waiting calls. In Profiling, calls come to the thunk again. Worker
/// only.
void setPhase(RegionState &S, Phase P);

/// Lets \p Calls calls run the original before the next one is observed: the thunk counts them
/// down. Caller holds the Lock.
void passBy(RegionState &S, uint32_t Calls);

/// Lets the next \p Stride calls of a region whose versions are compared in place run the versions,
/// without the thunk, or with \p AsWritten the original. Caller holds the Lock.
void takeTurns(RegionState &S, specrt_region &R, uint32_t Stride, bool AsWritten);

/// Called for a call of a region with versions that came to the thunk although the worker awaits
/// none there: takeTurns has left the thunk in the slot. Any thread.
void leaveThunkToEntry(RegionState &S, specrt_region &R);

/// Makes the next call observed.
void stopPassingBy(RegionState &S);

/// Returns the nanoseconds of a call of the original; 0: unknown. Takes no lock, so the value may
/// be slightly old.
double recentNs(const RegionState &S);

/// Calls below this are short: overhead per call is noticeable.
constexpr double ShortCallNs = 2000;

/// Called after a call came to the thunk of \p R and ran the original. For short calls the thunk
/// costs more than the original: while there is only the original, and until the worker has done
/// something for the region, the next calls run it in place. If the worker could not be started
/// yet, this tries that instead. Any thread.
void passThunkBy(RegionState &S, specrt_region &R);

/// Replaces the thunk in the slot by InPlace, so that the nest runs in place from now on. Any
/// thread.
void leaveThunk(specrt_region &R);

/// Puts the thunk into the slot again, unless the slot has another value than InPlace. Worker only.
void takeThunk(specrt_region &R);

} // namespace specrt

#endif
