//===- runtime/report/summary.cpp - the table at exit ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/text.h"
#include "runtime/call/locked_region.h"
#include "runtime/decide/persistence.h"
#include "runtime/decide/verdict.h"
#include "runtime/report/report.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace specrt {

RegionFigures figuresOf(const Registry::View &V) {
  RegionFigures F;
  RegionState &S = *V.State;
  F.Calls = S.Calls.load(std::memory_order_relaxed);
  if (const char *Reason = S.StaticReason.load(std::memory_order_relaxed))
    F.Reason = Reason;
  if (S.tryLock()) {
    if (S.Samples > 0)
      F.OriginalNs =
          static_cast<double>(S.SampledTicks) / static_cast<double>(S.Samples) * nsPerTick();
    S.unlock();
  }
  if (!V.Detail)
    return F;
  const RegionDetail &D = *V.Detail;
  if (!D.Reason.empty())
    F.Reason = D.Reason;
  double Hits = 0, OriginalNs = 0, BestNs = 0;
  F.TrialCalls = S.TrialCalls.load(std::memory_order_relaxed);
  F.Misses = S.ThunkMisses.load(std::memory_order_relaxed);
  for (const auto &V : D.History.Versions) {
    F.Hits += V->hits();
    F.Misses += V->finalMisses();
    F.Calls += V->callsPastThunk();
    if (!V->EndReason.empty())
      continue;
    ++F.Versions;
    // A version that nobody has needed yet counts when it is the only one.
    const double Weight = static_cast<double>(V->hits()) + 1e-6;
    Hits += Weight;
    OriginalNs += Weight * V->baselineNs();
    BestNs += Weight * V->bodyNs();
  }
  if (Hits > 0) {
    const double PerHit = OriginalNs > 0 ? OriginalNs / Hits : F.OriginalNs;
    const auto Misses = static_cast<double>(F.Misses);
    const double MissNs = Misses * (F.OriginalNs > 0 ? F.OriginalNs : PerHit);
    F.OriginalNs = (Hits * PerHit + MissNs) / (Hits + Misses);
    F.BestNs = (BestNs + MissNs) / (Hits + Misses);
  }
  return F;
}

bool isHot(const Registry::View &V) {
  if (V.Detail && V.Detail->Hot)
    return true;
  BrieflyLockedRegion Lock(*V.State);
  return Lock && V.State->TotalTicks >= hotTarget(*V.State);
}

namespace {

struct SummaryRow {
  std::string Name, State;
  RegionFigures Figures;

  /// What the region's calls took or would have taken: where to look first.
  double impactNs() const { return Figures.OriginalNs * static_cast<double>(Figures.Calls); }
};

/// One aligned line of the table, without the end that is blank.
std::string line(const char *Name, const char *State, const char *Versions, const char *Hits,
                 const char *Misses, const char *Original, const char *Version, const char *Gain) {
  char Text[256];
  std::snprintf(Text, sizeof(Text), "specrt: %-30s %-11s %8s %9s %8s %9s %9s %6s\n", Name, State,
                Versions, Hits, Misses, Original, Version, Gain);
  return Text;
}

std::string line(const SummaryRow &Row) {
  const RegionFigures &F = Row.Figures;
  char Gain[32] = "-";
  if (F.BestNs > 0 && F.OriginalNs > 0)
    std::snprintf(Gain, sizeof(Gain), "%.2fx", F.OriginalNs / F.BestNs);
  std::string Text = line(shortenedName(Row.Name, 30).c_str(), Row.State.c_str(),
                          std::to_string(F.Versions).c_str(), std::to_string(F.Hits).c_str(),
                          std::to_string(F.Misses).c_str(), formatNs(F.OriginalNs).c_str(),
                          F.BestNs > 0 ? formatNs(F.BestNs).c_str() : "-", Gain);
  if (!F.Reason.empty() && F.Versions == 0)
    Text += "specrt:   " + F.Reason.substr(0, 300) + "\n";
  return Text;
}

} // namespace

std::string summaryText(Registry &R) {
  std::vector<SummaryRow> Rows;
  size_t NeverHot = 0;
  {
    RegistryLock Guard(R, /*TimeoutMs=*/1000);
    if (!Guard.owns_lock())
      return "";
    R.forEach(Guard, [&](const Registry::View &V) {
      if (!V.Detail && V.State->Calls.load(std::memory_order_relaxed) == 0)
        return;
      SummaryRow Row{titleOf(*V.Region),
                     phaseName(V.State->CurrentPhase.load(std::memory_order_relaxed)),
                     figuresOf(V)};
      if (isHot(V) || !Row.Figures.Reason.empty())
        Rows.push_back(std::move(Row));
      else
        ++NeverHot;
    });
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const SummaryRow &A, const SummaryRow &B) { return A.impactNs() > B.impactNs(); });
  std::string Text;
  if (!Rows.empty())
    Text = line("region", "state", "versions", "hits", "misses", "original", "version", "gain");
  for (const SummaryRow &Row : Rows)
    Text += line(Row);
  if (NeverHot > 0)
    Text += "specrt: " + std::to_string(NeverHot) +
            (NeverHot == 1 ? " region was" : " regions were") + " called but never became hot\n";
  return Text;
}

} // namespace specrt
