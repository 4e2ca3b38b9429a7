//===- runtime/decide/losses.h - bounds what optimising a region may cost -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each region has one account over all runs. It is charged for candidates that are slower than the
// original, whether or not their times count, for on-stack replacements that were slower, for
// inspections of rows, for instrumented calls and for calls that wait for versions. It is credited
// with the gains of versions, and with a small share of each run. A region that owes more than a
// tenth of one run is quarantined until it has been credited enough: its winning versions remain in
// use, but nothing else is tried.
//
// So even if trials never reach a decision, the loss of a region after runs of R1, R2, ... is at
// most max(LossShare * max Ri, SmallLossNs) + RecoveryShare * sum Ri, plus the excess of one call.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_LOSSES_H
#define SPECRT_RUNTIME_DECIDE_LOSSES_H

#include "runtime/call/trial.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include <string>

namespace specrt {

/// The share of each run that a quarantined region is credited with. Machines and programs change,
/// so it is not quarantined for ever; a program that never gains may lose this share in the long
/// run.
constexpr double RecoveryShare = 0.02;

/// Returns the nanoseconds that a region may still lose; at least 10 ms in its first runs. StartNs
/// is the begin of this run, of CLOCK_MONOTONIC. Returns infinity while nothing is bounded, see
/// Expenses.
double lossBudgetNs(const RegionDetail &D, uint64_t StartNs);

/// Returns the same for a region with these earlier losses, in a run of RunNs that has cost it
/// LostNs.
double lossBudgetNs(const StoredLosses &Earlier, double LostNs, double RunNs);

/// Returns the amount that the store adds to a region's account for a run of RunNs in which it lost
/// LostNs, or gained if that is negative.
double chargedNs(double LostNs, double RunNs);

/// Returns the loss of this run so far in nanoseconds; negative when versions gained more.
double lostNs(const RegistryLock &Guard, const RegionDetail &D);

/// Returns by how much \p T's candidates took longer than the baseline, in nanoseconds.
double lostNs(const Trial &T);

/// Returns the time of inspecting rows for a version's row loops, \p First and those after it,
/// which is no part of its calls' times.
double walkedNs(const specrt_sparse_loop *First);

/// Limits the inspections for \p T's candidates to the loss that is left to the region in this run,
/// which began at \p StartNs of CLOCK_MONOTONIC. Inspections that earlier runs postponed begin when
/// they are affordable.
void limitWalks(const RegionDetail &D, const Trial &T, uint64_t StartNs);

/// Bounds the loss of \p T, inspections included. ExpectedNs is the time of a call of the baseline
/// according to the profile (0: unknown).
void boundLosses(const RegionDetail &D, Trial &T, double ExpectedNs, uint64_t StartNs);

/// Records which inspections for \p T's candidates were postponed, for this run and later ones.
void recordWalks(RegionDetail &D, const Trial &T);

/// Returns whether a region with these losses is quarantined. Each run's credit brings the end of
/// it closer.
bool isResting(const StoredLosses &Losses);

/// Returns for example "rests since 2026-11-22: trials and waits cost 33.00 ms of runs of 200.00
/// ms".
std::string whyResting(const StoredLosses &Losses);

} // namespace specrt

#endif
