//===- runtime/decide/losses.h - what optimizing a region may cost --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each region has one account over all runs. Candidates that are slower than the original, whether
// or not their times count, rests of calls that a version did more slowly, walks over rows,
// instrumented calls and calls that wait for versions are charged; what versions gain is credited,
// and so is a small share of each run. A region that owes more than a tenth of one run rests until
// it has been credited enough: what won goes on being used, nothing else is tried.
//
// So whatever keeps trials from a decision, what a region has lost after runs of R1, R2, ... is at
// most max(LossShare * max Ri, SmallLossNs) + RecoveryShare * sum Ri, and what one call beyond that
// takes longer.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_LOSSES_H
#define SPECRT_RUNTIME_DECIDE_LOSSES_H

#include "runtime/call/trial.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include <string>

namespace specrt {

/// Of each run: what a region that lost much is credited. Machines and programs change, so it does
/// not rest for ever; and a program that never gains may lose as much in the long run.
constexpr double RecoveryShare = 0.02;

/// What a region may still lose, in nanoseconds; at least 10 ms in its first runs. StartNs: when
/// this run began, of CLOCK_MONOTONIC. Infinity while nothing is bounded, see Expenses.
double lossBudgetNs(const RegionDetail &D, uint64_t StartNs);

/// Of a region with these earlier losses, in a run of RunNs that has cost it LostNs.
double lossBudgetNs(const StoredLosses &Earlier, double LostNs, double RunNs);

/// What the store adds to a region's account for a run of RunNs in which it lost LostNs, or gained
/// when that is negative.
double chargedNs(double LostNs, double RunNs);

/// What this run has lost so far in nanoseconds; negative when versions gained more.
double lostNs(const RegistryLock &Guard, const RegionDetail &D);

/// What \p T's candidates took longer than the baseline, in nanoseconds.
double lostNs(const Trial &T);

/// What walking rows for a version took, so that its row loops, \p First and those after it, get
/// tables: no part of its calls' times.
double walkedNs(const specrt_rows_site *First);

/// Walks for \p T's candidates are paid from what the region may lose in this run, which began at
/// \p StartNs of CLOCK_MONOTONIC. What earlier runs put off begins when it is affordable.
void limitWalks(const RegionDetail &D, const Trial &T, uint64_t StartNs);

/// Bounds what \p T may lose, walks included, where the profile expects a call of the baseline to
/// take ExpectedNs (0: unknown).
void boundLosses(const RegionDetail &D, Trial &T, double ExpectedNs, uint64_t StartNs);

/// Remembers which walks for \p T's candidates were put off, for this run and later ones.
void recordWalks(RegionDetail &D, const Trial &T);

/// Does a region with these losses rest? Each run's credit brings the end of it closer.
bool isResting(const StoredLosses &Losses);

/// "rests since 2026-11-22: trials and waits cost 33.00 ms of runs of 200.00 ms"
std::string whyResting(const StoredLosses &Losses);

} // namespace specrt

#endif
