//===- runtime/decide/osr/serve_running_call.cpp - compiles the rest of a running call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no time for a trial, so the most promising candidate that can be built takes over. If
// much of the call is left, the candidate first executes a small part, the probe. If that was
// slower than the original, code in the original's order executes the remainder.
//
// A version for whole calls of the next run is compiled before that, because programs often end
// soon after a replacement. It costs this run one compilation during which the original goes on,
// and every later run gains in the whole call.
//
//===----------------------------------------------------------------------===//
#include "guards/polynomial.h"
#include "profiler/observations/arrays/zero_shares.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/pending_samples.h"
#include "runtime/call/work_queue.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/osr/osr_report.h"
#include "runtime/decide/prepare.h"
#include "specializer/strategies/table/candidates.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace specrt {
namespace {

/// The rest of the call must take this many times as long as a compilation to be worth one.
constexpr double MinRest = 2;

/// The share of the rest, by its time in the original, that the probe executes. A candidate that
/// takes four times as long lengthens the call by three eighths of the rest instead of by three
/// times the rest.
constexpr double ProbePart = 1.0 / 8;

/// A call that has its processor for a smaller share of its time competes with other programs. Then
/// threads of a parallel version would have to wait, too.
constexpr double MinProcessorShare = 0.9;

/// A request is out of date if it has waited this many times as long as the compilations take.
constexpr double MaxDelay = 0.4;

double ns(uint64_t Ticks) { return static_cast<double>(Ticks) * nsPerTick(); }

/// Returns the iterations of the outermost loop in a call with these arguments; 0: unknown.
uint64_t iterationsOf(const specrt_region &Region, const uint64_t *Packed) {
  if (Region.num_loops == 0)
    return 0;
  std::optional<int64_t> Count = evaluate(Region.loops[0].trip_count, Region, Packed);
  return Count && *Count > 0 ? static_cast<uint64_t>(*Count) : 0;
}

/// Returns a plan from the facts of one call; nothing if there is none.
std::optional<SpeculationPlan> planFor(const specrt_region &Region, const PendingSample &Call,
                                       double Ns) {
  RegionProfile Profile(Region);
  Profile.record(Call.Packed.data(), static_cast<uint64_t>(Ns), Call.Cells);
  std::vector<SpeculationPlan> Found =
      withZeros(plans(Profile, Region, 1), Profile.get<ZeroShares>());
  return Found.empty() ? std::nullopt : std::optional(std::move(Found.front()));
}

/// Returns the nanoseconds that the original would still need when the version takes over. If the
/// end of the call is unknown, the call is assumed to be half done.
double restNs(const OnStackReplacement &Osr, uint64_t Iterations) {
  uint64_t Goal = Osr.Iteration.load(std::memory_order_relaxed);
  if (Iterations > 0) {
    auto First = static_cast<double>(Goal), End = static_cast<double>(Iterations);
    double Growth = Osr.TicksGrowth.load(std::memory_order_relaxed);
    double Rate = Growth > 0 ? Growth * (First + End) / 2
                             : Osr.TicksPerIteration.load(std::memory_order_relaxed);
    return Goal < Iterations ? Rate * (End - First) * nsPerTick() : 0;
  }
  return ns(Osr.Asked.load(std::memory_order_relaxed) - Osr.Begin.load(std::memory_order_relaxed));
}

/// Returns the iteration up to which the original, from \p First on, takes ProbePart of the time
/// that it takes to the end.
uint64_t endOfProbe(const OnStackReplacement &Osr, uint64_t First, uint64_t Iterations) {
  const auto Begin = static_cast<double>(First), End = static_cast<double>(Iterations);
  if (Osr.TicksGrowth.load(std::memory_order_relaxed) <= 0)
    return First + static_cast<uint64_t>(ProbePart * (End - Begin));
  const double Squares = Begin * Begin + ProbePart * (End * End - Begin * Begin);
  return static_cast<uint64_t>(std::sqrt(Squares));
}

/// Returns the nanoseconds that the original needs for a whole call at its speed so far.
double callNs(const OnStackReplacement &Osr, uint64_t Iterations) {
  const auto End = static_cast<double>(Iterations);
  const double Growth = Osr.TicksGrowth.load(std::memory_order_relaxed);
  const double Rate =
      Growth > 0 ? Growth * End / 2 : Osr.TicksPerIteration.load(std::memory_order_relaxed);
  return Rate * End * nsPerTick();
}

} // namespace

