//===- runtime/decide/verdict.h - judges trials and records the results ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_VERDICT_H
#define SPECRT_RUNTIME_DECIDE_VERDICT_H

#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"

namespace specrt {

/// The result of a trial so far. The candidates' times include those of their guards.
struct Verdict {
  /// The winning candidate; -1 if none is faster than the baseline by at least 3 %, surely where
  /// calls can be timed singly.
  int Winner = -1;
  bool IsUnsure = false; ///< the best one seems to be faster, but the times scatter by more
  int Best = -1;         ///< the fastest candidate that ran, or -1
  double BaselineNs = 0;
  double BestNs = 0;
};

/// Notes in T whether other programs use processors that its parallel candidates would need. Takes
/// some 10 us. Worker, or the end of the process.
void noteProcessors(Trial &T, unsigned Threads);

/// Returns whether a trial without a winner has decided nothing, because a parallel candidate could
/// not be measured.
bool isUndecided(const Trial &T);

/// Returns whether the trial ended before anything was compared, because too few calls met the
/// guards: the values have moved on.
bool wereValuesMissed(const Trial &T, const Verdict &V);

/// Judges a trial. Caller holds the region's Lock.
Verdict judge(const Trial &T);

/// Rejects a winner whose rows never had a table: it has run the original loops, whatever the times
/// are.
void refuseWithoutTable(const Trial &T, Verdict &V);

/// Returns the verdict in words, for example "does not pay: original 1.20 us, best candidate
/// source-order 1.31 us", or the guard that never held.
std::string explain(const Verdict &V, const Trial &T, const specrt_region &Region);

/// Returns for example "1.20 us".
std::string formatNs(double Ns);

/// Returns for example "2026-11-22", in UTC, for seconds since 1970.
std::string dayText(uint64_t Stamp);

/// Adds a decision for the store, or replaces that for the same plan. A later win keeps the time of
/// the original that the first one was measured against, unless it was compared in place; a later
/// loss against a version that won is ignored. Share 0 keeps the previous share.
void addDecision(RegionDetail &D, StoredDecision New);

/// Returns the decision that stores a version. Its Share is 0.
StoredDecision versionDecision(const Version &V, const char *Reason);

/// Marks a version that S published as measured by an earlier run, so that its decision remains
/// stored.
void adoptProven(const Step &S, Version &V, RegionDetail &D);

/// Records that a candidate of long calls took Ns. Threads can at best share its work. If its
/// parallel or serial sibling would then still be far behind the baseline, the least time of the
/// sibling is recorded, so that it is not tried.
void ruleOutSibling(TrialRecord &Record, const std::string &Name, double Ns, double BaselineNs,
                    unsigned Threads);

/// Stores the times of D's trial for later runs: those that a verdict may be based on, and the
/// expected time of postponed inspections.
void recordTimes(const RegistryLock &Guard, RegionDetail &D);

/// Adds this run's measurements of D's versions to their decisions, at exit. Caller also holds the
/// region's Lock.
void addRunTimes(const RegistryLock &Guard, RegionDetail &D);

/// Turns an unfinished trial into a decision, at exit: a single measured call is better than none
/// for the next run. Caller also holds the region's Lock.
void addUnfinishedDecision(const RegistryLock &Guard, RegionDetail &D);

/// Returns whether the gain is so small or uncertain that another run may decide differently. Such
/// a decision is tried again at most twice, which gains more than it costs.
bool deservesAnotherLook(const StoredDecision &Old);

/// Returns the time per call beyond which a candidate is not tried again when a decision is;
/// infinite if the original's time is unknown.
double farBehindNs(const StoredDecision &Old);

} // namespace specrt

#endif
