//===- runtime/decide/prepare.cpp - plans steps from the results of earlier runs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/prepare.h"
#include "profiler/observations/time_profile.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/call/osr.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/replays/replay_decision.h"
#include "runtime/decide/verdict.h"
#include "specializer/strategies/table/candidates.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace specrt {
namespace {

/// A decision against a plan is valid for a week, because machines, loads and inputs change.
constexpr uint64_t TrustSeconds = 7 * 24 * 3600;

/// The time per call from which on one call decides: if there are few calls, only the most
/// promising candidate is compiled at first, and a large gain ends a trial.
constexpr double LongCallNs = FeltSeconds * 1e9;

/// With so few calls, a version that comes late is useless.
constexpr uint64_t FewCalls = 8;

/// Returns the expected time of a compile, including the start of the server.
double expectedCompileNs(const StoredDecision &Won) {
  constexpr double OpenNs = 30e6; // the start of a server on an idle machine
  return Won.CompileMs > 0 ? OpenNs + Won.CompileMs * 1e6 : FirstCompileNs;
}

/// Returns the plan of a stored decision.
SpeculationPlan planOf(const StoredDecision &Old, const SpeculationPlan *Planned) {
  // The stored assumptions are valid as long as they admit newer calls.
  bool Fits = !Planned || Old.Assumed.covers(Planned->Assumed);
  return {.Assumed = Fits ? Old.Assumed : Planned->Assumed,
          .Share = Old.Share,
          .MeanNs = Fits ? 0 : Planned->MeanNs};
}

/// Returns whether this run tries other candidates than the best known one. Every third one does,
/// if the result can be stored.
bool triesOthers(const StoredRegion &Known, const Config &Settings) {
  constexpr uint64_t Period = 3; // two of three runs are as fast as they can be
  return Settings.writesProfile() && Settings.Compile != CompileMode::Off &&
         Known.Runs % Period == Period - 1;
}

/// Returns whether the winning version is faster by the medians of the runs that measured it. Fewer
/// runs than EnoughTimes do not count against it, because the machine may have been busy.
bool stillGains(const StoredDecision &Won) {
  return std::count_if(Won.Runs.begin(), Won.Runs.end(),
                       [](const auto &Run) { return Run.CandidateNs > 0; }) < EnoughTimes ||
         Won.OriginalNs == 0 || gains(Won.CandidateNs, Won.OriginalNs);
}

/// Returns the time of a call with the best known code.
double bestNs(const StoredDecision &Old) {
  return Old.Result == StoredDecision::Outcome::Won && stillGains(Old) ? Old.CandidateNs
                                                                       : Old.OriginalNs;
}

/// Returns whether single calls of later runs may find a better candidate. Only long calls say
/// enough.
bool isWorthTrying(const StoredDecision &Old, const SpeculationPlan &Plan,
                   const specrt_region &Region) {
  double Best = bestNs(Old);
  bool Enough = Old.OriginalNs >= LongCallNs && Old.OriginalNs >= LargeGain * Best;
  using Outcome = StoredDecision::Outcome;
  bool Ran = Old.Result == Outcome::Won || Old.Result == Outcome::Retired;
  return Ran && Old.Trials.isOpen() && !Enough && Best >= OneSampleSeconds * 1e9 &&
         !leavesNumbersOpen(Plan.Assumed, Region);
}

/// Returns the step that tries candidates that no run has measured yet against the best known code.
/// All are in one compile, for which no call waits: when it ends after the last call, the next such
/// run finds them stored.
Step otherStep(const StoredDecision &Old, const SpeculationPlan *Planned, Measured Best) {
  return {.Plan = planOf(Old, Planned), .What = TryOthers{bestNs(Old), Best, Old.OriginalNs}};
}

/// Returns whether the candidate can be built under the assumptions.
bool suits(const CandidateKind &Kind, const Assumptions &Assumed) {
  switch (Kind.Strategy) {
  case StrategyId::Rows:
    return !Assumed.Rows.empty();
  case StrategyId::UnrolledRows:
    return std::any_of(Assumed.Rows.begin(), Assumed.Rows.end(),
                       [](const RowsOfLoop &Of) { return !Of.Traces.empty(); });
  case StrategyId::Zeros:
    return Assumed.Rows.empty() && !Assumed.Zeros.empty();
  default:
    return Assumed.Rows.empty();
  }
}

/// Returns false for a parallel version in a run that may use only one thread.
bool fitsThreads(const StoredDecision &Won, uint32_t Threads) {
  const CandidateKind *Kind = findCandidate(Won.Candidate);
  return Threads > 1 || !Kind || !Kind->Parallel;
}

} // namespace

