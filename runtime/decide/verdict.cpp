//===- runtime/decide/verdict.cpp - judges trials and records the results -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/verdict.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/rows/row_tables.h"
#include "specializer/strategies/table/candidates.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <unistd.h>
#include <vector>

namespace specrt {
namespace {

double medianNs(const Candidate &C) { return static_cast<double>(C.medianTicks()) * nsPerTick(); }

} // namespace

void noteProcessors(Trial &T, unsigned Threads) {
  if (std::none_of(T.Candidates.begin(), T.Candidates.end(),
                   [](const auto &C) { return C->Parallel; }))
    return;
  std::vector<pid_t> Ours;
  listThreads(getpid(), Ours);
  const long Processors = sysconf(_SC_NPROCESSORS_ONLN);
  T.LackedProcessors =
      Processors > 0 && Threads + othersThatRun(Ours) > static_cast<unsigned long>(Processors);
}

bool isUndecided(const Trial &T) {
  for (uint32_t I = 1; I < T.size(); ++I)
    if (T.isUnmeasured(I))
      return true;
  return false;
}

bool wereValuesMissed(const Trial &T, const Verdict &V) {
  return V.Best < 0 ||
         (V.BaselineNs == 0 && T.Misses.load(std::memory_order_relaxed) >= T.MaxMisses);
}

Verdict judge(const Trial &T) {
  Verdict V;
  V.BaselineNs = medianNs(*T.Candidates[0]);
  const bool HasBaseline = V.BaselineNs > 0;
  double LeastShare = 0;
  Evidence Best;
  for (uint32_t I = 1; I < T.size(); ++I) {
    const double Ns = medianNs(*T.Candidates[I]);
    const Evidence E = compare(T, I);
    if (Ns == 0 || (HasBaseline && !E.isKnown()))
      continue;
    const double Share = HasBaseline ? E.ratio() : Ns;
    if (V.Best >= 0 && Share >= LeastShare)
      continue;
    V.Best = static_cast<int>(I);
    V.BestNs = HasBaseline ? E.New.Median * nsPerTick() : Ns;
    LeastShare = Share;
    Best = E;
  }
  if (!HasBaseline || V.Best < 0)
    return V;
  if (const uint32_t Serial = preferred(T, static_cast<uint32_t>(V.Best));
      Serial != static_cast<uint32_t>(V.Best)) {
    V.Best = static_cast<int>(Serial);
    Best = compare(T, Serial);
    V.BestNs = Best.New.Median * nsPerTick();
  }
  V.BaselineNs = Best.Old.Median * nsPerTick();
  V.IsUnsure = gains(Best.New.Median, Best.Old.Median) && !Best.isSurelyFaster();
  // Times of calls that are shorter than what timing them costs scatter whatever the code is. The
  // version is then compared in place.
  const bool IsTooShort =
      T.SecondsPerTick > 0 && Best.Old.Median * T.SecondsPerTick * 1e9 < TimedCallNs;
  if (Best.isWin() || (V.IsUnsure && IsTooShort))
    V.Winner = V.Best;
  return V;
}

void refuseWithoutTable(const Trial &T, Verdict &V) {
  if (V.Winner <= 0)
    return;
  // There are no figures about sparse loops that are in use at this moment.
  const RowFigures Of = rowFigures(T.Candidates[static_cast<size_t>(V.Winner)]->Rows);
  if (Of.Calls == 0 && Of.Refused > 0)
    V.Winner = -1;
}

std::string formatNs(double Ns) {
  struct Unit {
    double Ns;
    const char *Name;
  };
  constexpr Unit Units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {0, "ns"}};
  char Text[32] = "";
  for (const Unit &U : Units)
    if (Ns >= U.Ns) {
      std::snprintf(Text, sizeof(Text), U.Ns > 0 ? "%.2f %s" : "%.0f %s", U.Ns > 0 ? Ns / U.Ns : Ns,
                    U.Name);
      break;
    }
  return Text;
}

std::string dayText(uint64_t Stamp) {
  const auto Time = static_cast<time_t>(Stamp);
  tm Date{};
  char Day[32] = "";
  if (gmtime_r(&Time, &Date))
    std::strftime(Day, sizeof(Day), "%Y-%m-%d", &Date);
  return Day;
}

