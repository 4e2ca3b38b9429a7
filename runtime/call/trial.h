//===- runtime/call/trial.h - candidates against the original on real calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial belongs to one plan (one set of specialised values). Calls whose guards hold run the
// candidates in turn: the code that would run without the trial (the baseline, candidate 0) and
// each new candidate, whose time includes its guards. Turns alternate their direction (0 1 2 2 1
// 0), so that a drift of the problem size favours no candidate. A turn of short calls is a few
// calls in a row, of which the first does not count: it finds the data in another core's cache when
// serial and parallel candidates alternate, and includes page faults and cold code. The worker
// creates a trial and decides it; program threads only add samples.
//
// The number of samples follows from the length of a call: a call of 5 ms or more is longer than
// any noise that averaging could remove, so one sample suffices; short calls get more. When calls
// turn out to be shorter than expected (the machine was busy while the profile was taken, or a
// candidate is much faster than the original), the candidates that compete for the first place get
// more, too. Candidates are compared by their medians, and one that is far behind after two samples
// gets no more turns. The minimum would ignore the behaviour on average data, and the mean would
// follow a single preemption. A winner must also be ahead by more than the scatter of the samples;
// otherwise the trial takes more samples.
//
// A version's cost for the rest of the program is measured in place: in_place_comparison.h.
//
// Only comparable calls are compared. Calls on memory that was never touched before (cold ones) do
// not count, unless all are cold, and then the original's must be, too. If the plan leaves sizes
// open, calls form classes by the work they do, and times are compared only within a class.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_TRIAL_H
#define SPECRT_RUNTIME_CALL_TRIAL_H

#include "profiler/plans/assumptions.h"
#include "runtime/base/policy/evidence.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/call/compiled_body.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// With a gain of this factor no other candidate is tried.
constexpr double LargeGain = 3;

/// A candidate this many times slower than the best one is dropped after few samples. Times of long
/// calls of the same code vary less.
constexpr double FarBehind = 1.3;

/// Calls from this length on are longer than any noise: one sample of each candidate suffices.
constexpr double OneSampleSeconds = 5e-3;
/// Calls from this length on are so long that trying all candidates costs more than the last few
/// percent gain.
constexpr double FeltSeconds = 5e-2;

/// One body in a trial. The baseline has no body of its own, and no guards are charged to it.
struct Candidate : CompiledBody {
  Candidate() = default;
  explicit Candidate(CompiledBody B) : CompiledBody(std::move(B)) {}

  /// Bounds the memory; more samples hardly change a median.
  static constexpr uint32_t MaxSamples = 32;
  // Written under the region's Lock by program threads; NumSamples is also read without it.
  std::array<uint64_t, MaxSamples> Ticks{};
  std::array<uint8_t, MaxSamples> Class{}; ///< classes of the sampled calls
  /// Classes are powers of two of the work; calls of further classes do not count.
  static constexpr uint32_t MaxClasses = 8;
  std::array<std::atomic<uint32_t>, MaxClasses> SamplesIn{}; ///< by class
  /// Number of first runs that are not counted, if turns are single calls.
  uint32_t Discarded = 0;
  uint32_t NumRejected = 0;  ///< further runs that did not count
  uint32_t NumPreempted = 0; ///< samples during which others took the caller's processor
  std::atomic<uint32_t> NumSamples{0};
  std::atomic<uint64_t> LeastTicks{~uint64_t{0}}; ///< of its samples
  std::atomic<uint32_t> NumRuns{0};
  std::atomic<uint32_t> GuardMisses{0};
  std::atomic<bool> Hopeless{false}; ///< gets no more turns
  /// The time of its last run before it had inspected all of its rows.
  std::atomic<uint64_t> TicksAsWritten{~uint64_t{0}};
  /// The time in ticks before which it gets no turn, because its pending inspection or its possible
  /// loss is too expensive so far.
  std::atomic<uint64_t> NotBefore{0};

  /// Returns the median of its samples in ticks; 0 without samples.
  uint64_t medianTicks() const;
};

/// Calls of a trial that are compared with each other.
struct CallClass {
  std::atomic<uint64_t> Key{0}; ///< 0: free
  std::atomic<uint32_t> Turn{0};
  std::atomic<uint32_t> NumCalls{0};
  std::atomic<uint32_t> Previous{~0u}; ///< the candidate that ran last
};

struct Trial {
  static constexpr uint32_t MaxClasses = Candidate::MaxClasses;

