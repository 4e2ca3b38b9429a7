//===- runtime/decide/prepare.h - what an earlier run suggests to compile first ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PREPARE_H
#define SPECRT_RUNTIME_DECIDE_PREPARE_H

#include "runtime/cache/stored_plan.h"
#include "runtime/decide/registry.h"
#include "specializer/strategies/table/candidates.h"

namespace specrt {

/// Fills D's steps from what the store knows of a region that was hot, and sets how long its first
/// calls may wait for them. Plans that did not pay lately are marked as tried.
/// Versions, if any, tells what need only be loaded.
void planFromStore(RegionDetail &D, const StoredRegion &Known, const Config &Settings,
                   VersionStore *Versions = nullptr);

/// Returns the time that the runs of \p Profile together spent in the original, in nanoseconds.
double knownNs(const RegionProfile &Profile);
/// Returns the same with this run, if it is like the others.
double nsAfterThisRun(const StoredRegion &Known);

/// The step that publishes the winner of \p Won again. Planned: the same plan as newer calls
/// suggest it, or null.
Step provenStep(const StoredDecision &Won, const SpeculationPlan *Planned = nullptr);

/// Returns how long a call waits for a version that is known to gain, in nanoseconds: as long as
/// the gain for one that only has to be loaded; for a compile that the gain pays for, as long as
/// the call takes. At worst the call takes twice its time, once.
double waitNs(const PublishProven &Known, bool IsStored);
/// Returns how long a call waits for candidates that no run has measured, in nanoseconds; 0 unless
/// they are stored. A run measures one candidate per call, so one call of \p CallsPerRun may become
/// slower by that share of its time, within what the region may still lose (\p MayLoseNs): the only
/// call of a run may wait for as long as it takes, because otherwise no candidate would ever be
/// measured.
double waitNs(const TryCandidates &Try, bool IsStored, double CallsPerRun, double MayLoseNs);

/// The step for a plan that nobody has measured yet, of a region that is called KnownCalls times in
/// a run.
/// Long calls of which there are few begin with the most promising candidate alone: the next call
/// can have it while the others would still be compiled. Slow is a candidate that was seen to be
/// slow, or "". Baseline: the calls that the plan's time is of.
Step unmeasuredStep(const SpeculationPlan &Plan, uint64_t KnownCalls, Measured Baseline,
                    const Config &Settings, const std::string &Slow = "");

/// The candidates that S wants, or all, but those that cannot be: parallel ones for one thread, and
/// such as need to know of rows or zeros what S does not assume.
std::vector<std::string> namesFor(const Step &S, const Config &Settings);

/// Why no candidate of a region is left to try: Reason::LostEarlier, with candidates and times
/// where the profile tells.
std::string whyLostEarlier(const RegionDetail &D);

/// Do the assumptions leave integers open, so that calls under them differ in size?
bool leavesNumbersOpen(const Assumptions &Assumed, const specrt_region &Region);

} // namespace specrt

#endif
