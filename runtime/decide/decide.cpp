//===- runtime/decide/decide.cpp - publishes the winner of a trial and retires versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/call/locked_region.h"
#include "runtime/capture/capture.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/publish.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"
#include "support/attempt.h"

#include <algorithm>

namespace specrt {
namespace {

/// The number of times that a region with changing values may begin anew.
constexpr uint32_t MaxLessons = 4;

void setSlot(RegionState &S, void *Target) {
  if (specrt_region *Live = S.Region.load(std::memory_order_acquire))
    specrt::setSlot(*Live, Target);
}

RetiredCandidate retiredRecord(const Trial &T, uint32_t Index, const Verdict &V) {
  const Candidate &C = *T.Candidates[Index];
  RetiredCandidate Record{.Name = C.Name, .Assumed = T.Assumed, .CompileMs = C.CompileMs};
  Record.Ns = static_cast<double>(C.medianTicks()) * nsPerTick();
  if (Record.Ns == 0)
    Record.Reason =
        words(C.GuardMisses.load(std::memory_order_relaxed) > 0 ? Reason::GuardsNeverHeld
                                                                : Reason::NotRun);
  else if (T.isUnmeasured(Index))
    Record.Reason = words(Reason::NoProcessor);
  else if (V.Winner >= 0)
    Record.Reason = words(Reason::SlowerThanWinner);
  else if (const RowFigures Of = rowFigures(C.Rows); Of.Calls == 0 && !Of.Problem.empty())
    Record.Reason = Of.Problem;
  else
    Record.Reason = words(Reason::NotFaster);
  return Record;
}

} // namespace

/// Discards bodies that no call can reach any more.
void RegionOptimizer::discard(const RegistryLock &Guard, RegionDetail &D, Bodies &Unused) {
  for (CompiledBody &Body : Unused)
    discard(Guard, D, Body);
  Unused.clear();
}

void RegionOptimizer::discard(const RegistryLock &Guard, RegionDetail &D, CompiledBody &Unused) {
  Garbage.addStored(*D.State, std::move(Unused.Stored));
}

void RegionOptimizer::decide(RegionDetail &D) {
  if (D.Work.Instrumented)
    return takeStreams(D);
  RegionState &S = *D.State;
  Verdict V;
  {
    RegistryLock Guard(R);
    if (!D.Work.OnTrial || !D.Work.OnTrial->Done.load(std::memory_order_acquire))
      return;
    noteProcessors(*D.Work.OnTrial, workerThreads(D.Work.Current.Settings));
    LockedRegion Lock(S);
    V = judge(*D.Work.OnTrial);
  }
  // The leader serves through the trial until it is published.
  Trial &T = *D.Work.OnTrial;
  refuseWithoutTable(T, V);
  if (V.Winner > 0)
    V.BaselineNs *= T.gainOfBaseline();
  bool Published = V.Winner > 0 &&
                   publish(D, *T.Candidates[static_cast<size_t>(V.Winner)], V.BaselineNs, V.BestNs);
  {
    RegistryLock Guard(R);
    // The process is ending, and the compiler gave no entry, so this is no loss. The trial stays
    // for the report and the store.
    if (V.Winner > 0 && !Published && R.Compiler.isClosed())
      return;
    S.ActiveTrial.store(nullptr, std::memory_order_seq_cst);
    recordTimes(Guard, D);
    if (Published) {
      Version &Winner = *D.History.Versions.back();
      limitWalks(Winner.Rows, {});
      Winner.WalkedOnTrialNs = walkedNs(Winner.Rows);
    }
    D.History.Events.add(Event::TrialEnd,
                         Published ? "won by " + D.History.Versions.back()->Name : "no winner");
    recordOutcome(Guard, D, V, Published);
    for (uint32_t I = 1; I < T.size(); ++I)
      if (!Published || static_cast<int>(I) != V.Winner) {
        D.History.Retired.push_back(retiredRecord(T, I, V));
        discard(Guard, D, *T.Candidates[I]);
      }
    Garbage.addTrial(S, std::move(D.Work.OnTrial));
    if (!keepsCallsWaiting(Guard, D))
      resume(Guard, D);
  }
  advance(D);
}

/// Records the result of a trial for reports, the store and the next steps.
void RegionOptimizer::recordOutcome(const RegistryLock &Guard, RegionDetail &D, const Verdict &V,
                                    bool Published) {
  const Trial &T = *D.Work.OnTrial;
  std::string Best = V.Best > 0 ? T.Candidates[static_cast<size_t>(V.Best)]->Name : "";
  if (Published) {
    addDecision(D, {.Assumed = D.Work.Current.assumed(),
                    .Share = D.Work.Current.Doing.Plan.Share,
                    .Result = StoredDecision::Outcome::Won,
                    .Candidate = Best,
                    .OriginalNs = V.BaselineNs,
                    .CandidateNs = V.BestNs,
                    .CompileMs = D.History.Versions.back()->CompileMs,
                    .LoadNs = D.History.Versions.back()->LoadNs,
                    .Reason = "faster than the original"});
    if (!D.Work.Steps.empty() && D.Work.Steps.front().AfterMoreCalls &&
        V.BaselineNs >= LargeGain * V.BestNs)
      D.Work.Steps.pop_front();
    return;
  }
  if (V.Winner < 0)
    D.Reason = explain(V, T, D.Copy.region());
  if (wereValuesMissed(T, V)) {
    Best.clear();
    // The id names constants only, so a plan with the ranges of newer calls has the same id.
    D.Work.ValuesMovedOn = true;
    D.Work.NeverMet.push_back(T.Assumed);
    D.Work.TriedPlans.erase(D.Work.Current.assumed().id());
  }
  logLine(LogLevel::Debug, "%s: %s", D.Copy.region().name, D.Reason.c_str());
  if (isUndecided(T)) {
    D.Seen.CountsRuns = true; // a later run tries again
    return;
  }
  addDecision(D, {.Assumed = D.Work.Current.assumed(),
                  .Share = D.Work.Current.Doing.Plan.Share,
                  .Result = StoredDecision::Outcome::Retired,
                  .Candidate = Best,
                  .OriginalNs = V.BaselineNs,
                  .CandidateNs = V.BestNs,
                  .Reason = D.Reason});
}

bool RegionOptimizer::publish(RegionDetail &D, const CompiledBody &Winner, double BaselineNs,
                              double BodyNs) {
  std::unique_ptr<Version> V =
      makeVersion(D.Copy.region(), D.Work.Current.assumed(), Winner, BaselineNs, BodyNs);
  RegistryLock Guard(R);
  if (D.Restart)
    return false;
  specrt_region *Live = D.State->Region.load(std::memory_order_acquire);
  if (!V || !Live) {
    D.Reason = words(V ? Reason::Unloaded : Reason::NoEntry);
    return false;
  }
  makeRoom(Guard, D, *V);
  if (D.Work.Current.Doing.as<PublishProven>())
    adoptProven(D.Work.Current.Doing, *V, D);
  installVersion(Guard, D, std::move(V), *Live);
  return true;
}

/// Makes room for a new version, which replaces the one for the same plan, and when there are too
/// many, the one whose hits have gained least since the last review.
void RegionOptimizer::makeRoom(const RegistryLock &Guard, RegionDetail &D, const Version &New) {
  for (const auto &V : D.History.Versions)
    if (V->EndReason.empty() && V->Assumed.id() == New.Assumed.id())
      retireVersion(Guard, D, *V, std::string(words(Reason::Replaced)) + " " + New.Name);
  while (D.numActiveVersions() >= R.Settings.MaxVersions) {
    Version *Least = nullptr;
    for (const auto &V : D.History.Versions)
      if (V->EndReason.empty() &&
          (!Least || V->savedNs() - V->SavedAtReview < Least->savedNs() - Least->SavedAtReview))
        Least = V.get();
    retireVersion(Guard, D, *Least, words(Reason::LeastUsed));
  }
}

/// Retires a version. The caller sets the slot if it may have pointed at V's entry.
void RegionOptimizer::retireVersion(const RegistryLock &Guard, RegionDetail &D, Version &V,
                                    const std::string &Why) {
  V.EndReason = Why;
  D.History.Events.add(Event::VersionEnded, V.Name + ": " + Why);
  unlinkVersion(*D.State, V);
  logLine(LogLevel::Debug, "%s: retired %s for %s: %s", D.Copy.region().name, V.Name.c_str(),
          describe(V.Assumed, D.Copy.region()).c_str(), Why.c_str());
}

/// Between two steps: published versions serve directly, without the thunk.
void RegionOptimizer::resume(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  if (D.numActiveVersions() > 0) {
    setSlot(S, slotTarget(S));
    setPhase(S, Phase::Specialised);
  } else if (S.CurrentPhase.load(std::memory_order_relaxed) == Phase::Trial) {
    setPhase(S, Phase::Compiling);
  }
}

/// Called when plans were made for values that did not recur: forgets them and observes newer
/// calls.
void RegionOptimizer::learnAgain(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  LockedRegion Lock(S);
  D.Seen.Past->merge(*D.Seen.Recent);
  D.Seen.Recent->clear();
  D.Work.Reviews.fail();
  D.History.Events.add(Event::Relearning);
  observeAgain(S, tuning().HotTicks.load(std::memory_order_relaxed) * D.Work.Reviews.factor());
  setPhase(S, Phase::Profiling);
}

/// Delays the next step until there is another call. A program that calls the region once is ending
/// now, and a compile would only delay its end.
void RegionOptimizer::waitForCalls(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  if (Version *First = S.Versions.load(std::memory_order_relaxed)) {
    First->ReportsFurtherCalls.store(true, std::memory_order_relaxed);
    return resume(Guard, D);
  }
  D.Work.Steps.front().AfterMoreCalls = false;
  LockedRegion Lock(S);
  S.HotTarget = S.TotalTicks + 1;
  setPhase(S, Phase::Profiling);
}

/// Delays the current step until the region has used SPECRT_HOT in this run, or until after the
/// run.
void RegionOptimizer::postpone(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  D.Work.Steps.push_front(std::move(D.Work.Current.Doing));
  if (D.numActiveVersions() > 0)
    return resume(Guard, D);
  LockedRegion Lock(S);
  S.HotTarget = std::max(tuning().HotTicks.load(std::memory_order_relaxed), S.TotalTicks + 1);
  setPhase(S, Phase::Profiling);
}

/// Ends the work on the region for now.
void RegionOptimizer::settle(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  D.Copy.dropBitcode();
  dropCapture(&S);
  for (const auto &V : D.History.Versions)
    V->SavedAtReview = V->savedNs();
  if (D.numActiveVersions() > 0) {
    resume(Guard, D);
    return compareInPlace(Guard, D);
  }
  if (std::exchange(D.Work.ValuesMovedOn, false) && D.Work.Reviews.failures() < MaxLessons)
    return learnAgain(Guard, D);
  bool NeverRan = D.History.Retired.empty() && D.History.Versions.empty();
  bool Blocked = D.Failed && NeverRan;
  D.History.Events.add(Blocked ? Event::Blocked : Event::Retired, D.Reason);
  setPhase(S, Blocked ? Phase::Blocked : Phase::Retired);
  setSlot(S, InPlace); // after the phase: see passThunkBy
  logLine(LogLevel::Debug, "%s: %s: %s", D.Copy.region().name,
          phaseName(S.CurrentPhase.load(std::memory_order_relaxed)), D.Reason.c_str());
}

void RegionOptimizer::review(RegionDetail &D) {
  RegionState &S = *D.State;
  {
    RegistryLock Guard(R);
    bool Lost = endComparison(Guard, D);
    for (const auto &V : D.History.Versions)
      if (V->EndReason.empty() && V->Losing.load(std::memory_order_relaxed)) {
        Lost = true;
        D.Reason = words(Reason::StoppedPaying);
        retireVersion(Guard, D, *V, D.Reason);
        // The version has gained in total, so later runs begin with it and compare again.
        if (V->savedNs() > 0)
          continue;
        addDecision(D, {.Assumed = V->Assumed,
                        .Result = StoredDecision::Outcome::Retired,
                        .Candidate = V->Name,
                        .Reason = D.Reason});
      }
    LockedRegion Lock(S);
    if (S.MissThreshold == 0) {
      // If there are versions for single values already, the calls that none of them serves get as
      // many versions as there is room for: a single one has to serve as many calls as it can.
      const uint32_t Room =
          std::max(R.Settings.MaxVersions, D.numActiveVersions() + 1) - D.numActiveVersions();
      addSteps(Guard, D, D.plans(Room), Measured::OnBoth);
      D.Seen.Past->merge(*D.Seen.Recent);
      D.Seen.Recent->clear();
      S.MissTicks = 0;
      D.Work.Reviews.fail();
      S.MissThreshold = missTicksToReview(D.Work);
    } else if (!Lost) {
      return;
    }
  }
  advance(D);
}

void RegionOptimizer::giveUp(RegionState &S, const char *Why) noexcept {
  RegistryLock Guard(R);
  RegionDetail *D = S.Detail;
  if (D && (D->Departed || D->Restart))
    return;
  const bool HasVersions = D && D->numActiveVersions() > 0;
  if (D) {
    D->Work.Steps.clear();
    D->Failed = true;
    if (attempt([&] {
          D->Reason = std::string(words(Reason::GaveUp)) + ": " + Why;
          D->History.Events.add(Event::Retired, D->Reason);
        }))
      D->Reason.clear();
  }
  // This does what settle does, except what may allocate. Calls that wait for versions continue.
  setOsrState(S.Osr, OsrState::Over);
  if (HasVersions)
    return resume(Guard, *D);
  setPhase(S, Phase::Retired);
  setSlot(S, InPlace);
}

void RegionOptimizer::endTrial(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  S.ActiveTrial.store(nullptr, std::memory_order_seq_cst);
  if (!D.Work.OnTrial)
    return;
  for (uint32_t I = 1; I < D.Work.OnTrial->size(); ++I)
    discard(Guard, D, *D.Work.OnTrial->Candidates[I]);
  Garbage.addTrial(S, std::move(D.Work.OnTrial));
}

/// Begins anew after the settings have changed, before the region was called: versions and plans
/// for the old settings are useless. Its slot holds the original. Since the change nothing was
/// published or put on trial, and no decision was requested, because a call would have forbidden
/// the change.
void RegionOptimizer::restart(const RegistryLock &Guard, RegionDetail &D) {
  RegionState &S = *D.State;
  endTrial(Guard, D);
  endInstrumented(Guard, D);
  for (const auto &V : D.History.Versions)
    if (V->EndReason.empty())
      retireVersion(Guard, D, *V, words(Reason::Reconfigured));
  D.forgetPlans();
  {
    LockedRegion Lock(S);
    S.HotTarget = 0;
  }
  setPhase(S, Phase::Cold);
  specrt_region *Live = S.Region.load(std::memory_order_acquire);
  if (Live && !R.Settings.Disable)
    R.describeRegion(Guard, *Live, S);
}

} // namespace specrt
