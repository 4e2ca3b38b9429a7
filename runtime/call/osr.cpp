//===- runtime/call/osr.cpp - on-stack replacement on the program's threads ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/osr.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/futex.h"
#include "runtime/base/tuning.h"
#include "runtime/call/pending_samples.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include "runtime/call/work_queue.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <new>

namespace specrt {
namespace {

constexpr auto Relaxed = std::memory_order_relaxed;

/// After this many compilations for running calls of a region no more are requested.
constexpr uint32_t MaxAttempts = 3;
/// The times of compilations vary. A version that is ready too early costs less than one that is
/// late.
constexpr double Margin = 1.25;
/// A call that arrives before its version waits at most its own time so far, divided by this.
constexpr uint64_t MaxWaitShare = 3;
/// After this time the speed of a call counts as known, even if it varies.
constexpr double LongEnoughNs = 30e6;
/// CallRecord::Class of a call whose probe is over.
constexpr uint32_t PastProbe = 1;
/// The time between two polls while a compilation is late.
constexpr double LookAgainNs = 10e6;

void pollAt(specrt_region &Region, uint64_t Iteration) {
  if (Region.poll_at)
    __atomic_store_n(Region.poll_at, Iteration, __ATOMIC_RELAXED);
}

/// The progress of a call, and its recent speed in ticks per iteration. Growth is 0 unless
/// iterations take longer in proportion to their number, as in triangular nests; then it is the
/// factor. Steady says that the speeds between the last polls are similar, so that the thread was
/// not preempted between them.
struct Progress {
  uint64_t Iteration = 0, Ticks = 0;
  double Rate = 1, Growth = 0;
  bool Steady = false;
};

/// Returns Progress::Growth from the speeds \p Before, around iteration \p BeforeAt, and \p Rate,
/// around \p RateAt. Returns 0 for small changes, which are noise.
double growth(double Before, double BeforeAt, double Rate, double RateAt) {
  double Relative = (Rate - Before) / (RateAt - BeforeAt) * RateAt / Rate;
  return Relative > 0.5 ? Rate / RateAt : 0;
}

const void *thisThread() { return &errno; }

/// Returns the ticks that the watched call has run, without those in which other threads had its
/// processor; 0 if no call is watched.
uint64_t ticksSoFar(const OnStackReplacement &Osr, uint64_t Now) {
  const uint64_t Begin = Osr.Begin.load(Relaxed);
  const uint64_t Paused = Begin + Osr.Waited.load(Relaxed);
  const uint64_t Ticks = Begin && Now > Paused ? Now - Paused : 0;
  if (Osr.Thread.load(Relaxed) != thisThread())
    return Ticks;
  const double AtMostNs = ownNs(Osr.Clock.load(Relaxed), Osr.Preemptions.load(Relaxed));
  return static_cast<uint64_t>(std::min(static_cast<double>(Ticks), AtMostNs / nsPerTick()));
}

/// Records a poll, so that the last two remain known. Returns the progress of the call.
Progress recordProgress(OnStackReplacement &Osr, uint64_t Iteration) {
  uint64_t Ticks = ticksSoFar(Osr, ticks());
  uint64_t LastIteration = Osr.SeenIteration[1].load(Relaxed);
  uint64_t LastTicks = Osr.SeenTicks[1].load(Relaxed);
  if (Iteration <= LastIteration || Ticks <= LastTicks)
    LastIteration = LastTicks = 0;
  uint64_t FirstIteration = Osr.SeenIteration[0].exchange(LastIteration, Relaxed);
  uint64_t FirstTicks = Osr.SeenTicks[0].exchange(LastTicks, Relaxed);
  Osr.SeenIteration[1].store(Iteration, Relaxed);
  Osr.SeenTicks[1].store(Ticks, Relaxed);
  auto I0 = static_cast<double>(FirstIteration), I1 = static_cast<double>(LastIteration),
       I2 = static_cast<double>(Iteration);
  auto T0 = static_cast<double>(FirstTicks), T1 = static_cast<double>(LastTicks),
       T2 = static_cast<double>(Ticks);
  Progress P{Iteration, Ticks};
  P.Rate = std::max((T2 - T1) / std::max(I2 - I1, 1.0), 1.0);
  if (!(0 < I0 && I0 < I1 && T0 < T1))
    return P;
  // Speeds differ by up to 2 in triangular nests, where polls come at most at twice the iteration
  // of the previous one. Earlier iterations say little about growth.
  constexpr double Alike = 2.5, EnoughIterations = 16;
  double Before = (T1 - T0) / (I1 - I0);
  P.Steady = P.Rate < Alike * Before && Before < Alike * P.Rate;
  if (I0 >= EnoughIterations)
    P.Growth = growth(Before, (I0 + I1) / 2, P.Rate, (I1 + I2) / 2);
  return P;
}

/// Returns how many iterations from here on take \p Ticks, at least 1.
uint64_t iterationsIn(double Ticks, const Progress &P) {
  constexpr double Most = 1e15; // a count that fits in 64 bits after additions
  double Now = static_cast<double>(P.Iteration), Count = Ticks / P.Rate;
  if (P.Growth > 0)
    Count = std::sqrt(Now * Now + 2 * Ticks / P.Growth) - Now;
  return std::max<uint64_t>(static_cast<uint64_t>(std::min(Count, Most)), 1);
}

/// Returns the iteration of the next poll. It is at most twice \p Iteration, because speeds change.
uint64_t atMostTwice(uint64_t Iteration, uint64_t Distance) {
  return Iteration + std::min(Distance, std::max<uint64_t>(Iteration, 1));
}

/// Waits while the state is Compiling. Adds the wait to Waited, because it is not part of the time
/// that the original needs.
void waitForWorker(OnStackReplacement &Osr, uint64_t TimeoutUs) {
  if (!hasWorker())
    return;
  uint64_t Begin = ticks();
  waitWhile(Osr.State, OsrState::Compiling, Osr.Waiters, TimeoutUs);
  uint64_t End = ticks();
  if (End > Begin)
    Osr.Waited.fetch_add(End - Begin, Relaxed);
}

/// Returns whether compiles are likely to be delayed, so that the time of an answer is unknown.
bool isCompiling() {
  return tuning().IsCompiling.load(Relaxed) || tuning().CompileStarves.load(Relaxed);
}

void *comeBackSoon(specrt_region &Region, const Progress &P) {
  pollAt(Region, atMostTwice(P.Iteration, iterationsIn(LookAgainNs / nsPerTick(), P)));
  return nullptr;
}

/// Requests from the worker the rest of the call from an iteration that lies ahead. Does nothing if
/// the state is not \p From.
void *ask(RegionState &S, specrt_region &Region, const uint64_t *Packed, const Progress &P,
          OsrState From) {
  OnStackReplacement &Osr = S.Osr;
  if (Osr.Attempts.load(Relaxed) >= MaxAttempts || onWorkerThread()) {
    setOsrState(Osr, OsrState::Over);
    return nullptr;
  }
  uint32_t SyncUs = tuning().SyncWaitUs.load(Relaxed);
  if (!SyncUs && isCompiling())
    return comeBackSoon(Region, P);
  if (!moveOsrState(Osr, From, OsrState::Asking))
    return nullptr;
  Osr.Iteration.store(P.Iteration, Relaxed);
  chooseProbe(Osr, Region, P.Rate);
  double Ticks = Margin * expectedOsrNs(Osr) / nsPerTick();
  uint64_t Ahead = SyncUs ? 1 : iterationsIn(Ticks, P);
  if (!stashSample(S, Region, Packed, 0, SampleUse::Osr)) {
    setOsrState(Osr, From);
    return nullptr;
  }
  Osr.Iteration.store(P.Iteration + Ahead, Relaxed);
  Osr.TicksPerIteration.store(P.Rate, Relaxed);
  Osr.TicksGrowth.store(P.Growth, Relaxed);
  const uint64_t Now = ticks(), Begin = Osr.Begin.load(Relaxed) + Osr.Waited.load(Relaxed);
  Osr.ProcessorShare.store(
      Now > Begin ? static_cast<double>(P.Ticks) / static_cast<double>(Now - Begin) : 1, Relaxed);
  Osr.Asked.store(ticks(), Relaxed);
  setOsrState(Osr, OsrState::Compiling);
  request(S, RequestOsr);
  // Another poll half-way yields two speeds, from which the time of the rest in the original is
  // estimated.
  pollAt(Region, atMostTwice(P.Iteration, (Ahead + 1) / 2));
  if (SyncUs)
    waitForWorker(Osr, SyncUs);
  return nullptr;
}

/// Requests the rest once the call has lasted long enough. Until then each poll comes at most at
/// twice the iteration of the previous one.
void *watch(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration) {
  Progress P = recordProgress(S.Osr, Iteration);
  uint64_t Hot = tuning().HotTicks.load(Relaxed);
  bool Understood = P.Steady || tuning().SyncWaitUs.load(Relaxed) > 0 ||
                    static_cast<double>(P.Ticks) * nsPerTick() >= LongEnoughNs;
  if (P.Ticks >= Hot && Understood)
    return ask(S, Region, Packed, P, OsrState::Watching);
  uint64_t Rest = P.Ticks < Hot ? Hot - P.Ticks : Hot;
  pollAt(Region, atMostTwice(Iteration, iterationsIn(static_cast<double>(Rest), P)));
  return nullptr;
}

struct Estimate {
  double Low = 0, High = 0; ///< 0: unknown
};

/// Returns the ticks that the original would need from iteration \p At on. One bound assumes its
/// mean speed so far. The other one assumes that the speed goes on changing as between the last
/// polls, but no faster than in nests whose inner loops run from or up to the outer counter. The
/// actual time is likely between the two.
Estimate estimateRest(const OnStackReplacement &Osr, uint64_t At, uint64_t TicksBefore,
                      uint64_t Iterations) {
  auto I0 = static_cast<double>(Osr.SeenIteration[0].load(Relaxed));
  auto T0 = static_cast<double>(Osr.SeenTicks[0].load(Relaxed));
  auto I1 = static_cast<double>(Osr.SeenIteration[1].load(Relaxed));
  auto T1 = static_cast<double>(Osr.SeenTicks[1].load(Relaxed));
  auto I2 = static_cast<double>(At), T2 = static_cast<double>(TicksBefore);
  auto End = static_cast<double>(Iterations);
  constexpr double EnoughOfAll = 1.0 / 32; // from a smaller part the rest cannot be estimated
  // If several threads are watched, the recorded polls may belong to different calls.
  bool IsOneCall = I0 < I1 && I1 < I2 && T0 <= T1 && T1 < T2;
  if (!(IsOneCall && I2 < End && I2 >= EnoughOfAll * End))
    return {};
  double Early = (T1 - T0) / (I1 - I0), Late = (T2 - T1) / (I2 - I1);
  double Slope = (Late - Early) / ((I2 - I0) / 2);
  // The middles of the interval between the last polls and of the rest.
  double Last = (I1 + I2) / 2, Rest = (I2 + End) / 2;
  double Changing = Late + Slope * (Rest - Last);
  Changing = std::clamp(Changing, Late * (End - Rest) / (End - Last), Late * Rest / Last);
  double Mean = T2 / I2;
  return {std::min(Changing, Mean) * (End - I2), std::max(Changing, Mean) * (End - I2)};
}

/// Returns whether the guards of \p Target hold. They hold for all iterations or for none, because
/// nothing that they check changes while the nest runs.
bool fits(const OsrTarget &Target, const specrt_region &Region, const uint64_t *Packed) {
  const auto Holds = [&](const CompiledBody &Body) { return allHold(Body.Guards, Region, Packed); };
  return Holds(Target) &&
         (!Target.Probe || (Holds(Target.Probe->Same) && Holds(Target.Probe->InSourceOrder)));
}

void *replaceOnStack(RegionState &S, const specrt_region &Region, const uint64_t *Packed,
                     uint64_t Iteration, specrt_call *Call) {
  OnStackReplacement &Osr = S.Osr;
  uint32_t Parity = S.enterSection();
  OsrTarget *Target = Osr.Target.load(std::memory_order_seq_cst);
  if (!Target || Target->Iteration != Iteration || !fits(*Target, S.guarded(Region), Packed)) {
    S.leaveSection(Parity);
    return nullptr;
  }
  const uint64_t Before = ticksSoFar(Osr, ticks());
  Osr.TicksBefore.store(Before, Relaxed);
  bool First = !Target->Taken.exchange(true, std::memory_order_acq_rel);
  if (First) {
    Target->AtNs = monotonicNs();
    Target->TicksBefore.store(Before, Relaxed);
    Estimate Original = estimateRest(Osr, Iteration, Before, Target->Iterations);
    Target->AtLeast.store(Original.Low, Relaxed);
    Target->AtMost.store(Original.High, Relaxed);
  }
  Osr.Taken.fetch_add(1, Relaxed);
  auto *Record = new (static_cast<void *>(Call->words)) CallRecord();
  Record->Kind = CallKind::Osr;
  Record->State = &S;
  Record->Parity = Parity;
  Record->Subject = Target;
  Record->Candidate = First;
  askSystem(*Record, WhenPreempted::Exact);
  Record->Begin = ticks();
  return Target->Body;
}

/// Handles a poll while the rest is being compiled or is ready: replaces the call at the requested
/// iteration, and sets the next poll before it.
void *arrive(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration,
             specrt_call *Call) {
  OnStackReplacement &Osr = S.Osr;
  uint64_t Goal = Osr.Iteration.load(Relaxed);
  if (Iteration < Goal) {
    recordProgress(Osr, Iteration);
    pollAt(Region, atMostTwice(Iteration, Goal - Iteration));
    return nullptr;
  }
  if (Iteration > Goal)
    return nullptr; // the requested iteration belongs to another thread's call
  if (Osr.State.load(std::memory_order_acquire) == OsrState::Compiling && !onWorkerThread()) {
    uint64_t WaitNs = elapsedNs(0, ticksSoFar(Osr, ticks())) / MaxWaitShare;
    waitForWorker(Osr, std::max<uint64_t>(WaitNs / 1000, tuning().SyncWaitUs.load(Relaxed)));
  }
  if (Osr.State.load(std::memory_order_acquire) == OsrState::Ready)
    return replaceOnStack(S, Region, Packed, Iteration, Call);
  moveOsrState(Osr, OsrState::Compiling, OsrState::Late);
  pollAt(Region, Iteration + 1);
  return nullptr;
}

void *lookAgain(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration) {
  Progress P = recordProgress(S.Osr, Iteration);
  if (S.Osr.State.load(std::memory_order_acquire) == OsrState::Again)
    return ask(S, Region, Packed, P, OsrState::Again);
  return comeBackSoon(Region, P);
}

} // namespace

void setOsrState(OnStackReplacement &Osr, OsrState State) {
  Osr.State.store(State, std::memory_order_seq_cst);
  if (Osr.Waiters.load(std::memory_order_seq_cst) > 0)
    wakeAll(Osr.State);
}

bool moveOsrState(OnStackReplacement &Osr, OsrState From, OsrState To) {
  if (!Osr.State.compare_exchange_strong(From, To, std::memory_order_seq_cst))
    return false;
  if (Osr.Waiters.load(std::memory_order_seq_cst) > 0)
    wakeAll(Osr.State);
  return true;
}

void chooseProbe(OnStackReplacement &Osr, const specrt_region &Region, double TicksPerIteration) {
  // The original goes on during the compilations.
  constexpr double MaxShare = 0.1;
  const uint64_t First = Osr.Iteration.load(Relaxed), End = Osr.Iterations.load(Relaxed);
  const double RestNs =
      First < End ? static_cast<double>(End - First) * TicksPerIteration * nsPerTick() : 0;
  const double MoreNs = (CompilationsWithProbe - 1) * expectedCompileNs(Osr);
  const bool IsWorthIt =
      (Region.flags & SPECRT_REGION_CONTINUES) && RestNs > 0 && MoreNs <= MaxShare * RestNs;
  Osr.Compilations.store(IsWorthIt ? CompilationsWithProbe : 1, Relaxed);
}

bool hasProbe(const OnStackReplacement &Osr) {
  return Osr.Compilations.load(Relaxed) == CompilationsWithProbe;
}

double expectedCompileNs(const OnStackReplacement &Osr) {
  uint64_t Known = Osr.CompileTicks.load(Relaxed);
  return Known ? static_cast<double>(Known) * nsPerTick() : FirstCompileNs;
}

double expectedOsrNs(const OnStackReplacement &Osr) {
  return std::max(Osr.Compilations.load(Relaxed), 1u) * expectedCompileNs(Osr);
}

uint64_t endWatch(RegionState &S, specrt_region &Region, const CallRecord &Record, uint64_t Ticks) {
  OnStackReplacement &Osr = S.Osr;
  if (!(Region.flags & SPECRT_REGION_POLLS))
    return Ticks;
  Osr.Short.store(Ticks < tuning().HotTicks.load(Relaxed) / 2, Relaxed);
  if (Osr.Begin.load(Relaxed) != Record.Begin)
    return Ticks;
  Osr.Begin.store(0, Relaxed);
  // An unsampled call would be mistaken for this one.
  if (Osr.State.load(Relaxed) == OsrState::Watching)
    pollAt(Region, UINT64_MAX);
  return Osr.Taken.load(Relaxed) != Record.Candidate ? Osr.OriginalTicks.load(Relaxed) : Ticks;
}

uint64_t sleptTicks(const RegionState &S, const CallRecord &Record) {
  return S.Osr.Begin.load(Relaxed) == Record.Begin ? S.Osr.Waited.load(Relaxed) : 0;
}

bool wasInterrupted(const RegionState &S, const CallRecord &Record) {
  return S.Osr.Begin.load(Relaxed) == Record.Begin &&
         (S.Osr.Waited.load(Relaxed) > 0 || S.Osr.Taken.load(Relaxed) != Record.Candidate);
}

void watchCall(RegionState &S, specrt_region &Region, const CallRecord &Record) {
  OnStackReplacement &Osr = S.Osr;
  if (!(Region.flags & SPECRT_REGION_POLLS) || !tuning().CompileEnabled.load(Relaxed))
    return;
  OsrState State = Osr.State.load(Relaxed);
  if (State == OsrState::Over)
    return;
  // The region is called again, so versions for whole calls are worth their compilation.
  if (State == OsrState::Ready && Osr.Taken.load(Relaxed) > 0)
    request(S, RequestContinue);
  // For short calls polling would only cost time.
  if (Osr.Short.load(Relaxed))
    return;
  Osr.Begin.store(Record.Begin, Relaxed);
  Osr.Clock.store(Record.ProcessorNs, Relaxed);
  Osr.Preemptions.store(Record.Preemptions, Relaxed);
  Osr.Thread.store(thisThread(), Relaxed);
  Osr.Waited.store(0, Relaxed);
  Osr.SeenIteration[1].store(0, Relaxed);
  Osr.SeenTicks[1].store(0, Relaxed);
  pollAt(Region, State == OsrState::Ready ? Osr.Iteration.load(Relaxed) : 1);
}

void keepInOriginal(const RegionState &S) {
  specrt_region *Region = S.Region.load(Relaxed);
  if (Region && (Region->flags & SPECRT_REGION_POLLS))
    pollAt(*Region, UINT64_MAX);
}

void *pollOsr(RegionState &S, specrt_region &Region, const uint64_t *Packed, uint64_t Iteration,
              specrt_call *Call) {
  OsrState State = S.Osr.State.load(std::memory_order_acquire);
  // The times of a call that is not watched are unknown, but a ready version may still replace it.
  if (State != OsrState::Ready && S.Osr.Begin.load(Relaxed) == 0)
    return nullptr;
  switch (State) {
  case OsrState::Watching:
    return watch(S, Region, Packed, Iteration);
  case OsrState::Compiling:
  case OsrState::Ready:
    return arrive(S, Region, Packed, Iteration, Call);
  case OsrState::Late:
  case OsrState::Again:
    return lookAgain(S, Region, Packed, Iteration);
  case OsrState::Asking:
  case OsrState::Over:
    break;
  }
  return nullptr;
}

void *continueOsr(CallRecord &Record) {
  auto &Target = *static_cast<OsrTarget *>(Record.Subject);
  if (!Target.Probe || Record.Class == PastProbe)
    return nullptr;
  Record.Class = PastProbe;
  const OnStackReplacement &Osr = Record.State->Osr;
  const OsrProbe &Probe = *Target.Probe;
  const uint64_t Ticks = endMeasurement(Record, 0, Target.Parallel).Ticks;
  const Estimate Original =
      estimateRest(Osr, Target.Iteration, Osr.TicksBefore.load(Relaxed), Probe.End);
  const double AtMost = Original.High > 0 ? Original.High : Probe.ExpectedNs / nsPerTick();
  if (static_cast<double>(Ticks) <= AtMost)
    return Probe.Same.Body;
  if (Record.Candidate)
    Target.WasSlow.store(true, Relaxed);
  return Probe.InSourceOrder.Body;
}

void leaveOsr(RegionState &S, const CallRecord &Record, uint64_t Ticks) {
  auto *Target = static_cast<OsrTarget *>(Record.Subject);
  // The estimate is not less than the measured time: an original that seems too fast would never be
  // replaced again.
  const uint64_t Rest = std::max(static_cast<uint64_t>(Target->AtLeast.load(Relaxed)), Ticks);
  S.Osr.OriginalTicks.store(S.Osr.TicksBefore.load(Relaxed) + Rest, Relaxed);
  if (Record.Candidate) {
    Target->TicksAfter.store(Ticks, Relaxed);
    Target->Done.store(true, std::memory_order_release);
    request(S, RequestOsr);
  }
  S.leaveSection(Record.Parity);
}

} // namespace specrt