  Assumptions Assumed;
  std::vector<std::unique_ptr<Candidate>> Candidates; ///< [0] is the baseline
  /// The region with its full description, which the called one may lack; null: unknown.
  const specrt_region *Described = nullptr;
  /// If all calls are alike, only the first class is used.
  std::array<CallClass, MaxClasses> Classes{};
  /// The number of samples for each candidate, by the expected time and the scatter.
  std::atomic<uint32_t> Needed{1};
  double SecondsPerTick = 0; ///< 0: the expected time is not corrected
  double SecondsPerCall = 0; ///< expected time of the baseline; 0: unknown
  uint32_t TurnLength = 1;   ///< calls in a row
  /// The number of misses in a row after which the trial gives up. A miss is a call outside the
  /// guards, or of a class for which there is no room.
  uint32_t MaxMisses = 0;
  std::atomic<uint32_t> Misses{0}; ///< since the last call that was no miss
  /// The baseline's time was known before the trial. Parts of it may be estimated (calls with
  /// on-stack replacement), so candidates do not lose against it without a run of the original.
  bool IsBaselineRecalled = false;
  uint64_t RecalledTicks = 0;
  uint64_t OriginalTicks = 0; ///< time of a call of the original in an earlier run; 0: unknown
  /// The time of a call of the baseline according to the profile; 0: unknown. Losses are charged
  /// relative to it if the trial has not timed the baseline; no decision uses it.
  uint64_t ExpectedTicks = 0;
  /// The baseline is known from cold calls only, or all calls are cold, so cold calls count.
  bool CountsCold = false;
  bool HasWarm = false; ///< a call was not cold
  uint32_t NumCold = 0; ///< number of cold calls before that
  bool Varying = false; ///< the plan leaves sizes open
  /// Pays for the time by which candidates are slower than the baseline, whether a run's time
  /// counts or not; null: that is not charged.
  std::shared_ptr<Ledger> Payer;
  bool OwesTooMuch = false; ///< no candidate gets another turn; guarded by the region's Lock
  /// The calls of the baseline, and the sum of their gains over the original where versions served
  /// them, in thousandths.
  std::atomic<uint64_t> BaselineCalls{0}, BaselineGains{0};
  /// When the trial ended, others used the processors that parallel candidates need.
  bool LackedProcessors = false;
  std::atomic<bool> Done{false};
  /// After the trial, the fastest candidate, which runs until the worker has published it. Before
  /// the end, a candidate that the baseline will hardly beat, which runs while others wait.
  std::atomic<uint32_t> Leader{0};

  /// Sets the baseline's time per call, which was measured elsewhere.
  void recallBaseline(uint64_t Ticks, bool Cold);

  /// Records the gain of a call of the baseline over the original; 0: unknown.
  void addBaselineGain(double Gain);
  /// Returns the mean gain of the baseline over the original.
  double gainOfBaseline() const;

  /// Returns whether a call is expected to be so long that a LargeGain ends the trial.
  bool isFelt() const { return SecondsPerCall >= FeltSeconds; }
  uint32_t size() const { return static_cast<uint32_t>(Candidates.size()); }
  /// Returns whether a candidate has the samples it needs, by the expected time and by the fastest
  /// run so far.
  bool complete(uint32_t Candidate) const;
  /// Returns whether a candidate was compared with the baseline in the calls that do most of the
  /// work. A candidate that must inspect rows first can do that in small calls long before it can
  /// in large ones. After many calls the available samples decide.
  bool knowsMost(uint32_t Candidate) const;
  /// Returns whether a candidate's time says nothing about it, because the machine had no processor
  /// for its threads: others used them when the trial ended, and in half of the samples, on which
  /// the median depends, the caller itself had to wait for one.
  bool isUnmeasured(uint32_t Candidate) const;
};

/// Sets the number of samples from the expected time of a call, and the number of misses from the
/// expected share of the calls that meet the plan (0: unknown). With Varying, the plan leaves
/// integers open, so that single calls differ in size and more of them have to be averaged. Must be
/// called after the candidates were added and their Parallel, that of the baseline included, was
/// set.
void planSamples(Trial &T, double SecondsPerCall, bool Varying, double Share = 0);

/// The candidate that runs a call of a trial.
struct Turn {
  int Candidate = -1; ///< -1: none, because no guard holds or all samples are there
  uint32_t Class = 0;
  uint64_t Price = 0; ///< time of the candidate's guards in this call, in ticks
  bool Waits = false; ///< none, but only because the remaining candidates wait for a processor
};

/// Returns the candidate whose turn it is and whose guards hold for this call. The baseline
/// competes on the calls that any candidate admits. With \p OnlySerial, other work needs a
/// processor, so times of several threads are meaningless now. Async-signal-safe.
Turn chooseCandidate(Trial &T, const specrt_region &Region, const uint64_t *Packed,
                     bool OnlySerial = false);

/// Returns Ticks scaled to the least work of the call's class, so that times of a class are
/// comparable.
uint64_t scaledTicks(const Trial &T, const uint64_t *Packed, uint64_t Ticks);

/// Charges one run and, unless \p Counts is false (a concurrent compile distorts its time), adds it
/// to the samples; its time is scaled. Returns true when the trial is complete with it or may lose
/// no more. Caller holds the region's Lock.
bool addTrialSample(Trial &T, uint32_t Candidate, uint32_t Class, Measurement M,
                    bool Counts = true);

/// Returns the spread of a candidate's samples in one class, or in all.
Spread spreadOf(const Candidate &C, std::optional<uint32_t> Class);

/// Returns the time of the baseline in calls of this class, in scaled ticks; 0: not measured.
double baselineTicks(const Trial &T, uint32_t Class);

/// Returns the ticks per call of a candidate (New) and the baseline (Old) in the same classes of
/// calls; unknown if nothing was comparable.
Evidence compare(const Trial &T, uint32_t Candidate);

/// Returns the candidate that is to win, given the fastest one, \p Best, or 0. A serial candidate
/// that is about as fast wins, because it leaves the other processors to the program and to the
/// compiler.
uint32_t preferred(const Trial &T, uint32_t Best);

/// Returns the body that serves a call between the end of the trial and its publication, or while
/// candidates wait; or null. \p OnlySerial is as for chooseCandidate. Caller is in a read section;
/// async-signal-safe.
void *leadingBody(const Trial &T, const specrt_region &Region, const uint64_t *Packed,
                  bool OnlySerial = false);

/// Counts a call that no candidate could take. Returns true when the trial has to be abandoned.
bool addTrialMiss(Trial &T);

} // namespace specrt

#endif