/// Compiles the rest that a running call has requested. Reports replacements that are over.
void RegionOptimizer::serveRunningCall(RegionDetail &D) {
  OnStackReplacement &Osr = D.State->Osr;
  {
    RegistryLock Guard(R);
    tellOsr(Guard, D);
  }
  OsrState State = Osr.State.load(std::memory_order_acquire);
  if (State != OsrState::Compiling && State != OsrState::Late)
    return;
  std::optional<PendingSample> Call = takePendingSample(*D.State, SampleUse::Osr);
  // A region that has lost too much runs its original, and so does a call that a trial times. A
  // compile beside replays would come late, and the call would wait for it.
  if (!Call || D.Work.IsQuarantined || D.Work.IsBeingReplayed || D.Account->leftNs() <= 0 ||
      (D.Work.OnTrial && !D.Work.OnTrial->complete(0)))
    return setOsrState(Osr, OsrState::Over);
  // The worker was busy, so the call has to choose a later iteration.
  uint64_t Waited = ticks() - Osr.Asked.load(std::memory_order_relaxed);
  if (State == OsrState::Late || ns(Waited) > MaxDelay * expectedOsrNs(Osr))
    return setOsrState(Osr, OsrState::Again);
  uint64_t Iterations = iterationsOf(D.Copy.region(), Call->Packed.data());
  bool Sync = tuning().SyncWaitUs.load(std::memory_order_relaxed) > 0;
  // If the number of iterations is known, so is the value of a version for whole calls.
  if (!Sync && Iterations > 0 && canPrepareNextRun(D)) {
    if (std::optional<SpeculationPlan> Whole =
            planFor(D.Copy.region(), *Call, callNs(Osr, Iterations))) {
      // The call goes on meanwhile, and chooses an iteration afterwards.
      moveOsrState(Osr, OsrState::Compiling, OsrState::Late);
      compileForNextRun(D, *Whole);
      return setOsrState(Osr, OsrState::Again);
    }
  }
  double RestNs = restNs(Osr, Iterations);
  if (!Sync && RestNs < MinRest * expectedCompileNs(Osr)) {
    // The call may be longer than expected, so it may request its rest again.
    moveOsrState(Osr, OsrState::Compiling, OsrState::Watching);
    moveOsrState(Osr, OsrState::Late, OsrState::Watching);
    return;
  }
  // A call that learns its length has to choose an iteration that is further ahead for a probe.
  if (Osr.Iterations.exchange(Iterations, std::memory_order_relaxed) != Iterations) {
    chooseProbe(Osr, D.Copy.region(), Osr.TicksPerIteration.load(std::memory_order_relaxed));
    if (!Sync && hasProbe(Osr))
      return setOsrState(Osr, OsrState::Again);
  }
  const bool WithProbe =
      hasProbe(Osr) && endOfProbe(Osr, Osr.Iteration, Iterations) > Osr.Iteration;
  std::optional<SpeculationPlan> Plan = planFor(D.Copy.region(), *Call, RestNs);
  if (!Plan)
    return setOsrState(Osr, OsrState::Over);
  uint64_t First = Osr.Iteration.load(std::memory_order_relaxed);
  SpeculationPlan Whole = *Plan;
  double Part = Iterations > First ? double(Iterations - First) / double(Iterations) : 0.5;
  Whole.MeanNs = RestNs / Part;
  const ResumeCall Rest = {.FirstIteration = First,
                           .EndIteration = WithProbe ? endOfProbe(Osr, First, Iterations) : 0,
                           .Ns = WithProbe ? ProbePart * RestNs : RestNs};
  compileRest(D, *Plan, Rest, RestNs, Iterations);
  // If the call had already passed the iteration, it requests its rest again, and comes first.
  if (!Sync && Osr.State.load(std::memory_order_acquire) != OsrState::Again && canPrepareNextRun(D))
    compileForNextRun(D, Whole);
}

/// Returns whether the worker may compile a version for whole calls of the next run: none has been
/// made yet, and no trial makes one. No call waits for it, so requests of other regions come first.
bool RegionOptimizer::canPrepareNextRun(const RegionDetail &D) const {
  return !D.Work.PreparedNextRun && !D.Work.OnTrial && !D.Work.NeverCompile && queueIsEmpty();
}

/// Compiles and stores versions for whole calls, with which the next run begins, while the call
/// goes on.
void RegionOptimizer::compileForNextRun(RegionDetail &D, const SpeculationPlan &Plan) {
  D.Work.PreparedNextRun = true;
  Task T;
  std::string Reason;
  {
    RegistryLock Guard(R);
    T.Settings = D.settings(R.Settings);
    T.Store = identity().known() ? R.Versions : nullptr;
    Reason = D.Reason;
  }
  if (!T.Store || !T.Settings.writesProfile() || R.Compiler.isClosed())
    return;
  T.Doing =
      unmeasuredStep(Plan, 1, Measured::OnColdCalls, T.Settings, D.Work.Slow[Plan.Assumed.id()]);
  Bodies Found;
  obtainCandidates(D, T, Found);
  RegistryLock Guard(R);
  discard(Guard, D, Found);
  if (!D.Work.NeverCompile)
    D.Reason = std::move(Reason);
}

