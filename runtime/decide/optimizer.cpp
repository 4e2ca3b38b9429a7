//===- runtime/decide/optimizer.cpp - leads a hot region to a trial -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/optimizer.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/call/locked_region.h"
#include "runtime/call/pending_samples.h"
#include "runtime/capture/capture.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/publish.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/requests/compile_request.h"
#include "runtime/decide/verdict.h"
#include "specializer/strategies/table/candidates.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

namespace specrt {
namespace {

/// The number of compiles after which a region's values count as unstable.
constexpr uint32_t MaxCompiles = 32;

/// Sorts by promise, so that a program with few calls runs the best candidate early.
void sortByPromise(std::vector<CompiledBody> &Found,
                   const std::vector<const CandidateKind *> &Order) {
  auto Rank = [&](const CompiledBody &Body) {
    return std::find(Order.begin(), Order.end(), findCandidate(Body.Name)) - Order.begin();
  };
  std::sort(Found.begin(), Found.end(),
            [&](const auto &A, const auto &B) { return Rank(A) < Rank(B); });
}

/// Records that T gave no candidate, for D's reason.
void addFailure(RegionDetail &D, const Task &T) {
  using Outcome = StoredDecision::Outcome;
  addDecision(D, {.Assumed = T.assumed(),
                  .Share = T.Doing.Plan.Share,
                  .Result = D.Work.NeverCompile ? Outcome::Endless : Outcome::Failed,
                  .Reason = D.Reason});
}

} // namespace

/// Returns Normal if calls wait for the result, or may wait.
Priority RegionOptimizer::priorityFor(const RegionState &S, const Config &Settings) {
  bool Sync = tuning().SyncWaitUs.load(std::memory_order_relaxed) > 0;
  bool Call = S.CurrentPhase.load(std::memory_order_relaxed) == Phase::Preparing &&
              S.MayWaitUs.load(std::memory_order_relaxed) > 0;
  bool Program = tuning().WorkerAwaited.load(std::memory_order_relaxed) > 0;
  return Sync || Call || Program ? Priority::Normal : Settings.CompilePriority;
}

RegionOptimizer::RegionOptimizer(Registry &R) : R(R) {}

void RegionOptimizer::process(RegionState &S, uint32_t Requests) {
  RegionDetail *D;
  {
    RegistryLock Guard(R);
    D = R.detailOf(Guard, S);
    if (!D)
      return;
    if (D->Departed)
      return depart(Guard, *D, /*IsLast=*/(Requests & RequestDepart) != 0);
    D->createProfile(Guard);
    if (D->Restart)
      return restart(Guard, *D);
  }
  // The decision comes first, because it ends the trial on which the others would build.
  if (Requests & RequestDecide)
    decide(*D);
  if (Requests & RequestOsr)
    serveRunningCall(*D);
  bool Continue = (Requests & RequestContinue) && continueSteps(*D);
  if (Continue || (Requests & RequestPrepare))
    advance(*D);
  if (Requests & RequestCompile)
    planHotRegion(*D);
  if (Requests & RequestReview)
    review(*D);
  endOsr(*D);
}

/// Called when the further calls for which the next step waited have come. Returns false without a
/// next step.
bool RegionOptimizer::continueSteps(RegionDetail &D) {
  RegistryLock Guard(R);
  if (D.Work.Steps.empty())
    return false;
  D.Work.Steps.front().AfterMoreCalls = false;
  // After an on-stack replacement, no version has taken the region out of Profiling.
  Phase Expected = Phase::Profiling;
  D.State->CurrentPhase.compare_exchange_strong(Expected, Phase::Compiling);
  return true;
}

void RegionOptimizer::planHotRegion(RegionDetail &D) {
  RegionState &S = *D.State;
  // The next call came before the worker had served the request from the end of the last one.
  if (D.Work.OnTrial || D.Work.Instrumented)
    return;
  std::vector<SpeculationPlan> Found;
  Measured Baseline;
  {
    RegistryLock Guard(R);
    LockedRegion Lock(S);
    // The captured call is replayed after the run. Until then nothing is compiled or tried, unless
    // this run makes as many calls as there are candidates.
    if (const double Ns = S.Captures.UsualNs.exchange(0, std::memory_order_relaxed);
        Ns > 0 && hasCapture(&S)) {
      const double Ticks = Ns / nsPerTick() * static_cast<double>(candidateKinds().size());
      S.HotTarget = S.TotalTicks + static_cast<uint64_t>(Ticks);
      setPhase(S, Phase::Profiling);
      return;
    }
    // A replay costs the program no time, so a quarantined region waits for one, too.
    if (D.Work.IsQuarantined && hasCapture(&S)) {
      S.HotTarget = UINT64_MAX;
      setPhase(S, Phase::Profiling);
      return;
    }
    Baseline = measuredOn(S.ColdSamples, S.Samples);
    uint64_t Seen = D.Seen.Recent->sampledCalls();
    if (Seen < SamplesOfPlan && S.Samples > 4 * (Seen + 1)) {
      // The profile came late because the worker was busy, so some more calls are observed.
      S.HotTarget = S.TotalTicks + tuning().HotTicks.load(std::memory_order_relaxed) / 4;
      setPhase(S, Phase::Profiling);
      return;
    }
    if (!D.Work.IsQuarantined)
      Found = D.plans(R.Settings.MaxVersions);
  }
  {
    RegistryLock Guard(R);
    D.Hot = true;
    D.History.Events.add(Event::Hot);
    addSteps(Guard, D, Found, Baseline);
    // A call with on-stack replacement may be the only one, like other long calls that come once.
    if (!D.Work.Steps.empty() && S.Osr.Taken.load(std::memory_order_relaxed) == 1)
      D.Work.Steps.front().AfterMoreCalls = true;
    if (D.Work.Steps.empty() && D.Reason.empty())
      D.Reason = Found.empty() ? words(Reason::NoCallRecorded) : whyLostEarlier(D);
    logLine(LogLevel::Debug, "%s: hot, %zu plans", D.Copy.region().name, D.Work.Steps.size());
  }
  advance(D);
}

void RegionOptimizer::advance(RegionDetail &D) {
  const bool KeepsVersions = identity().known();
  while (true) {
    {
      RegistryLock Guard(R);
      if (D.Work.OnTrial || D.Work.Instrumented || D.Departed || D.Restart)
        return;
      if (D.Work.Steps.empty() || D.Work.Compiles >= MaxCompiles) {
        D.Work.Steps.clear();
        if (!wantsInstrumented(Guard, D))
          return settle(Guard, D);
        D.Work.Steps.push_back(instrumentStep(Guard, D));
      }
      if (D.Work.Steps.front().AfterMoreCalls)
        return waitForCalls(Guard, D);
      D.Work.Current = {.Doing = std::move(D.Work.Steps.front()),
                        .Settings = D.settings(R.Settings),
                        .Store = KeepsVersions ? R.Versions : nullptr};
      D.Work.Steps.pop_front();
    }
    if (runStep(D))
      return;
  }
}

/// Returns whether the calls since the current plan was made show that it is none of the best ones,
/// of which some were not tried yet. Makes steps of these, and drops other outdated plans.
bool RegionOptimizer::replacePlan(const RegistryLock &Guard, RegionDetail &D) {
  const SpeculationPlan &Old = D.Work.Current.Doing.Plan;
  std::vector<SpeculationPlan> Newer;
  {
    LockedRegion Lock(*D.State);
    if (Old.NumCalls == 0 || D.Seen.Recent->sampledCalls() < 2 * Old.NumCalls ||
        servesMost(Old.Assumed, *D.Seen.Recent, D.Copy.region()))
      return false;
    Newer = D.plans(R.Settings.MaxVersions);
  }
  const auto IsNewer = [&](const SpeculationPlan &Plan) {
    return std::any_of(Newer.begin(), Newer.end(), [&](const SpeculationPlan &P) {
      return Plan.Assumed.covers(P.Assumed) ||
             (Plan.Assumed.constantsId() == P.Assumed.constantsId() &&
              Plan.Assumed.Overlaps == P.Assumed.Overlaps);
    });
  };
  const bool AreTried = std::ranges::all_of(
      Newer, [&](const SpeculationPlan &P) { return D.Work.TriedPlans.contains(P.Assumed.id()); });
  if (AreTried || IsNewer(Old))
    return false;
  D.History.Events.add(Event::Relearning, "calls beside the compile had other values");
  logLine(LogLevel::Debug, "%s: calls beside the compile had other values than %s",
          D.Copy.region().name, describe(Old.Assumed, D.Copy.region()).c_str());
  std::erase_if(D.Work.Steps,
                [&](const Step &S) { return S.as<TryCandidates>() && !IsNewer(S.Plan); });
  addSteps(Guard, D, Newer, Measured::OnBoth);
  return true;
}

/// Adds steps for those of the plans that were not tried yet.
void RegionOptimizer::addSteps(const RegistryLock &Guard, RegionDetail &D,
                               const std::vector<SpeculationPlan> &Plans, Measured Baseline) {
  const uint64_t Calls = D.State->calls();
  for (const SpeculationPlan &Plan : Plans)
    if (D.Work.TriedPlans.insert(Plan.Assumed.id()).second)
      D.Work.Steps.push_back(unmeasuredStep(Plan, Calls, Baseline, D.settings(R.Settings)));
}

/// Returns true when there is nothing more to do for now: a trial runs, the region begins anew, or
/// the process is ending.
bool RegionOptimizer::runStep(RegionDetail &D) {
  const Step &Now = D.Work.Current.Doing;
  if (Now.as<InstrumentCall>())
    return runInstrumentation(D);
  const auto *Proven = Now.as<PublishProven>();
  Bodies Found;
  Answer Last = obtainCandidates(D, D.Work.Current, Found);
  RegistryLock Guard(R);
  // When the process is ending, the region keeps the state that the report shows.
  if (R.Compiler.isClosed() || D.Restart || D.Departed) {
    discard(Guard, D, Found);
    if (D.Departed) // the step is taken again when the image is loaded again
      D.Work.Steps.push_front(std::move(D.Work.Current.Doing));
    return true;
  }
  if (Found.empty()) {
    if (Last == Answer::TooEarly) {
      postpone(Guard, D);
      return true;
    }
    D.Failed = true;
    // Without a compiler, versions that an earlier run has compiled can still be loaded.
    if (Last == Answer::NoCompiler)
      std::erase_if(D.Work.Steps, [](const Step &S) { return !S.as<PublishProven>(); });
    else
      addFailure(D, D.Work.Current);
    D.Work.Records[Now.Plan.Assumed.id()].Complete |= Last == Answer::Asked && !Proven;
    return false;
  }
  if (Proven) {
    Guard.unlock();
    const bool IsPublished = publish(D, Found.front(), Proven->BaselineNs, Proven->BodyNs);
    Guard.lock();
    if (IsPublished)
      Found.erase(Found.begin());
    else if (D.Departed)
      D.Work.Steps.push_front(std::move(D.Work.Current.Doing));
    discard(Guard, D, Found);
    return false;
  }
  if (Now.as<TryCandidates>() && replacePlan(Guard, D)) {
    discard(Guard, D, Found);
    return false;
  }
  if (instrumentsFirst(Guard, D, Found))
    return false;
  if (!Now.wanted().empty())
    D.Work.Steps.push_front({.Plan = Now.Plan, .AfterMoreCalls = true});
  return startTrial(Guard, D, std::move(Found));
}

/// Gets candidates from the store, or has them compiled.
RegionOptimizer::Answer RegionOptimizer::obtainCandidates(RegionDetail &D, const Task &T,
                                                          Bodies &Found) {
  VersionStore *Store = T.Store.get();
  const Config &Settings = T.Settings;
  const std::string &Wanted = T.Doing.wanted();
  MissingCandidates Missing = {.Any = true, .Only = Wanted};
  if (!Store)
    return compileCandidates(D, T, Missing, nullptr, Found);
  StoredPlan Stored(*Store, D.Copy.region(), T.assumed(), Settings);
  if (Settings.readsProfile())
    Missing = Stored.take(R.Compiler.gate(), namesFor(T.Doing, Settings), Wanted.empty(), Found);
  if (!Missing.Any)
    return Answer::Asked;
  return compileCandidates(D, T, Missing, &Stored, Found);
}

/// Has a server compile the missing candidates and adds them to \p Found. They are loaded from the
/// store, where debuggers and profilers find them, or else from the server's messages.
RegionOptimizer::Answer RegionOptimizer::compileCandidates(RegionDetail &D, const Task &T,
                                                           const MissingCandidates &Missing,
                                                           StoredPlan *Stored, Bodies &Found) {
  CompileRequest Request;
  if (Answer Refused = beginCompile(D, T, Missing, Request); Refused != Answer::Asked)
    return Refused;
  const ServerChoice Where = Registry::serverFor(T.Settings);
  if (Stored && !Where.CacheDirectory.empty())
    keepAndShare(D, T, Request);
  std::map<std::string, CandidateMessage> Sent;
  const uint64_t Begin = ticks();
  const auto Made = R.Compiler.compile(Where, Request, [&](CandidateMessage Candidate) {
    Sent.insert_or_assign(Candidate.Name, std::move(Candidate));
  });
  D.State->Osr.CompileTicks.store(ticks() - Begin, std::memory_order_relaxed);
  if (!Made.Answer)
    return Made.Failure ? failCompile(D, T, *Made.Failure) : Answer::NothingFits;
  Bodies New;
  if (!Made.Answer->HasFailed)
    for (const std::string &Name : Made.Answer->Candidates) {
      // A compile that is shared with another program may list candidates that Found has from the
      // store.
      if (std::any_of(Found.begin(), Found.end(),
                      [&](const CompiledBody &Known) { return Known.Name == Name; }))
        continue;
      if (Request.IsKept && Stored->load(R.Compiler.gate(), Name, New))
        New.back().FromCache = false;
      else if (const auto Body = Sent.find(Name); Body != Sent.end())
        loadSent(D.Copy.region(), T, Body->second, New);
    }
  // Loading fails for lack of memory or of rights, which says nothing about the region, so nothing
  // is remembered.
  if (!Made.Answer->Candidates.empty() && New.empty() && Found.empty())
    return failCompile(D, T,
                       {FailureMessage::Cause::ServerEnded, "what was compiled cannot be loaded"});
  RegistryLock Guard(R);
  collect(Guard, D, T, *Made.Answer, std::move(New), Found);
  return Answer::Asked;
}

/// Loads a candidate that is not in the store and adds it to \p Found. Logs a failure.
void RegionOptimizer::loadSent(const specrt_region &Region, const Task &T,
                               const CandidateMessage &Sent, Bodies &Found) {
  std::string Why = Sent.Problem;
  if (Why.empty() && addVersion({.Bytes = Sent.Object, .Key = Sent.Key}, Sent.Name, Region,
                                workerThreads(T.Settings), R.Compiler.gate(), Found, Why))
    return;
  logLine(LogLevel::Info, "%s: the compiled version %s is not used: %s", Region.name,
          Sent.Name.c_str(), Why.c_str());
}

/// Fills \p Request. Returns Asked, or why nothing can be compiled.
RegionOptimizer::Answer RegionOptimizer::beginCompile(RegionDetail &D, const Task &T,
                                                      const MissingCandidates &Missing,
                                                      CompileRequest &Request) {
  const bool IsOff = T.Settings.Compile == CompileMode::Off;
  RegistryLock Guard(R);
  if (IsOff || !R.Compiler.problem().empty()) {
    D.Reason = IsOff ? words(Reason::CompilingOff) : R.Compiler.problem();
    return Answer::NoCompiler;
  }
  if (D.Work.NeverCompile) {
    D.Reason = words(Reason::NeverCompiled);
    return Answer::NothingFits;
  }
  const bool IsAwaited = priorityFor(*D.State, T.Settings) == Priority::Normal;
  if (!IsAwaited && isTooEarly(D, T.Settings))
    return Answer::TooEarly;
  if (!fillRequest(Guard, D, T, Missing, Request))
    return Answer::NothingFits;
  Request.IsAwaited = IsAwaited;
  ++D.Work.Compiles;
  D.History.Events.add(Event::CompileBegin, Missing.Only);
  return Answer::Asked;
}

/// Records why a compile for \p T has failed, and returns what follows for the region.
RegionOptimizer::Answer RegionOptimizer::failCompile(RegionDetail &D, const Task &T,
                                                     const FailureMessage &Failure) {
  using Cause = FailureMessage::Cause;
  RegistryLock Guard(R);
  switch (Failure.Why) {
  case Cause::NoCompiler: {
    static bool Told = false;
    if (!std::exchange(Told, true))
      logLine(LogLevel::Warning, "%s", Failure.Text.c_str());
    D.Reason = Failure.Text;
    D.History.Events.add(Event::CompileEnd, D.Reason);
    return Answer::NoCompiler;
  }
  case Cause::ServerEnded:
    D.Reason = std::string(words(Reason::NotCompiledNow)) + ": " + Failure.Text;
    D.History.Events.add(Event::CompileEnd, D.Reason);
    logLine(LogLevel::Info, "%s: %s", D.Copy.region().name, D.Reason.c_str());
    return Answer::NoCompiler; // only for this region; others try again
  case Cause::NeverEnded:
    // Neither this run nor a later one tries that again.
    D.Work.NeverCompile = true;
    D.Reason = words(Reason::NeverCompiled);
    break;
  default:
    D.Reason = std::string(words(Reason::NotCompiled)) + ": " + Failure.Text;
  }
  D.History.Events.add(Event::CompileEnd, D.Reason);
  logLine(LogLevel::Warning, "%s: %s", D.Copy.region().name, D.Reason.c_str());
  return Answer::NothingFits;
}

/// Records the answer of a compile and adds the candidates \p New to \p Found.
void RegionOptimizer::collect(const RegistryLock &Guard, RegionDetail &D, const Task &T,
                              const CompileAnswer &Told, Bodies New, Bodies &Found) {
  D.History.Notes.clear();
  for (const CompileAnswer::Note &Note : Told.Notes)
    D.History.Notes.push_back({Note.Code, Note.Text});
  if (D.State->Who.areManyAtOnce())
    D.History.Notes.push_back(
        {SPECRT_NOTE_MANY_CALLERS, "several threads call it at once: no parallel versions"});
  learnCode(Guard, D, Told);
  if (Told.HasFailed) {
    D.Reason = std::string(words(Reason::NotCompiled)) + ": " + Told.Error;
    D.History.Events.add(Event::CompileEnd, Told.Error);
    logLine(LogLevel::Info, "%s: %s", D.Copy.region().name, D.Reason.c_str());
    return;
  }
  const size_t Made = New.size();
  Found.insert(Found.end(), std::make_move_iterator(New.begin()),
               std::make_move_iterator(New.end()));
  if (Made == 0)
    D.Reason = words(Reason::NothingToSpecialise);
  D.History.Events.add(Event::CompileEnd, counted(Made, "candidate"));
  logLine(LogLevel::Debug, "%s: %zu candidates for %s in %.1f ms", D.Copy.region().name, Made,
          describe(T.assumed(), D.Copy.region()).c_str(), Told.TotalMs);
}

/// Discards candidates that are published for this very plan and need not compete with their twins,
/// and those that were measured before.
void RegionOptimizer::dropKnown(const RegistryLock &Guard, RegionDetail &D, Bodies &Found) {
  const AssumptionsId Id = D.Work.Current.assumed().id();
  TrialRecord &Record = D.Work.Records[Id];
  Record.Complete |= D.Work.Current.Doing.wanted().empty();
  Bodies Known;
  auto IsKnown = [&](const CompiledBody &Body) {
    auto IsTwin = [&](const auto &V) {
      return V->EndReason.empty() && V->Assumed.id() == Id && V->Name == Body.Name;
    };
    return Record.knows(Body.Name) ||
           std::any_of(D.History.Versions.begin(), D.History.Versions.end(), IsTwin);
  };
  for (const CompiledBody &Body : Found)
    Record.add(Body.Name);
  auto FirstKnown = std::partition(Found.begin(), Found.end(), std::not_fn(IsKnown));
  Known.assign(std::make_move_iterator(FirstKnown), std::make_move_iterator(Found.end()));
  Found.erase(FirstKnown, Found.end());
  discard(Guard, D, Known);
}

/// Returns true when the trial runs.
bool RegionOptimizer::startTrial(const RegistryLock &Guard, RegionDetail &D, Bodies Found) {
  RegionState &S = *D.State;
  specrt_region *Live = S.Region.load(std::memory_order_acquire);
  dropKnown(Guard, D, Found);
  const double Seconds = expectedNs(D, D.Work.Current) * 1e-9;
  // A slow candidate could not be stopped within its first call.
  const bool OwesTooMuch = Seconds >= FeltSeconds && D.Account->leftNs() <= 0;
  if (!Live || Found.empty() || OwesTooMuch) {
    discard(Guard, D, Found);
    if (D.Reason.empty() || OwesTooMuch)
      D.Reason = OwesTooMuch ? words(Reason::Quarantined) : whyLostEarlier(D);
    return false;
  }
  sortByPromise(Found, orderOfTrials(Seconds, workerThreads(D.Work.Current.Settings)));
  auto T = std::make_unique<Trial>();
  T->Assumed = D.Work.Current.assumed();
  T->Described = &D.Copy.region();
  T->Candidates.emplace_back(std::make_unique<Candidate>())->Name = "original";
  for (CompiledBody &Body : Found)
    T->Candidates.push_back(std::make_unique<Candidate>(std::move(Body)));
  T->Candidates[0]->Parallel =
      std::any_of(D.History.Versions.begin(), D.History.Versions.end(),
                  [](const auto &V) { return V->EndReason.empty() && V->Parallel; });
  planSamples(*T, Seconds, leavesNumbersOpen(T->Assumed, *Live),
              D.Work.Current.Doing.Plan.CallShare);
  T->SecondsPerTick = nsPerTick() * 1e-9;
  payFor(D, *T, Seconds * 1e9);
  T->OriginalTicks = static_cast<uint64_t>(D.Work.Current.Doing.originalNs() / nsPerTick());
  // If the profile contains the original's time on the same values, the original need not run
  // again.
  const Measured On = D.Work.Current.Doing.baseline();
  const double KnownNs = D.Work.Current.Doing.baselineNs();
  if (T->Needed == 1 && KnownNs > 0 && On != Measured::OnBoth)
    T->recallBaseline(static_cast<uint64_t>(KnownNs / nsPerTick()), On == Measured::OnColdCalls);
  S.ActiveTrial.store(T.get(), std::memory_order_seq_cst);
  D.Work.OnTrial = std::move(T);
  D.History.Events.add(Event::TrialBegin, counted(D.Work.OnTrial->size() - 1, "candidate"));
  setPhase(S, Phase::Trial);
  __atomic_store_n(Live->slot, Live->thunk, __ATOMIC_RELEASE); // after the phase: see putEntry
  return true;
}

} // namespace specrt
