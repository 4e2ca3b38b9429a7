//===- runtime/prepare.cpp - what an earlier run suggests to compile first ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/prepare.h"
#include "runtime/clock.h"

#include <algorithm>
#include <ctime>

namespace specrt {
namespace {

/// A decision against a plan is trusted for a week: machines, loads and inputs change.
constexpr uint64_t TrustSeconds = 7 * 24 * 3600;

/// From this time per call on, a call may wait for a version that nobody has measured yet.
constexpr double LongCallNs = 50e6;

/// A plan that nobody has compiled yet is compiled ahead of the first call when earlier runs spent
/// so many times SPECRT_HOT in the region: opening the compiler alone costs 15 times 2 ms.
constexpr double AheadFactor = 100;

/// Calls so few that a version which comes late comes too late.
constexpr uint64_t FewCalls = 8;

/// What a compilation is expected to take: opening the compiler, and what it took last time.
double expectedCompileNs(const StoredDecision &Won) {
  constexpr double OpenNs = 30e6, UnknownNs = 200e6;
  return OpenNs + (Won.CompileMs > 0 ? Won.CompileMs * 1e6 : UnknownNs);
}

/// A call waits when the known gain pays for the compilation, and never longer than it would
/// take without it: at worst it takes twice its time, once.
double waitNs(const Step &S, uint64_t KnownCalls) {
  if (S.BaselineNs <= 0)
    return 0;
  if (S.Proven)
    return S.BaselineNs - S.BodyNs >= S.CompileNs ? S.BaselineNs : 0;
  return S.BaselineNs >= LongCallNs && KnownCalls <= FewCalls ? S.BaselineNs : 0;
}

Step provenStep(const StoredDecision &Won, const SpeculationPlan *Planned) {
  Step S;
  S.Plan.Facts = Won.Facts;
  S.Plan.Overlaps = Won.Overlaps;
  // What was stored fits as long as newer calls brought nothing that it excludes.
  if (Planned && !covers(Won.Facts, Won.Overlaps, Planned->Facts, Planned->Overlaps))
    S.Plan = *Planned;
  S.Plan.Key = Won.Key;
  S.Plan.Share = Won.Share;
  S.OneOf = {Won.Candidate};
  S.Proven = true;
  S.BaselineNs = Won.OriginalNs;
  S.BodyNs = Won.CandidateNs;
  S.CompileNs = expectedCompileNs(Won);
  return S;
}

/// A parallel version is of no use to a run that may only use one thread.
bool fitsThreads(const StoredDecision &Won, uint32_t Threads) {
  return Threads > 1 || !Won.Candidate.ends_with("-parallel");
}

} // namespace

Step unmeasuredStep(const SpeculationPlan &Plan, uint64_t KnownCalls, const Config &Settings) {
  Step S;
  S.Plan = Plan;
  S.BaselineNs = Plan.MeanNs;
  if (Plan.MeanNs >= LongCallNs && KnownCalls <= FewCalls) {
    S.OneOf = candidateOrder(Plan.MeanNs * 1e-9, workerThreads(Settings));
    S.CompileRestAfterwards = true;
  }
  return S;
}

std::vector<std::string> candidateOrder(double SecondsPerCall, uint32_t Threads) {
  if (SecondsPerCall < 1e-4)
    return {"constants", "tiled", "polly-schedule", "polly"};
  std::vector<std::string> Order;
  if (Threads > 1)
    Order = {"tiled-parallel", "polly-parallel", "polly-schedule-parallel"};
  Order.insert(Order.end(), {"tiled", "polly-schedule", "polly", "constants"});
  return Order;
}

/// The time that earlier runs together spent in the original.
static double knownNs(const RegionProfile &Profile) {
  if (Profile.sampledCalls() == 0)
    return 0;
  return static_cast<double>(Profile.times().TotalNs) * static_cast<double>(Profile.calls()) /
         static_cast<double>(Profile.sampledCalls());
}

void planFromStore(RegionDetail &D, const StoredRegion &Known, const Config &Settings) {
  uint64_t Now = static_cast<uint64_t>(std::max<time_t>(time(nullptr), 0));
  uint64_t KnownCalls = Known.Profile.calls();
  D.Causes = Known.Causes;
  D.Hot = true;
  std::vector<SpeculationPlan> Planned =
      plans(Known.Profile, D.Copy.region(), Settings.MaxVersions);
  auto PlannedFor = [&](const std::string &Key) -> const SpeculationPlan * {
    auto Found = std::find_if(Planned.begin(), Planned.end(),
                              [&](const SpeculationPlan &P) { return P.Key == Key; });
    return Found == Planned.end() ? nullptr : &*Found;
  };
  for (const StoredDecision &Old : Known.Decisions) {
    if (Old.Result == StoredDecision::Outcome::Won && !Old.Candidate.empty()) {
      if (D.Steps.size() < Settings.MaxVersions && fitsThreads(Old, workerThreads(Settings)) &&
          D.TriedPlans.insert(Old.Key).second)
        D.Steps.push_back(provenStep(Old, PlannedFor(Old.Key)));
    } else if (Now - std::min(Now, Old.Stamp) < TrustSeconds) {
      D.TriedPlans.insert(Old.Key);
    }
  }
  std::sort(D.Steps.begin(), D.Steps.end(),
            [](const Step &A, const Step &B) { return A.Plan.Share > B.Plan.Share; });
  double SpentNs = knownNs(Known.Profile);
  if (SpentNs < AheadFactor * Settings.HotMs * 1e6) {
    // Earlier runs ended before it was worth a compilation. So will this one, unless it does more.
    D.State->HotTarget =
        static_cast<uint64_t>(std::max(2 * SpentNs, Settings.HotMs * 1e6) / nsPerTick());
    D.Hot = !D.Steps.empty();
  } else if (Settings.Compile != CompileMode::Off) {
    for (const SpeculationPlan &Plan : Planned)
      if (D.Steps.size() < Settings.MaxVersions && D.TriedPlans.insert(Plan.Key).second)
        D.Steps.push_back(unmeasuredStep(Plan, KnownCalls, Settings));
  }
  if (D.Steps.empty())
    return;
  double Wait = std::min(waitNs(D.Steps.front(), KnownCalls), Settings.CompileBudgetMs * 1e6);
  if (Settings.Compile == CompileMode::Off)
    Wait = 0;
  else if (Settings.Compile == CompileMode::Sync)
    Wait = (Settings.CompileBudgetMs + 1000) * 1e6;
  D.State->MayWaitUs.store(static_cast<uint32_t>(Wait / 1e3), std::memory_order_relaxed);
}

} // namespace specrt
