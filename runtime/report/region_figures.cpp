//===- runtime/report/region_figures.cpp - costs and gains of regions in numbers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/region_figures.h"
#include "runtime/base/clock.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/verdict.h"

#include <algorithm>

namespace specrt {
namespace {

/// Estimates the time of all counted calls. A call of a trial counts like one of the original; the
/// additional time of candidates is known only as a sum.
double spentNs(const RegionFigures &F, const RegionDetail &D, double SampledNs) {
  double Original = SampledNs > 0 ? SampledNs : F.OriginalNs;
  // If the only call of this run belonged to the trial, its time is known from earlier runs alone.
  if (const Trial *T = D.Work.OnTrial.get(); T && Original == 0)
    Original = static_cast<double>(std::max(T->RecalledTicks, T->ExpectedTicks)) * nsPerTick();
  double Ns = Original * static_cast<double>(F.Calls - std::min(F.Calls, F.Hits));
  for (const auto &V : D.History.Versions)
    Ns += static_cast<double>(V->hits()) * V->bodyNs();
  return Ns + D.Account->owedNs();
}

void addVersions(RegionFigures &F, const RegionDetail &D) {
  double Hits = 0, OriginalNs = 0, BestNs = 0;
  bool OriginalEarlier = false, BestEarlier = false;
  for (const auto &V : D.History.Versions) {
    F.Hits += V->hits();
    F.Misses += V->finalMisses();
    F.Calls += V->callsPastThunk();
    if (!V->EndReason.empty())
      continue;
    ++F.Versions;
    // A version without calls so far counts when it is the only one.
    const double Weight = static_cast<double>(V->hits()) + 1e-6;
    Hits += Weight;
    // No gain is claimed that was not measured.
    OriginalNs += Weight * (V->isUnmeasured() ? V->bodyNs() : V->baselineNs());
    BestNs += Weight * V->bodyNs();
    OriginalEarlier |= V->isBaselineEarlier();
    BestEarlier |= V->isBodyEarlier();
  }
  if (Hits == 0)
    return;
  const double PerHit = OriginalNs > 0 ? OriginalNs / Hits : F.OriginalNs;
  const auto Misses = static_cast<double>(F.Misses);
  const double MissNs = Misses * (F.OriginalNs > 0 ? F.OriginalNs : PerHit);
  F.IsOriginalEarlier = OriginalNs > 0 && OriginalEarlier;
  F.IsBestEarlier = BestEarlier;
  F.OriginalNs = (Hits * PerHit + MissNs) / (Hits + Misses);
  F.BestNs = (BestNs + MissNs) / (Hits + Misses);
}

} // namespace

RegionFigures figuresOf(const RegistryLock &Guard, const Registry::View &V) {
  RegionFigures F;
  RegionState &S = *V.State;
  F.Calls = S.calls();
  if (const char *Reason = S.StaticReason.load(std::memory_order_relaxed))
    F.Reason = Reason;
  if (S.tryLock()) {
    if (S.Samples > 0)
      F.OriginalNs =
          static_cast<double>(S.SampledTicks) / static_cast<double>(S.Samples) * nsPerTick();
    S.unlock();
  }
  const double SampledNs = F.OriginalNs;
  F.SpentNs = SampledNs * static_cast<double>(F.Calls);
  if (!V.Detail)
    return F;
  const RegionDetail &D = *V.Detail;
  if (!D.Reason.empty())
    F.Reason = D.Reason;
  F.TrialCalls = S.TrialCalls.load(std::memory_order_relaxed);
  F.Misses = S.ThunkMisses.load(std::memory_order_relaxed);
  addVersions(F, D);
  F.SpentNs = spentNs(F, D, SampledNs);
  F.SavedNs = -owedNs(Guard, D);
  return F;
}

bool isHot(const Registry::View &V) {
  if (V.Detail && V.Detail->Hot)
    return true;
  BrieflyLockedRegion Lock(*V.State);
  return Lock && V.State->TotalTicks >= hotTarget(*V.State);
}

bool isUnseen(const Registry::View &V) {
  return !V.Detail && V.State->StaticReason.load(std::memory_order_relaxed) &&
         V.State->Calls.load(std::memory_order_relaxed) == 0;
}

void ProgramFigures::add(const Registry::View &V, const RegionFigures &F) {
  SpentNs += F.SpentNs;
  SavedNs += F.SavedNs;
  IsEarlier |= F.Hits > 0 && F.IsOriginalEarlier;
  if (!isHot(V))
    return;
  ++NumHot;
  switch (V.State->CurrentPhase.load(std::memory_order_relaxed)) {
  case Phase::Cold:
  case Phase::Profiling:
    ++NumObserved;
    break;
  case Phase::Preparing:
  case Phase::Compiling:
    ++NumCompiling;
    break;
  case Phase::Trial:
    ++NumOnTrial;
    break;
  case Phase::Specialised:
    NumToTry += V.Detail && V.Detail->Seen.CountsRuns;
    break;
  case Phase::Retired:
  case Phase::Blocked:
    IsAtLeast = true;
    NumToTry += V.Detail && V.Detail->Seen.CountsRuns;
    break;
  }
}

std::string ProgramFigures::progressText() const {
  if (NumHot == 0)
    return "";
  std::string Text;
  const auto Add = [&](unsigned Number, const char *What) {
    if (Number > 0)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Number) + " " + What;
  };
  Add(NumObserved, "observed");
  Add(NumCompiling, "being compiled");
  Add(NumOnTrial, "in trial");
  Add(NumToTry, "with more to try in later runs");
  if (Text.empty())
    return NumHot == 1 ? "the hot region is decided"
                       : "all " + std::to_string(NumHot) + " hot regions are decided";
  return "of " + std::to_string(NumHot) + " hot region" + (NumHot == 1 ? "" : "s") + ": " + Text;
}

std::string ProgramFigures::text(double ElapsedNs) const {
  if (NumHot == 0)
    return "";
  // Calls of several threads at the same time can take longer than the run.
  std::string Text = "regions took ";
  if (SpentNs <= ElapsedNs)
    Text += std::string(IsAtLeast ? "at least " : "") + formatNs(SpentNs) + " of " +
            formatNs(ElapsedNs);
  else
    Text += "about all of " + formatNs(ElapsedNs);
  if (SavedNs > 0)
    Text += ", saved about " + formatNs(SavedNs) +
            (IsEarlier ? " by what the original took in earlier runs" : "");
  else if (SavedNs < 0)
    Text += ", lost about " + formatNs(-SavedNs) + " looking for versions";
  return Text + "; " + progressText();
}

} // namespace specrt