/// Compiles the first candidate of \p Names that can be built for \p Part of a call, and adds it to
/// \p Found.
void RegionOptimizer::compilePart(RegionDetail &D, Task &T, const ResumeCall &Part,
                                  std::string Names, Bodies &Found) {
  T.Doing.What = Part;
  Bodies Made;
  compileCandidates(D, T, {.Any = true, .Only = std::move(Names)}, nullptr, Made);
  std::move(Made.begin(), Made.end(), std::back_inserter(Found));
}

/// Compiles the rest of a call, which takes the original \p RestNs, and makes it available to the
/// call. If \p Begin is not all of the rest, it is a probe.
void RegionOptimizer::compileRest(RegionDetail &D, const SpeculationPlan &Plan,
                                  const ResumeCall &Begin, double RestNs, uint64_t Iterations) {
  OnStackReplacement &Osr = D.State->Osr;
  Osr.Attempts.fetch_add(1, std::memory_order_relaxed);
  Task T{.Doing = {.Plan = Plan}};
  std::string Reason;
  {
    RegistryLock Guard(R);
    T.Settings = D.settings(R.Settings);
    Reason = D.Reason;
  }
  const bool Sync = tuning().SyncWaitUs.load(std::memory_order_relaxed) > 0;
  if (!Sync && Osr.ProcessorShare.load(std::memory_order_relaxed) < MinProcessorShare)
    T.Settings.Threads = 1;
  // The candidates that may be chosen without a trial.
  auto Promising = orderOfTakeover(RestNs * 1e-9, workerThreads(T.Settings));
  const std::string &Slow = D.Work.Slow[T.assumed().id()];
  std::erase_if(Promising, [&](const CandidateKind *Kind) { return Kind->Name == Slow; });
  const bool WithProbe = Begin.EndIteration != 0;
  const ResumeCall Behind = {.FirstIteration = Begin.EndIteration, .Ns = RestNs - Begin.Ns};
  const uint64_t Asked = ticks();
  Bodies Found;
  compilePart(D, T, Begin, joinNames(Promising), Found);
  if (WithProbe && Found.size() == 1)
    compilePart(D, T, Behind, Found.front().Name, Found);
  if (WithProbe && Found.size() == 2)
    compilePart(D, T, Behind, "constants", Found);
  const size_t Needed = WithProbe ? CompilationsWithProbe : 1;
  Osr.CompileTicks.store((ticks() - Asked) / Needed, std::memory_order_relaxed);
  RegistryLock Guard(R);
  if (!D.Work.NeverCompile)
    D.Reason = std::move(Reason);
  if (Found.size() < Needed || R.Compiler.isClosed()) {
    discard(Guard, D, Found);
    return setOsrState(Osr, OsrState::Over);
  }
  OsrTarget &Target =
      *D.History.OsrTargets.emplace_back(std::make_unique<OsrTarget>(std::move(Found[0])));
  Target.Iteration = Begin.FirstIteration;
  Target.Iterations = Iterations;
  Target.ExpectedNs = Iterations > 0 ? RestNs : 0;
  Target.Assumed = T.assumed();
  if (WithProbe)
    Target.Probe = {.End = Begin.EndIteration,
                    .ExpectedNs = Begin.Ns,
                    .Same = std::move(Found[1]),
                    .InSourceOrder = std::move(Found[2])};
  Osr.Target.store(&Target, std::memory_order_seq_cst);
  if (moveOsrState(Osr, OsrState::Compiling, OsrState::Ready))
    return;
  // The call has already passed the iteration.
  retireOsr(Guard, D);
  setOsrState(Osr, OsrState::Again);
}

/// Withdraws the target, so that no more calls hand over, and schedules its code for release.
void RegionOptimizer::retireOsr(const RegistryLock &Guard, RegionDetail &D) {
  OsrTarget *Target = D.State->Osr.Target.exchange(nullptr, std::memory_order_seq_cst);
  if (!Target)
    return;
  Garbage.addStored(*D.State, std::move(Target->Stored));
  if (Target->Probe) {
    Garbage.addStored(*D.State, std::move(Target->Probe->Same.Stored));
    Garbage.addStored(*D.State, std::move(Target->Probe->InSourceOrder.Stored));
  }
}

/// Ends on-stack replacement once versions for whole calls exist or never will, because then the
/// rest of a call is not needed any more.
void RegionOptimizer::endOsr(RegionDetail &D) {
  OnStackReplacement &Osr = D.State->Osr;
  switch (D.State->CurrentPhase.load(std::memory_order_relaxed)) {
  case Phase::Trial:
    // A call that began before the trial may still hand over, but a turn of the original must not.
    if (D.Work.OnTrial && D.Work.OnTrial->complete(0))
      return;
    break;
  case Phase::Specialised:
  case Phase::Retired:
  case Phase::Blocked:
    break;
  default:
    return;
  }
  if (!Osr.Target.load(std::memory_order_relaxed))
    return;
  RegistryLock Guard(R);
  setOsrState(Osr, OsrState::Over);
  retireOsr(Guard, D);
}

} // namespace specrt
