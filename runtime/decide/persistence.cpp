//===- runtime/decide/persistence.cpp - stores the results of a run -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/persistence.h"
#include "runtime/base/clock.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/osr/osr_report.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/verdict.h"

#include <algorithm>
#include <limits>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

bool wasCalled(const RegionDetail &D) {
  return D.State->Calls.load(std::memory_order_relaxed) > 0 ||
         std::any_of(D.History.Versions.begin(), D.History.Versions.end(),
                     [](const auto &V) { return V->hits() + V->misses() > 0; });
}

/// Returns whether a region must be stored although this run observed nothing new, because the
/// cache served all its calls. The store forgets regions that are unused for long, and it counts
/// runs while candidates are left to try.
bool needsRenewal(const RegionDetail &D) {
  constexpr uint64_t Day = 86400; // seconds
  bool Old = D.Seen.StoredUse > 0 && D.Seen.StoredUse + Day < secondsNow();
  return (Old || D.Seen.CountsRuns) && wasCalled(D);
}

/// Returns the decisions about D's plans in this run, with all results of their trials.
std::vector<StoredDecision> decisionsOf(const RegionDetail &D) {
  std::vector<StoredDecision> Decisions = D.History.Decisions;
  for (StoredDecision &Decision : Decisions)
    if (auto Found = D.Work.Records.find(Decision.Assumed.id()); Found != D.Work.Records.end())
      Decision.Trials = Found->second;
  return Decisions;
}

/// Returns what this run has added to the account since the last save.
StoredAccount accountOf(const RegistryLock &Guard, RegionDetail &D, double ElapsedNs) {
  const double Owed = chargedNs(owedNs(Guard, D), ElapsedNs);
  return {.OwedNs = Owed - std::exchange(D.Seen.OwedSavedNs, Owed),
          .RunNs = ElapsedNs,
          .Stamp = secondsNow()};
}

void addUpdate(const RegistryLock &Guard, RegionDetail &D, bool AtExit, double ElapsedNs,
               std::vector<StoreUpdate> &Updates) {
  RegionState &S = *D.State;
  bool Renewal = AtExit && needsRenewal(D);
  if (Renewal)
    D.createProfile(Guard);
  if (!D.Seen.Recent)
    return;
  BrieflyLockedRegion Lock(S);
  if (!Lock)
    return;
  RegionProfile Observed = *D.Seen.Past;
  Observed.merge(*D.Seen.Recent);
  D.Seen.Past->clear();
  D.Seen.Recent->clear();
  D.Seen.Saved->merge(Observed);
  uint64_t Calls = S.calls();
  uint64_t NewCalls = Calls - std::min(Calls, D.Seen.CallsSaved);
  if (NewCalls > Observed.sampledCalls())
    Observed.addUnsampledCalls(NewCalls - Observed.sampledCalls());
  D.Seen.CallsSaved = Calls;
  const uint64_t ColdCalls = S.ColdSamples - std::exchange(D.Seen.ColdCallsSaved, S.ColdSamples);
  bool Hot = D.Hot || S.TotalTicks >= hotTarget(S);
  tellOsr(Guard, D);
  if (AtExit) {
    addUnfinishedDecision(Guard, D);
    addRunTimes(Guard, D);
  }
  Lock.unlock();
  const specrt_region &Region = D.Copy.region();
  if (Observed.sampledCalls() == 0 && Observed.get<FoldedStreams>().isEmpty() &&
      D.History.Decisions.empty() && !Renewal)
    return;
  uint64_t Runs = wasCalled(D) && !std::exchange(D.Seen.RunCounted, true) ? 1 : 0;
  StoredRegion Contribution{.Profile = std::move(Observed),
                            .Hot = Hot,
                            .Decisions = decisionsOf(D),
                            .Causes = D.History.Causes,
                            .Runs = Runs,
                            .ColdCalls = ColdCalls,
                            .Account = accountOf(Guard, D, ElapsedNs),
                            .NsPerRow = D.Seen.NsPerRow,
                            .CalledAtOnce = S.Who.areManyAtOnce(),
                            .CaptureSent = D.Seen.CaptureSent,
                            .Unanswered = D.Seen.Unanswered};
  Updates.push_back(
      {Region.name, {Region.bitcode_hash[0], Region.bitcode_hash[1]}, std::move(Contribution)});
}

} // namespace

bool saveProfiles(Registry &R, bool AtExit) {
  std::vector<StoreUpdate> Updates;
  std::shared_ptr<ProfileStore> Store;
  {
    RegistryLock Guard(R, /*TimeoutMs=*/1000);
    if (!Guard.owns_lock() || !R.Store || !R.Settings.writesProfile())
      return Guard.owns_lock();
    Store = R.Store;
    if (AtExit)
      R.adoptPendingSamples(Guard);
    const auto ElapsedNs = static_cast<double>(monotonicNs() - R.StartNs);
    R.forEach(Guard, [&](const Registry::View &V) {
      if (V.Detail)
        addUpdate(Guard, *V.Detail, AtExit, ElapsedNs, Updates);
    });
  }
  return Store->save(Updates);
}

} // namespace specrt
