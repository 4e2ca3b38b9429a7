//===- runtime/call/trial.h - candidates against the original on real calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial belongs to one plan (one set of specialised values). Calls whose guards hold run the
// candidates in turn: what would have run without the trial (the baseline, candidate 0) and each
// candidate, whose time begins with its guards. Turns go forth and back (0 1 2 2 1 0), so that a
// drift of the problem size favours nobody. A turn of short calls is a few calls in a row, of which
// the first does not count: it finds the data in another core's cache when serial and parallel
// candidates alternate, and pays for page faults and cold code. The worker creates a trial and
// decides it; program threads only add samples.
//
// How many samples are enough follows from the length of a call: a call of 5 ms or more is longer
// than any noise we could average away, so one each; short calls get more. When calls turn out to
// be shorter than expected (the machine was busy while the profile was taken, or a candidate is
// much faster than the original), those that compete for the first place get more, too. Candidates
// are compared by their median, and one that is far behind after two samples gets no more turns.
// Not by the minimum or the mean: the minimum would ignore what the candidate does on average
// data, the mean would follow a single preemption. A winner must also be ahead by more than the
// samples scatter; a trial in which the best is not gets more samples.
//
// What a version costs others is not seen here, but in place: pace.h.
//
// Only like is compared with like. Calls on memory that nobody touched before (cold ones) do not
// count, unless all are of that kind, and then the original's must be, too. Where the plan leaves
// sizes open, calls form classes by the work they do, and what was measured in one class is
// compared only there.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_TRIAL_H
#define SPECRT_RUNTIME_CALL_TRIAL_H

#include "profiler/plans/assumptions.h"
#include "runtime/call/compiled_body.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// A version so many times faster than the original is good enough not to look further.
constexpr double LargeGain = 3;

/// A win has to be visible: 3 % is above what one and the same code varies by.
constexpr double WinningRatio = 0.97;
/// So many times the best time rule a candidate out after few measurements. Times of long calls of
/// the same code vary less.
constexpr double FarBehind = 1.3;

/// A call that is longer than any noise: one sample of each candidate is enough.
constexpr double OneSampleSeconds = 5e-3;
/// A call so long that trying everything costs more than the last percents bring.
constexpr double FeltSeconds = 5e-2;

/// One body in a trial. The baseline has no body of its own, and pays for no guards.
struct Candidate : CompiledBody {
  Candidate() = default;
  explicit Candidate(CompiledBody B) : CompiledBody(std::move(B)) {}

  static constexpr uint32_t MaxSamples = 32;
  // Written under the region's Lock by program threads; NumSamples is also read without it.
  std::array<uint64_t, MaxSamples> Ticks{};
  std::array<uint8_t, MaxSamples> Class{}; ///< of the calls that were sampled
  static constexpr uint32_t MaxClasses = 8;
  std::array<std::atomic<uint32_t>, MaxClasses> SamplesIn{}; ///< by class
  /// Number of first runs that are not counted, if turns are single calls.
  uint32_t Discarded = 0;
  uint32_t NumRejected = 0; ///< further runs that did not count
  std::atomic<uint32_t> NumSamples{0};
  std::atomic<uint64_t> LeastTicks{~uint64_t{0}}; ///< of its samples
  std::atomic<uint32_t> NumRuns{0};
  std::atomic<uint32_t> GuardMisses{0};
  std::atomic<bool> Hopeless{false}; ///< gets no more turns
  /// Its last run in which it had not looked at all of its rows yet.
  std::atomic<uint64_t> TicksAsWritten{~uint64_t{0}};
  /// Gets none before, in ticks: what it has to look at first, or may lose, is too much so far.
  std::atomic<uint64_t> NotBefore{0};

  /// The median of its samples in ticks; 0 without samples.
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
  /// The region with all of its description, which the one that is called may lack; null: unknown.
  const specrt_region *Described = nullptr;
  /// Where all calls are alike, the first is the only one.
  std::array<CallClass, MaxClasses> Classes{};
  /// Samples of each candidate, by what was expected and how much they scatter.
  std::atomic<uint32_t> Needed{1};
  double SecondsPerTick = 0; ///< 0: what was expected is not questioned
  double SecondsPerCall = 0; ///< of the baseline, as expected; 0: unknown
  uint32_t TurnLength = 1;   ///< calls in a row
  uint32_t MaxMisses = 0;    ///< calls outside the guards after which the trial gives up
  std::atomic<uint32_t> Misses{0};
  /// The baseline's time was known before: parts of it may be estimated (calls that were handed
  /// over), so candidates do not lose against it without a run of the original.
  bool IsBaselineRecalled = false;
  uint64_t RecalledTicks = 0;
  uint64_t OriginalTicks = 0; ///< of a call in an earlier run's original; 0: unknown
  /// A call of the baseline by what the profile says; 0: unknown. It is charged against where the
  /// trial has not timed the baseline, and decides nothing.
  uint64_t ExpectedTicks = 0;
  /// The baseline is known from cold calls only, or all calls are cold, so those count.
  bool CountsCold = false;
  bool HasWarm = false; ///< a call was not cold
  uint32_t NumCold = 0; ///< cold ones before that
  bool Varying = false; ///< the plan leaves sizes open
  /// What candidates may take longer than the baseline, and what they took longer; ticks. Every run
  /// of a candidate is charged, whether its time counts or not.
  int64_t LossBudget = INT64_MAX;
  std::atomic<int64_t> LostTicks{0};
  /// Calls of the baseline, and by how many times they were faster than the original where versions
  /// served them, in thousandths.
  std::atomic<uint64_t> BaselineCalls{0}, BaselineGains{0};
  std::atomic<bool> Done{false};
  /// The fastest candidate of a trial that is done: what runs until the worker has published it.
  /// Before that, one that will hardly be beaten by the baseline: what runs while others wait.
  std::atomic<uint32_t> Leader{0};