std::string explain(const Verdict &V, const Trial &T, const specrt_region &Region) {
  if (!wereValuesMissed(T, V))
    return std::string(words(isUndecided(T) ? Reason::NoProcessor
                             : V.IsUnsure   ? Reason::TimesScatter
                                            : Reason::DoesNotPay)) +
           ": original " + formatNs(V.BaselineNs) + ", best candidate " +
           T.Candidates[static_cast<size_t>(V.Best)]->Name + " " + formatNs(V.BestNs);
  std::string Text = words(V.Best < 0 ? Reason::NoCallMetGuards : Reason::FewCallsMetGuards);
  if (T.size() > 1 && !T.Candidates[1]->Guards.empty()) {
    Text += ":";
    for (const specrt_guard &Guard : T.Candidates[1]->Guards)
      Text += " " + describe(Guard, Region) + ";";
    Text.pop_back();
  }
  return Text;
}

void addDecision(RegionDetail &D, StoredDecision New) {
  using Outcome = StoredDecision::Outcome;
  const AssumptionsId Id = New.Assumed.id();
  auto Old = std::find_if(D.History.Decisions.begin(), D.History.Decisions.end(),
                          [&](const StoredDecision &X) { return X.Assumed.id() == Id; });
  if (Old == D.History.Decisions.end()) {
    D.History.Decisions.push_back(std::move(New));
    return;
  }
  if (Old->Result == Outcome::Won) {
    if (New.Result != Outcome::Won && New.Candidate != Old->Candidate)
      return;
    if (New.Result == Outcome::Won && Old->OriginalNs > 0 && New.GainInPlace == 0)
      New.OriginalNs = Old->OriginalNs;
  }
  if (New.Share == 0)
    New.Share = Old->Share;
  New.Trials = std::move(Old->Trials);
  *Old = std::move(New);
}

StoredDecision versionDecision(const Version &V, const char *Reason) {
  return {.Assumed = V.Assumed,
          .Result = StoredDecision::Outcome::Won,
          .Candidate = V.Name,
          .OriginalNs = V.isTooShortToTime() ? V.latestBaselineNs() : V.BaselineNs,
          .CandidateNs = V.BodyNs,
          .CompileMs = V.CompileMs,
          .GainInPlace = V.GainInPlace,
          .SlowerRuns = V.SlowerRuns,
          .Reason = Reason};
}

void adoptProven(const Step &S, Version &V, RegionDetail &D) {
  const auto &Proven = *S.as<PublishProven>();
  V.IsProven = true;
  V.GainInPlace = Proven.GainInPlace;
  V.SlowerRuns = Proven.SlowerRuns;
  // This run compared it before its image was unloaded.
  V.IsCompared =
      std::any_of(D.History.Versions.begin(), D.History.Versions.end(), [&](const auto &X) {
        return X->IsCompared && X->Name == V.Name && X->Assumed.id() == V.Assumed.id();
      });
  StoredDecision Kept = versionDecision(V, "faster than the original in an earlier run");
  Kept.Share = S.Plan.Share;
  addDecision(D, std::move(Kept));
}

void ruleOutSibling(TrialRecord &Record, const std::string &Name, double Ns, double BaselineNs,
                    unsigned Threads) {
  const CandidateKind *Kind = findCandidate(Name);
  if (!Kind || BaselineNs < FeltSeconds * 1e9)
    return;
  const double LeastNs = Kind->Parallel ? Ns : Ns / std::max(Threads, 1U);
  if (LeastNs <= FarBehind * BaselineNs)
    return;
  for (const CandidateKind &Sibling : candidateKinds())
    if (Sibling.Strategy == Kind->Strategy && &Sibling != Kind && !Record.knows(Sibling.Name))
      Record.add(Sibling.Name, LeastNs);
}

void recordTimes(const RegistryLock &Guard, RegionDetail &D) {
  const Trial &T = *D.Work.OnTrial;
  TrialRecord &Record = D.Work.Records[T.Assumed.id()];
  const double BaselineNs =
      std::max(medianNs(*T.Candidates[0]), static_cast<double>(T.RecalledTicks) * nsPerTick());
  for (uint32_t I = 1; I < T.size(); ++I) {
    const Candidate &C = *T.Candidates[I];
    if (!T.complete(I) || C.NumSamples.load(std::memory_order_relaxed) == 0 || T.isUnmeasured(I))
      continue;
    Record.add(C.Name, medianNs(C));
    ruleOutSibling(Record, C.Name, medianNs(C), BaselineNs, workerThreads(D.Work.Current.Settings));
  }
  recordWalks(D, T);
}

