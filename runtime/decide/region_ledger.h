//===- runtime/decide/region_ledger.h - the account of a region over all runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each region has one account over all runs: its ledger (runtime/base/policy/ledger.h) and what
// earlier runs have left in the store. It pays for candidates that are slower than the original,
// whether or not their times count, for on-stack replacements that were slower, for inspections of
// rows, for instrumented calls and for calls that wait for versions. It is credited with the gains
// of versions, and with a small share of each run. A region that owes more than its bound is
// quarantined until it has been credited enough: its winning versions remain in use, but nothing
// else is tried.
//
// So even if trials never reach a decision, the loss of a region after runs of R1, R2, ... is at
// most mayOweNs(max Ri) + RecoveryShare * sum Ri, plus the excess of one call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_REGION_LEDGER_H
#define SPECRT_RUNTIME_DECIDE_REGION_LEDGER_H

#include "runtime/call/trial.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include <string>

namespace specrt {

/// Returns the amount that the store adds to a region's account for a run of RunNs in which it owes
/// OwedNs, or has gained if that is negative.
double chargedNs(double OwedNs, double RunNs);

/// Returns what the region owes for this run so far in nanoseconds; negative when versions gained
/// more.
double owedNs(const RegistryLock &Guard, const RegionDetail &D);

/// Returns the time of inspecting rows for a version's row loops, \p First and those after it,
/// which is no part of its calls' times.
double walkedNs(const specrt_sparse_loop *First);

/// Makes D's ledger pay for \p T and the inspections for its candidates. Inspections that earlier
/// runs postponed begin when they are affordable. ExpectedNs is the time of a call of the baseline
/// according to the profile (0: unknown).
void payFor(const RegionDetail &D, Trial &T, double ExpectedNs);

/// Records which inspections for \p T's candidates were postponed, for this run and later ones.
void recordWalks(RegionDetail &D, const Trial &T);

/// Returns whether a region with this account is quarantined. Each run's credit brings the end of
/// the quarantine closer.
bool isQuarantined(const StoredAccount &Account);

/// Returns for example "quarantined since 2026-11-22: trials and waits cost 33.00 ms more than
/// versions gained, in runs of 200.00 ms".
std::string whyQuarantined(const StoredAccount &Account);

} // namespace specrt

#endif
