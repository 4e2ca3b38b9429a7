//===- runtime/decide/losses.h - what optimizing a region may cost --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates that turn out slower, walks over rows for them and calls that wait for versions cost
// the program time. What a region has lost that way, less what its versions have gained, is summed
// over runs. When it is a tenth of one run, the region rests: what won goes on being used, nothing
// else is tried.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_DECIDE_LOSSES_H
#define SPECRT_RUNTIME_DECIDE_LOSSES_H

#include "runtime/call/trial.h"
#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"
#include <string>

namespace specrt {

/// What the trials of a region may still lose, in nanoseconds; at least 10 ms in the region's first
/// runs. ElapsedNs: how long this run has taken so far.
double lossBudgetNs(const RegionDetail &D, double ElapsedNs);

/// What this run has lost so far in nanoseconds; negative when versions gained more.
double lostNs(const RegistryLock &Guard, const RegionDetail &D);

/// What walking rows for a version took, so that its row loops, \p First and those after it, get
/// tables: no part of its calls' times.
double walkedNs(const specrt_rows_site *First);

/// Walks for \p T's candidates are paid from what the region may lose in this run, which began at
/// \p StartNs of CLOCK_MONOTONIC. What earlier runs put off begins when it is affordable.
void limitWalks(const RegionDetail &D, const Trial &T, uint64_t StartNs);

/// Remembers which walks for \p T's candidates were put off, for this run and later ones.
void recordWalks(RegionDetail &D, const Trial &T);

/// What a region has to take of a run to be worth a compile where no processor is free.
double worthwhileNs(const Config &Settings);

/// Does the region take less, by what this and earlier runs have seen? Not asked about what is
/// known to gain.
bool isSmall(const RegionDetail &D, const Task &Next);

/// Does a region with these losses rest at time Now (seconds since 1970)? Not for ever: machines
/// and programs change.
bool isResting(const StoredLosses &Losses, uint64_t Now);

/// "rests since 2026-11-22: trials and waits cost 33.00 ms of runs of 200.00 ms"
std::string whyResting(const StoredLosses &Losses);

} // namespace specrt

#endif
