//===- runtime/decide/prepare.h - plans steps from the results of earlier runs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_PREPARE_H
#define SPECRT_RUNTIME_DECIDE_PREPARE_H

#include "runtime/cache/stored_plan.h"
#include "runtime/decide/registry.h"
#include "specializer/strategies/table/candidates.h"

namespace specrt {

/// Fills D's steps from the stored data of a region that was hot, and sets how long its first calls
/// may wait for them. Plans that lost recently are marked as tried. Versions, if not null, is the
/// store of compiled versions, which need only be loaded.
void planFromStore(RegionDetail &D, const StoredRegion &Known, const Config &Settings,
                   VersionStore *Versions = nullptr);

/// Returns the time that the runs of \p Profile together spent in the original, in nanoseconds.
double knownNs(const RegionProfile &Profile);
/// Returns knownNs with this run included, if it is like the others.
double nsAfterThisRun(const StoredRegion &Known);

/// Returns the step that publishes the winner of \p Won again. Planned is the same plan with the
/// ranges of newer calls, or null.
Step provenStep(const StoredDecision &Won, const SpeculationPlan *Planned = nullptr);

/// Returns how long a call waits for a version that is known to gain, in nanoseconds: the gain for
/// one that only has to be loaded; the time of the call for a compile that the gain pays for. At
/// worst the call takes twice its time, once.
double waitNs(const PublishProven &Known, bool IsStored);
/// Returns how long a call waits for candidates that no run has measured, in nanoseconds; 0 unless
/// they are stored. A run measures one candidate per call, so one call of \p CallsPerRun may become
/// slower by that share of its time, within what the region may still lose (\p MayLoseNs): the only
/// call of a run may wait for as long as it takes, because otherwise no candidate would ever be
/// measured.
double waitNs(const TryCandidates &Try, bool IsStored, double CallsPerRun, double MayLoseNs);

/// Returns the step for a plan that was not measured yet, of a region that is called KnownCalls
/// times in a run. If there are few long calls, the most promising candidate is compiled alone: the
/// next call can use it while the others would still be compiled. Slow is a candidate that was slow
/// before, or "". Baseline says which calls the plan's time was measured on.
Step unmeasuredStep(const SpeculationPlan &Plan, uint64_t KnownCalls, Measured Baseline,
                    const Config &Settings, const std::string &Slow = "");

/// Returns the candidates that S wants, or all, without those that are impossible: parallel ones
/// for one thread, and those that need rows or zeros that S does not assume.
std::vector<std::string> namesFor(const Step &S, const Config &Settings);

/// Returns why no candidate of a region is left to try: Reason::LostEarlier, with candidates and
/// times if the profile contains them.
std::string whyLostEarlier(const RegionDetail &D);

/// Returns whether the assumptions leave integers open, so that calls under them differ in size.
bool leavesNumbersOpen(const Assumptions &Assumed, const specrt_region &Region);

} // namespace specrt

#endif