double waitNs(const PublishProven &Known, bool IsStored) {
  const double GainNs = std::max(Known.BaselineNs - Known.BodyNs, 0.0);
  if (IsStored)
    return GainNs;
  return GainNs >= Known.CompileNs ? Known.BaselineNs : 0;
}

double waitNs(const TryCandidates &Try, bool IsStored, double CallsPerRun, double MayLoseNs) {
  // A shorter wait would mostly end too early: loading a parallel candidate takes 3 ms on an idle
  // Zen 5, most of it for TBB.
  constexpr double LoadingNs = 5e6;
  const double Ns = std::min(Try.BaselineNs / std::max(CallsPerRun, 1.0), MayLoseNs);
  return IsStored && Ns >= LoadingNs ? Ns : 0;
}

Step unmeasuredStep(const SpeculationPlan &Plan, uint64_t KnownCalls, Measured Baseline,
                    const Config &Settings, const std::string &Slow) {
  TryCandidates Try{.BaselineNs = Plan.MeanNs, .Baseline = Baseline};
  if (Plan.MeanNs >= LongCallNs && KnownCalls <= FewCalls) {
    auto Order = orderOfTrials(Plan.MeanNs * 1e-9, workerThreads(Settings));
    // The slow candidate is compiled with the other ones later.
    std::erase_if(Order, [&](const CandidateKind *Kind) {
      return Kind->Name == Slow || !suits(*Kind, Plan.Assumed);
    });
    Try.OneOf = joinNames(Order);
  }
  return {.Plan = Plan, .What = std::move(Try)};
}

std::vector<std::string> namesFor(const Step &S, const Config &Settings) {
  std::vector<std::string> Names = namesIn(S.wanted());
  if (Names.empty())
    for (const CandidateKind &Kind : candidateKinds())
      Names.emplace_back(Kind.Name);
  const unsigned Threads = workerThreads(Settings);
  std::erase_if(Names, [&](const std::string &Name) {
    const CandidateKind *Kind = findCandidate(Name);
    return Kind && ((Kind->Parallel && Threads < 2) || !suits(*Kind, S.Plan.Assumed));
  });
  return Names;
}

std::string whyLostEarlier(const RegionDetail &D) {
  return words(Reason::LostEarlier) + D.Work.TimesOfLost;
}

bool leavesNumbersOpen(const Assumptions &Assumed, const specrt_region &Region) {
  for (uint32_t I = 0; I < Region.num_args && I < Assumed.Facts.size(); ++I)
    if (isInteger(Region.arg_kinds[I]) && !(Assumed.Facts[I].flags & SPECRT_FACT_CONSTANT))
      return true;
  return Assumed.Cells.size() < Region.num_cells;
}

double knownNs(const RegionProfile &Profile) {
  return Profile.get<TimeProfile>().meanNs() * static_cast<double>(Profile.calls());
}

double nsAfterThisRun(const StoredRegion &Known) {
  const auto Runs = static_cast<double>(std::max<uint64_t>(Known.Runs, 1));
  return knownNs(Known.Profile) * (1 + 1 / Runs);
}

namespace {

/// Makes steps from the stored data of one region.
class Preparation {
public:
  Preparation(RegionDetail &D, const StoredRegion &Known, const Config &Settings,
              VersionStore *Versions);

