//===- runtime/decide/losses.cpp - bounds what optimising a region may cost ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/losses.h"
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"
#include "runtime/rows/walk_budget.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace specrt {
namespace {

double allowedNs(double RunNs) { return std::max(LossShare * RunNs, SmallLossNs); }

} // namespace

double lossBudgetNs(const RegionDetail &D, uint64_t StartNs) {
  if (!expenses().areBounded())
    return std::numeric_limits<double>::infinity();
  return lossBudgetNs(D.Seen.Losses, D.Work.LostNs, static_cast<double>(monotonicNs() - StartNs));
}

double lossBudgetNs(const StoredLosses &Earlier, double LostNs, double RunNs) {
  return std::max(allowedNs(std::max(RunNs, Earlier.RunNs)) - Earlier.LostNs - LostNs, 0.0);
}

double chargedNs(double LostNs, double RunNs) { return LostNs - RecoveryShare * RunNs; }

double lostNs(const RegistryLock &Guard, const RegionDetail &D) {
  double Lost = D.Work.LostNs;
  if (D.Work.OnTrial) {
    Lost += lostNs(*D.Work.OnTrial);
    for (const auto &C : D.Work.OnTrial->Candidates)
      Lost += walkedNs(C->Rows);
  }
  Lost += static_cast<double>(D.State->WaitedTicks.load(std::memory_order_relaxed)) * nsPerTick();
  for (const auto &V : D.History.Versions) {
    Lost -= V->savedNs();
    if (V->EndReason.empty())
      Lost += walkedNs(V->Rows);
  }
  return Lost;
}

double lostNs(const Trial &T) {
  return std::max(static_cast<double>(T.LostTicks.load(std::memory_order_relaxed)), 0.0) *
         nsPerTick();
}

double walkedNs(const specrt_sparse_loop *First) { return rowFigures(First).InspectionMs * 1e6; }

void limitWalks(const RegionDetail &D, const Trial &T, uint64_t StartNs) {
  if (!expenses().areBounded())
    return;
  // in the first run nothing says that there will be others
  const StoredLosses &Last = D.Seen.Losses;
  const bool IsPromising = Last.RunNs > 0 && promises(T.Assumed.Rows);
  const auto Budget = std::make_shared<WalkBudget>(StartNs, Last.RunNs, Last.LostNs + D.Work.LostNs,
                                                   IsPromising ? PromisingShare : LossShare);
  for (const auto &C : T.Candidates)
    limitWalks(C->Rows, Budget, D.Seen.NsPerRow);
}

void boundLosses(const RegionDetail &D, Trial &T, double ExpectedNs, uint64_t StartNs) {
  T.ExpectedTicks = static_cast<uint64_t>(ExpectedNs / nsPerTick());
  constexpr double Unbounded = 1e18;
  if (const double Ticks = lossBudgetNs(D, StartNs) / nsPerTick(); Ticks < Unbounded)
    T.LossBudget = static_cast<int64_t>(Ticks);
  limitWalks(D, T, StartNs);
}

void recordWalks(RegionDetail &D, const Trial &T) {
  // One candidate may have inspected rows that another one has not, because it was not called or
  // had no time left.
  std::vector<std::optional<double>> Least;
  for (const auto &C : T.Candidates) {
    const std::vector<std::optional<double>> Expected = expectedNsPerRow(C->Rows);
    Least.resize(std::max(Least.size(), Expected.size()));
    for (size_t I = 0; I < Expected.size(); ++I)
      if (Expected[I] && (!Least[I] || *Expected[I] < *Least[I]))
        Least[I] = Expected[I];
  }
  std::vector<double> &Known = D.Seen.NsPerRow;
  Known.resize(std::max(Known.size(), std::min(Least.size(), StoredRegion::MaxRowLoops)));
  for (size_t I = 0; I < std::min(Known.size(), Least.size()); ++I)
    Known[I] = Least[I].value_or(Known[I]);
}

bool isResting(const StoredLosses &Losses) { return Losses.LostNs > allowedNs(Losses.RunNs); }

std::string whyResting(const StoredLosses &Losses) {
  return std::string(words(Reason::Rests)) + " since " + dayText(Losses.Stamp) +
         ": trials and waits cost " + formatNs(Losses.LostNs) +
         " more than versions gained, in runs of " + formatNs(Losses.RunNs);
}

} // namespace specrt