  /// Takes the baseline's time per call from elsewhere.
  void recallBaseline(uint64_t Ticks, bool Cold);

  /// A call of the baseline was so many times faster than the original; 0: it is not known.
  void addBaselineGain(double Gain);
  /// So many times faster than the original is the baseline, on average.
  double gainOfBaseline() const;

  /// Returns whether a call is expected to be so long that a LargeGain ends the trial.
  bool isFelt() const { return SecondsPerCall >= FeltSeconds; }
  uint32_t size() const { return static_cast<uint32_t>(Candidates.size()); }
  /// Has it the samples it needs, by what was expected and by the fastest run of any so far?
  bool complete(uint32_t Candidate) const;
  /// Was it compared with the baseline in calls that do most of the work? One that looks at rows
  /// first can afford that in small calls long before it can in large ones. After many calls it is
  /// judged by what there is.
  bool knowsMost(uint32_t Candidate) const;
};

/// Sets the number of samples from the expected time of a call. Varying: the plan leaves integers
/// open, so that single calls differ in size and more of them have to be averaged. After the
/// candidates were added and it is known which of them, the baseline included, are parallel.
void planSamples(Trial &T, double SecondsPerCall, bool Varying);

/// Who runs a call of a trial.
struct Turn {
  int Candidate = -1; ///< -1: nobody; no guard holds, or all samples are there
  uint32_t Class = 0;
  uint64_t Price = 0; ///< what the guards of a candidate cost this call, in ticks
  bool Waits = false; ///< nobody, but only because who is left waits for a processor
};

/// The candidate whose turn it is and whose guards hold for this call. The baseline competes on the
/// calls that any candidate admits. \p OnlySerial: something else needs a processor, so times of
/// several threads would say nothing now. Async-signal-safe.
Turn chooseCandidate(Trial &T, const specrt_region &Region, const uint64_t *Packed,
                     bool OnlySerial = false);

/// Makes times of one class comparable: Ticks as if the call did the least work of its class.
uint64_t scaledTicks(const Trial &T, const uint64_t *Packed, uint64_t Ticks);

/// Charges one run and, unless \p Counts is false (it ran beside a compile that distorts its time),
/// adds it to the samples; its time is scaled. Returns true when the trial is complete with it or
/// may lose no more. Caller holds the region's Lock.
bool addTrialSample(Trial &T, uint32_t Candidate, uint32_t Class, Measurement M,
                    bool Counts = true);

/// The middle of some samples, and what they scatter by.
struct Spread {
  double Low = 0, Median = 0, High = 0; ///< all 0 without samples
};

/// Of a candidate's samples in one class, or in all.
Spread spreadOf(const Candidate &C, std::optional<uint32_t> Class);

/// What the baseline takes in a call of this class, in scaled ticks; 0: this was not measured.
double baselineTicks(const Trial &T, uint32_t Class);

/// A candidate and the baseline on the same calls.
struct Comparison {
  double Baseline = 0, Candidate = 0; ///< medians in ticks per call; 0: nothing was comparable
  bool IsSure = false;                ///< the candidate is ahead by more than the samples scatter
};
Comparison compare(const Trial &T, uint32_t Candidate);

/// \p Best is the fastest candidate, or 0. The one that is to win: a serial one that is about as
/// fast leaves the other processors to the program, and to the compiler.
uint32_t preferred(const Trial &T, uint32_t Best);

/// The body that serves a call between the end of the trial and its publication, or while
/// candidates wait; or null. \p OnlySerial: as for chooseCandidate. Caller is in a read section;
/// async-signal-safe.
void *leadingBody(const Trial &T, const specrt_region &Region, const uint64_t *Packed,
                  bool OnlySerial = false);

/// Counts a call that no candidate could take. True when the trial has to be given up.
bool addTrialMiss(Trial &T);

} // namespace specrt

#endif