  void run();

private:
  const SpeculationPlan *plannedFor(const AssumptionsId &Id) const;
  bool isStored(const Step &S) const;
  bool hasRoom() const { return D.Work.Steps.size() < Settings.MaxVersions; }
  void recall(const StoredDecision &Old);
  double callsPerRun() const;
  bool paysInARun(const StoredDecision &Won) const;
  void postpone(const StoredDecision &Won);
  void tryOthers(const StoredDecision &Old);
  bool isOpen(const AssumptionsId &Id) const;
  bool waitsForReplay(const AssumptionsId &Id) const;
  void recallReplays();
  void recallReplay(const SpeculationPlan &Plan, const StoredReplays &Found);
  void tryUnmeasured(const SpeculationPlan &Plan);
  uint32_t mayWaitUs() const;

  RegionDetail &D;
  const StoredRegion &Known;
  const Config &Settings;
  VersionStore *const Versions;
  const uint64_t Now = secondsNow();
  /// The kind of calls on which the profile's times were measured.
  const Measured Calls = measuredOn(Known.ColdCalls, Known.Profile.get<TimeProfile>().calls());
  const std::vector<SpeculationPlan> Planned;
  const double SpentNs = knownNs(Known.Profile);
  const bool IsWorthIt = SpentNs >= Settings.HotMs * 1e6;
  std::vector<Step> Others; ///< these follow the steps that are known to gain
  std::vector<AssumptionsId> Postponed;
  std::set<AssumptionsId> Replayed;   ///< plans that replays have decided
  std::set<AssumptionsId> Unreplayed; ///< open plans that a replay could decide
};

Preparation::Preparation(RegionDetail &D, const StoredRegion &Known, const Config &Settings,
                         VersionStore *Versions)
    : D(D), Known(Known), Settings(Settings), Versions(Versions),
      Planned(withRows(withSequences(withZeros(plans(Known.Profile, D.Copy.region(),
                                                     Settings.MaxVersions, D.Work.NeverMet),
                                               Known.Profile.get<ZeroShares>()),
                                     Known.Profile.get<FoldedStreams>(), D.Copy.region()),
                       Known.Profile.get<RowProfile>(), D.Copy.region())) {}

const SpeculationPlan *Preparation::plannedFor(const AssumptionsId &Id) const {
  auto Found = std::find_if(Planned.begin(), Planned.end(),
                            [&](const SpeculationPlan &P) { return P.Assumed.id() == Id; });
  return Found == Planned.end() ? nullptr : &*Found;
}

bool Preparation::isStored(const Step &S) const {
  return Versions && StoredPlan(*Versions, D.Copy.region(), S.Plan.Assumed, Settings)
                         .isReady(namesIn(S.wanted()));
}

/// Every third run tries candidates that were not measured yet, or repeats an uncertain decision.
void Preparation::tryOthers(const StoredDecision &Old) {
  Step Other = otherStep(Old, plannedFor(Old.Assumed.id()), Calls);
  const bool IsOpen = isWorthTrying(Old, Other.Plan, D.Copy.region());
  if (!IsOpen && !deservesAnotherLook(Old))
    return;
  D.Seen.CountsRuns = true;
  if (!triesOthers(Known, Settings))
    return;
  TrialRecord &Record = D.Work.Records[Old.Assumed.id()];
  if (IsOpen)
    ++Record.Attempts;
  else
    Record.lookAgain(farBehindNs(Old));
  D.History.Decisions.push_back(Old);
  Other.AfterMoreCalls = !IsOpen;
  Others.push_back(std::move(Other));
}

double Preparation::callsPerRun() const {
  return static_cast<double>(Known.Profile.calls()) /
         static_cast<double>(std::max<uint64_t>(Known.Runs, 1));
}

/// Returns the time that using the version costs once per run, in nanoseconds: loading it, and
/// inspecting its rows.
double startNs(const StoredDecision &Won) { return Won.LoadNs + Won.WalkNs; }

/// Returns whether the calls of a usual run gain more than the version's start costs.
bool Preparation::paysInARun(const StoredDecision &Won) const {
  const double Gain = (Won.OriginalNs - Won.CandidateNs) * (Won.Share > 0 ? Won.Share : 1);
  return !D.Account->isBounded() || Won.OriginalNs <= 0 || Gain * callsPerRun() >= startNs(Won);
}

/// Postpones the version to a run with more calls.
void Preparation::postpone(const StoredDecision &Won) {
  constexpr double MostTicks = 1e18; // no run is that long
  const double Gain = std::max(Won.OriginalNs - Won.CandidateNs, 1.0);
  const double Calls = 2 * std::max(callsPerRun(), startNs(Won) / Gain);
  Postponed.push_back(Won.Assumed.id());
  D.State->HotTarget = std::max<uint64_t>(
      D.State->HotTarget,
      static_cast<uint64_t>(std::min(Calls * Won.OriginalNs / nsPerTick(), MostTicks)));
  D.Reason = std::string(words(Reason::StartDoesNotPay)) + ": that takes " +
             formatNs(startNs(Won)) + ", and a call gains " + formatNs(Gain);
}

/// Returns for example " (2026-11-22): original 12.10 ms, constants 13.00 ms, tiled 14.20 ms". If
/// another reason than these times decided, it precedes them; their scatter follows them.
static std::string timesOf(const StoredDecision &Lost) {
  std::string Text = " (" + dayText(Lost.Stamp) + "): ";
  const auto Begins = [&](Reason R) { return Lost.Reason.starts_with(words(R)); };
  if (!Lost.Reason.empty() && !Begins(Reason::DoesNotPay) && !Begins(Reason::TimesScatter))
    Text += Lost.Reason + "; ";
  Text += "original " + formatNs(Lost.OriginalNs);
  bool HasBest = Lost.Candidate.empty();
  for (const TrialRecord::Candidate &C : Lost.Trials.Candidates)
    if (C.Ns > 0) {
      Text += ", " + C.Name + " " + formatNs(C.Ns);
      HasBest |= C.Name == Lost.Candidate;
    }
  if (!HasBest)
    Text += ", " + Lost.Candidate + " " + formatNs(Lost.CandidateNs);
  return Begins(Reason::TimesScatter) ? Text + "; " + words(Reason::TimesScatter) : Text;
}

/// Returns whether no decision about the plan is based on all of its candidates.
bool Preparation::isOpen(const AssumptionsId &Id) const {
  using Outcome = StoredDecision::Outcome;
  return std::none_of(Known.Decisions.begin(), Known.Decisions.end(), [&](const StoredDecision &X) {
    return X.Assumed.id() == Id &&
           (!X.Trials.isOpen() || X.Result == Outcome::Failed || X.Result == Outcome::Endless);
  });
}

/// Returns whether replays will probably decide about the plan soon.
bool Preparation::waitsForReplay(const AssumptionsId &Id) const {
  return Unreplayed.contains(Id) && isBeingReplayed(Known, Now, Settings);
}

/// Decides about the open plans whose candidates were replayed, and finds those that lack a replay.
void Preparation::recallReplays() {
  for (const SpeculationPlan &Plan : Planned) {
    const AssumptionsId Id = Plan.Assumed.id();
    if (!Versions || !isOpen(Id))
      continue;
    const StoredPlan Stored(*Versions, D.Copy.region(), Plan.Assumed, Settings);
    if (Stored.needsReplay())
      Unreplayed.insert(Id);
    else
      recallReplay(Plan, *Stored.index().Replays);
  }
  const auto Waits = [&](const AssumptionsId &Id) { return waitsForReplay(Id); };
  D.State->Captures.AreOver = !awaitsReplays(Known) || std::ranges::all_of(Unreplayed, Waits);
}

void Preparation::recallReplay(const SpeculationPlan &Plan, const StoredReplays &Found) {
  const AssumptionsId Id = Plan.Assumed.id();
  std::optional<StoredDecision> Made = decisionFrom(Found, Plan, Now);
  const bool IsUsed = Made && hasRoom();
  for (const StoredReplay &Candidate : Found.Candidates) {
    if (Candidate.Problem.empty())
      continue;
    const std::string Why =
        std::string(words(Reason::RefusedOnReplay)) + ": it " + Candidate.Problem;
    D.History.Retired.push_back({.Name = Candidate.Name, .Reason = Why, .Assumed = Plan.Assumed});
    // The decision is stored, so later runs do not repeat this.
    logLine(IsUsed ? LogLevel::Warning : LogLevel::Info, "%s: %s %s", D.Copy.region().name,
            Candidate.Name.c_str(), Why.c_str());
  }
  if (!IsUsed) {
    D.NotReplayed = Found.Problem;
    return;
  }
  Replayed.insert(Id);
  D.Seen.Unanswered = 0;
  D.Work.Records[Id] = Made->Trials;
  D.Work.TriedPlans.insert(Id);
  if (Made->Result == StoredDecision::Outcome::Won)
    D.Work.Steps.push_back(provenStep(*Made, &Plan));
  else
    D.Reason = Made->Reason + timesOf(*Made);
  D.History.Decisions.push_back(std::move(*Made));
}

void Preparation::recall(const StoredDecision &Old) {
  using Outcome = StoredDecision::Outcome;
  const AssumptionsId Id = Old.Assumed.id();
  if (Replayed.contains(Id))
    return;
  D.Work.NeverCompile |= Old.Result == Outcome::Endless;
  if (Old.Result == Outcome::SlowerInACall) {
    // No whole call was measured.
    D.Work.Slow[Id] = Old.Candidate;
    return;
  }
  const bool Trusted = Now - std::min(Now, Old.Stamp) < TrustSeconds;
  if (Trusted || Old.Result == Outcome::Won)
    D.Work.Records[Id] = Old.Trials;
  if (Trusted && IsWorthIt && !D.Work.IsQuarantined && !waitsForReplay(Id))
    tryOthers(Old);
  if (Old.Result != Outcome::Won || Old.Candidate.empty() || !stillGains(Old)) {
    if (Trusted)
      D.Work.TriedPlans.insert(Id);
    if (Trusted && Old.OriginalNs > 0 && D.Work.TimesOfLost.empty())
      D.Work.TimesOfLost = timesOf(Old);
    if (Old.Result == Outcome::Won)
      D.Reason = words(Reason::StoppedPaying);
  } else if (hasRoom() && fitsThreads(Old, workerThreads(Settings)) &&
             D.Work.TriedPlans.insert(Id).second) {
    if (!paysInARun(Old))
      return postpone(Old);
    D.Work.Steps.push_back(provenStep(Old, plannedFor(Id)));
  }
}

void Preparation::tryUnmeasured(const SpeculationPlan &Plan) {
  const AssumptionsId Id = Plan.Assumed.id();
  if (!hasRoom() || D.Work.TriedPlans.contains(Id))
    return;
  Step Next = unmeasuredStep(Plan, static_cast<uint64_t>(std::ceil(callsPerRun())), Calls, Settings,
                             D.Work.Slow[Id]);
  if (waitsForReplay(Id) &&
      !isPromising(StoredPlan(*Versions, D.Copy.region(), Plan.Assumed, Settings), Next)) {
    D.Work.IsBeingReplayed = true;
    D.Seen.CountsRuns = true; // a later run decides
    D.Work.TriedPlans.insert(Id);
    D.Reason = words(Reason::BeingReplayed);
    return;
  }
  if (Unreplayed.contains(Id) && awaitsReplays(Known) &&
      (D.Work.IsQuarantined || waitsForCapture(Plan, D.Copy.region(), callsPerRun(), Known.Runs))) {
    D.State->Captures.UsualNs.store(Plan.MeanNs, std::memory_order_relaxed);
    D.State->Captures.SpentNs.store(SpentNs, std::memory_order_relaxed);
    return;
  }
  if (!IsWorthIt || D.Work.IsQuarantined) // the region may become worth it in this run
    return;
  D.Work.TriedPlans.insert(Id);
  D.Work.Steps.push_back(std::move(Next));
}

uint32_t Preparation::mayWaitUs() const {
  if (Settings.Compile == CompileMode::Off)
    return 0;
  if (Settings.Compile == CompileMode::Sync)
    return (Settings.CompileBudgetMs + 1000) * 1000;
  const Step &First = D.Work.Steps.front();
  double Ns = 0;
  if (const auto *Proven = First.as<PublishProven>())
    Ns = waitNs(*Proven, isStored(First));
  else if (const auto *Try = First.as<TryCandidates>())
    Ns = waitNs(*Try, isStored(First), callsPerRun(), std::max(D.Account->leftNs(), 0.0));
  return static_cast<uint32_t>(std::min(Ns, Settings.CompileBudgetMs * 1e6) / 1e3);
}

void Preparation::run() {
  D.History.Causes = Known.Causes;
  processLedger().expect(Known.Account.RunNs);
  D.Account->carryOver(Known.Account.OwedNs);
  D.Seen.SpentNs = SpentNs;
  if (const auto &Shown = Known.Profile.get<FoldedStreams>(); !Shown.isEmpty())
    D.Seen.Streams = std::make_unique<FoldedStreams>(Shown);
  if (const auto &Shown = Known.Profile.get<RowProfile>(); !Shown.isEmpty())
    D.Seen.Rows = std::make_unique<RowProfile>(Shown);
  if (const auto &Told = Known.Profile.get<NestProfile>(); !Told.isEmpty())
    D.Seen.Loops = std::make_unique<NestProfile>(Told);
  if (const auto &Told = Known.Profile.get<ZeroEquations>(); !Told.isEmpty())
    D.Seen.Zeros = std::make_unique<ZeroEquations>(Told);
  D.Work.IsQuarantined = isQuarantined(Known.Account);
  if (D.Work.IsQuarantined) {
    D.Reason = whyQuarantined(Known.Account);
    D.Seen.CountsRuns = true; // each run is credited
  }
  recallReplays();
  for (const StoredDecision &Old : Known.Decisions)
    recall(Old);
  // The step that is published last comes first in the chain: versions with more assumptions.
  const auto Needs = [](const Step &S) {
    const Assumptions &A = S.Plan.Assumed;
    return std::tuple(-S.Plan.Share, A.Sequences.size(), A.Rows.size());
  };
  std::sort(D.Work.Steps.begin(), D.Work.Steps.end(),
            [&](const Step &A, const Step &B) { return Needs(A) < Needs(B); });
  D.Hot = IsWorthIt || !D.Work.Steps.empty();
  if (nsAfterThisRun(Known) >= Settings.HotMs * 1e6 && Settings.Compile != CompileMode::Off)
    // Plans with rows come first: an instrumented call was made for them, and calls that are used
    // for a simpler trial would not be told apart for long.
    for (const bool WithRows : {true, false})
      for (const SpeculationPlan &Plan : Planned)
        if (Plan.Assumed.Rows.empty() != WithRows)
          tryUnmeasured(Plan);
  for (const AssumptionsId &Id : Postponed)
    D.Work.TriedPlans.erase(Id);
  std::move(Others.begin(), Others.end(), std::back_inserter(D.Work.Steps));
  if (!D.Work.Steps.empty())
    D.State->MayWaitUs.store(mayWaitUs(), std::memory_order_relaxed);
}

} // namespace

Step provenStep(const StoredDecision &Won, const SpeculationPlan *Planned) {
  return {.Plan = planOf(Won, Planned),
          .What = PublishProven{.Candidate = Won.Candidate,
                                .BaselineNs = Won.OriginalNs,
                                .BodyNs = Won.CandidateNs,
                                .CompileNs = expectedCompileNs(Won),
                                .GainInPlace = Won.GainInPlace,
                                .SlowerRuns = Won.SlowerRuns}};
}

void planFromStore(RegionDetail &D, const StoredRegion &Known, const Config &Settings,
                   VersionStore *Versions) {
  D.recall(Known);
  Preparation(D, Known, Settings, Versions).run();
}

} // namespace specrt
