//===- runtime/decide/region_ledger.cpp - the account of a region over all runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/region_ledger.h"
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace specrt {

double chargedNs(double OwedNs, double RunNs) { return OwedNs - RecoveryShare * RunNs; }

double owedNs(const RegistryLock &Guard, const RegionDetail &D) {
  double Owed = D.Account->owedNs();
  Owed += static_cast<double>(D.State->WaitedTicks.load(std::memory_order_relaxed)) * nsPerTick();
  for (const auto &V : D.History.Versions) {
    Owed -= V->savedNs();
    if (V->EndReason.empty())
      Owed += walkedNs(V->Rows) - V->WalkedOnTrialNs;
  }
  return Owed;
}

double walkedNs(const specrt_sparse_loop *First) { return rowFigures(First).InspectionMs * 1e6; }

void payFor(const RegionDetail &D, Trial &T, double ExpectedNs) {
  T.ExpectedTicks = static_cast<uint64_t>(ExpectedNs / nsPerTick());
  T.Payer = D.Account;
  // In the first run nothing says that there will be others.
  const bool IsPromising = D.Seen.Account.RunNs > 0 && promises(T.Assumed.Rows);
  for (const auto &C : T.Candidates)
    limitWalks(C->Rows, {D.Account, IsPromising ? PromisingShare : LossShare}, D.Seen.NsPerRow);
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

bool isQuarantined(const StoredAccount &Account) {
  return Account.OwedNs > mayOweNs(Account.RunNs);
}

std::string whyQuarantined(const StoredAccount &Account) {
  return std::string(words(Reason::Quarantined)) + " since " + dayText(Account.Stamp) +
         ": trials and waits cost " + formatNs(Account.OwedNs) +
         " more than versions gained, in runs of " + formatNs(Account.RunNs);
}

} // namespace specrt