void addRunTimes(const RegistryLock &Guard, RegionDetail &D) {
  for (const auto &V : D.History.Versions) {
    if (!V->EndReason.empty())
      continue;
    auto Found = std::find_if(D.History.Decisions.begin(), D.History.Decisions.end(),
                              [&](const StoredDecision &X) {
                                return X.Assumed.id() == V->Assumed.id() && X.Candidate == V->Name;
                              });
    if (Found == D.History.Decisions.end())
      continue;
    if (const RowFigures Rows = rowFigures(V->Rows); Rows.Inspections + Rows.Recalled > 0)
      Found->WalkNs = Rows.NextRunMs * 1e6;
    if (V->LoadNs > 0)
      Found->LoadNs = V->LoadNs;
    // The trial of this run measured both; later runs measure again.
    const bool HasBaseline = !V->isBaselineEarlier() && !V->isUnmeasured(),
               HasBody = !V->isBodyEarlier();
    if (HasBaseline || HasBody)
      Found->Runs = {{HasBaseline ? V->baselineNs() : 0, HasBody ? V->bodyNs() : 0}};
  }
}

/// Uses an earlier run's time of the original if this run has none, which a program with one call
/// cannot measure. It counts against candidates only: it may be that of a cold call, and so too
/// long.
static void judgeByRecalled(const Trial &T, Verdict &V) {
  const double RecalledNs = static_cast<double>(T.RecalledTicks) * nsPerTick();
  if (V.BaselineNs == 0 && RecalledNs > 0 && !gains(V.BestNs, RecalledNs))
    V.BaselineNs = RecalledNs;
}

/// Returns whether each candidate that is not far behind has so many samples that more would only
/// increase certainty. Otherwise runs of few calls would begin the same trial repeatedly.
static bool knowsEnough(const Trial &T) {
  return std::all_of(T.Candidates.begin(), T.Candidates.end(), [&](const auto &C) {
    const uint32_t Samples = C->NumSamples.load(std::memory_order_relaxed);
    return Samples >= std::min(EnoughTimes, T.Needed.load(std::memory_order_relaxed)) ||
           (C->Hopeless.load(std::memory_order_relaxed) && Samples > 0);
  });
}

void addUnfinishedDecision(const RegistryLock &Guard, RegionDetail &D) {
  if (!D.Work.OnTrial)
    return;
  Trial &T = *D.Work.OnTrial;
  noteProcessors(T, workerThreads(D.Work.Current.Settings));
  recordTimes(Guard, D);
  Verdict V = judge(T);
  refuseWithoutTable(T, V);
  if (V.Best <= 0)
    return;
  judgeByRecalled(T, V);
  // Later runs continue with the others.
  bool IsDecided = V.BaselineNs > 0 && (T.Needed == 1 || (!V.IsUnsure && knowsEnough(T)));
  if (V.Winner <= 0 && (!IsDecided || isUndecided(T)))
    return;
  using Outcome = StoredDecision::Outcome;
  const Candidate &C = *T.Candidates[static_cast<size_t>(V.Best)];
  addDecision(D, {.Assumed = D.Work.Current.assumed(),
                  .Share = D.Work.Current.Doing.Plan.Share,
                  .Result = V.Winner > 0 ? Outcome::Won : Outcome::Retired,
                  .Candidate = C.Name,
                  .OriginalNs = V.BaselineNs,
                  .CandidateNs = V.BestNs,
                  .CompileMs = C.CompileMs,
                  .LoadNs = C.LoadNs,
                  .Reason = V.Winner > 0 ? "fastest when the program ended"
                                         : explain(V, T, D.Copy.region())});
}

double farBehindNs(const StoredDecision &Old) {
  return Old.OriginalNs > 0 ? FarBehind * Old.OriginalNs : std::numeric_limits<double>::infinity();
}

/// Returns whether a parallel candidate lost in a trial of a few calls, but not by far. Other
/// programs may have used the processors then.
static bool hasLostInParallel(const StoredDecision &Old) {
  return Old.OriginalNs >= OneSampleSeconds * 1e9 &&
         std::any_of(Old.Trials.Candidates.begin(), Old.Trials.Candidates.end(),
                     [&](const TrialRecord::Candidate &C) {
                       const CandidateKind *Kind = findCandidate(C.Name);
                       return Kind && Kind->Parallel && C.Ns > 0 && C.Ns <= farBehindNs(Old);
                     });
}

bool deservesAnotherLook(const StoredDecision &Old) {
  constexpr double SmallGain = 1.2; // another candidate may gain as much again
  constexpr uint32_t MaxLooks = 2;  // then the decision stands
  if (Old.Trials.Looks >= MaxLooks || Old.Trials.isOpen() || Old.CandidateNs <= 0 ||
      Old.SlowerRuns > 0)
    return false;
  using Outcome = StoredDecision::Outcome;
  return Old.Result == Outcome::Won
             ? Old.OriginalNs < SmallGain * Old.CandidateNs
             : Old.Result == Outcome::Retired &&
                   (gains(Old.CandidateNs, Old.OriginalNs) || hasLostInParallel(Old));
}

} // namespace specrt
