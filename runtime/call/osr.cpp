//===- runtime/call/osr.cpp - the running call's side of on-stack replacement ---===//
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

/// So many compilations that came too late, and the region's calls are left alone.
constexpr uint32_t MaxAttempts = 3;
/// What a compilation is expected to take before there has been one, the opening of the compiler
/// included.
constexpr double FirstCompileNs = 200e6;
/// Compilations vary: one that is ready too early costs less than one that is too late.
constexpr double Margin = 1.25;
/// A call that arrives before its version waits at most this part of the time it has taken so far.
constexpr uint64_t MaxWaitShare = 3;
/// After that the speed of a call counts as known, however it varies.
constexpr double LongEnoughNs = 30e6;
/// CallRecord::Class of a call whose probe is over.
constexpr uint32_t PastProbe = 1;
/// Pause between two looks at a compilation that is late.
constexpr double LookAgainNs = 10e6;

void pollAt(specrt_region &Region, uint64_t Iteration) {
  if (Region.poll_at)
    __atomic_store_n(Region.poll_at, Iteration, __ATOMIC_RELAXED);
}

/// How far the call is, and its recent speed in ticks per iteration. Growth is 0 unless iterations
/// take longer in proportion to their number, as in triangular nests; then it is the factor.
/// Steady: the speeds between the last looks are alike, so that no preemption of the thread is
/// among them.
struct Progress {
  uint64_t Iteration = 0, Ticks = 0;
  double Rate = 1, Growth = 0;
  bool Steady = false;
};

/// Between the last two looks and the two before. Small changes are noise.
double growth(double Before, double BeforeAt, double Rate, double RateAt) {
  double Relative = (Rate - Before) / (RateAt - BeforeAt) * RateAt / Rate;
  return Relative > 0.5 ? Rate / RateAt : 0;
}

const void *thisThread() { return &errno; }

/// Ticks that the watched call has run, without what other threads had of its processor; 0 without
/// one.
uint64_t ticksSoFar(const OnStackReplacement &Osr, uint64_t Now) {
  const uint64_t Begin = Osr.Begin.load(Relaxed);
  const uint64_t Paused = Begin + Osr.Waited.load(Relaxed);
  const uint64_t Ticks = Begin && Now > Paused ? Now - Paused : 0;
  if (Osr.Thread.load(Relaxed) != thisThread())
    return Ticks;
  const double AtMostNs = ownNs(Osr.Clock.load(Relaxed), Osr.Preemptions.load(Relaxed));
  return static_cast<uint64_t>(std::min(static_cast<double>(Ticks), AtMostNs / nsPerTick()));
}

/// The call comes by. The last two places stay known.
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
  constexpr double Alike = 2.5, EnoughIterations = 16;
  double Before = (T1 - T0) / (I1 - I0);
  P.Steady = P.Rate < Alike * Before && Before < Alike * P.Rate;
  if (I0 >= EnoughIterations)
    P.Growth = growth(Before, (I0 + I1) / 2, P.Rate, (I1 + I2) / 2);
  return P;
}

/// The number of iterations from here that take this long, at least one.
uint64_t iterationsIn(double Ticks, const Progress &P) {
  constexpr double Most = 1e15;
  double Now = static_cast<double>(P.Iteration), Count = Ticks / P.Rate;
  if (P.Growth > 0)
    Count = std::sqrt(Now * Now + 2 * Ticks / P.Growth) - Now;
  return std::max<uint64_t>(static_cast<uint64_t>(std::min(Count, Most)), 1);
}

/// The next look. Never further than that: speeds change.
uint64_t atMostTwice(uint64_t Iteration, uint64_t Distance) {
  return Iteration + std::min(Distance, std::max<uint64_t>(Iteration, 1));
}

/// A wait is not part of the time that the original needs.
void waitForWorker(OnStackReplacement &Osr, uint64_t TimeoutUs) {
  if (!hasWorker())
    return;
  uint64_t Begin = ticks();
  waitWhile(Osr.State, OsrState::Compiling, Osr.Waiters, TimeoutUs);
  uint64_t End = ticks();
  if (End > Begin)
    Osr.Waited.fetch_add(End - Begin, Relaxed);
}

/// Is the worker likely to be busy? What is asked now would come at an unknown time.
bool isCompiling() {
  return tuning().IsCompiling.load(Relaxed) || tuning().CompileStarves.load(Relaxed);
}

void *comeBackSoon(specrt_region &Region, const Progress &P) {
  pollAt(Region, atMostTwice(P.Iteration, iterationsIn(LookAgainNs / nsPerTick(), P)));
  return nullptr;
}

/// Asks the worker for the rest of the call from an iteration that lies ahead. The state was From.
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
  // Half-way it comes by once more: two speeds tell what the rest would take in the original.
  pollAt(Region, atMostTwice(P.Iteration, (Ahead + 1) / 2));
  if (SyncUs)
    waitForWorker(Osr, SyncUs);
  return nullptr;
}

/// Until the call has lasted long enough it comes by at about twice the iteration each time.
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

/// Ticks that the original would need from iteration At on: at its mean speed so far, or at a speed
/// that goes on changing as it did between the last looks, but no faster than in nests whose inner
/// loops run from or up to the outer number. The truth is likely between the two.
Estimate estimateRest(const OnStackReplacement &Osr, uint64_t At, uint64_t TicksBefore,
                      uint64_t Iterations) {
  auto I0 = static_cast<double>(Osr.SeenIteration[0].load(Relaxed));
  auto T0 = static_cast<double>(Osr.SeenTicks[0].load(Relaxed));
  auto I1 = static_cast<double>(Osr.SeenIteration[1].load(Relaxed));
  auto T1 = static_cast<double>(Osr.SeenTicks[1].load(Relaxed));
  auto I2 = static_cast<double>(At), T2 = static_cast<double>(TicksBefore);
  auto End = static_cast<double>(Iterations);
  constexpr double EnoughOfAll = 1.0 / 32;
  // Where several threads are watched, what was seen may belong to different calls.
  bool IsOneCall = I0 < I1 && I1 < I2 && T0 <= T1 && T1 < T2;
  if (!(IsOneCall && I2 < End && I2 >= EnoughOfAll * End))
    return {};
  double Early = (T1 - T0) / (I1 - I0), Late = (T2 - T1) / (I2 - I1);
  double Slope = (Late - Early) / ((I2 - I0) / 2);
  // In the middles of the last stretch and of the rest.
  double Last = (I1 + I2) / 2, Rest = (I2 + End) / 2;
  double Changing = Late + Slope * (Rest - Last);
  Changing = std::clamp(Changing, Late * (End - Rest) / (End - Last), Late * Rest / Last);
  double Mean = T2 / I2;
  return {std::min(Changing, Mean) * (End - I2), std::max(Changing, Mean) * (End - I2)};
}

/// Guards hold for all iterations or none: nothing that they look at changes while the nest runs.
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

/// The call is at, or on its way to, the iteration that it asked for.
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
    return nullptr; // another thread's number
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
  // An unsampled call would be taken for this one.
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
  // The region is called again: now versions for whole calls are worth their compilation.
  if (State == OsrState::Ready && Osr.Taken.load(Relaxed) > 0)
    request(S, RequestContinue);
  // Where calls are short, asking would only cost time.
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
  // Times of a call that is not watched are not known; it may still take what is ready.
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
  // Not less than was measured: an original that seems too fast would never be replaced again.
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
