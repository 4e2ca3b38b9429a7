//===- runtime/decide/verdict.h - who won a trial, and what the next run learns ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_VERDICT_H
#define SPECRT_RUNTIME_DECIDE_VERDICT_H

#include "runtime/decide/region_detail.h"
#include "runtime/decide/registry_lock.h"

namespace specrt {

/// The outcome of a trial as it stands. The candidates' times include what their guards cost.
struct Verdict {
  /// A candidate, or -1: none is surely faster than the baseline, by 3 % at least.
  int Winner = -1;
  bool IsUnsure = false; ///< the best one seems to be, but times scatter by more
  int Best = -1;         ///< the fastest candidate that ran, or -1
  double BaselineNs = 0;
  double BestNs = 0;
};

/// Caller holds the region's Lock.
Verdict judge(const Trial &T);

/// A winner whose rows never had a table has run as it was written, whatever the times say: then
/// there is none.
void refuseWithoutTable(const Trial &T, Verdict &V);

/// "does not pay: original 1.20 us, best candidate source-order 1.31 us", or which guard never
/// held.
std::string explain(const Verdict &V, const Trial &T, const specrt_region &Region);

/// "1.20 us"
std::string formatNs(double Ns);

/// "2026-11-22", in UTC, for seconds since 1970.
std::string dayText(uint64_t Stamp);

/// Adds a decision to what the store will get, or replaces that of the same plan. A later win
/// keeps the time of the original that the first one was measured against; a later loss against a
/// version that won is no news. Share 0: as before.
void addDecision(RegionDetail &D, StoredDecision New);

/// What is kept of a version. Share 0.
StoredDecision versionDecision(const Version &V, const char *Reason);

/// A version that S published, which an earlier run measured, remembers that, and goes on being
/// kept.
void adoptProven(const Step &S, Version &V, RegionDetail &D);

/// A candidate of long calls took Ns. Threads share work among them at best: where that leaves its
/// parallel or serial sibling far behind the baseline, the least that this one can take is recorded
/// as its time, so that it is not tried.
void ruleOutSibling(TrialRecord &Record, const std::string &Name, double Ns, double BaselineNs,
                    unsigned Threads);

/// Keeps the times of D's trial for later runs: those that a verdict may rest on, and what walks
/// that were put off would take.
void recordTimes(const RegistryLock &Guard, RegionDetail &D);

/// Adds what this run measured of D's versions to their decisions, at exit. The region's Lock held,
/// too.
void addRunTimes(const RegistryLock &Guard, RegionDetail &D);

/// Turns an unfinished trial into a decision, at exit: one measured call is better than none for
/// the next run. The region's Lock held, too.
void addUnfinishedDecision(const RegistryLock &Guard, RegionDetail &D);

/// Returns whether the gain is so small or uncertain that another run may decide differently. Such
/// a decision is tried again at most twice, which gains more than it costs.
bool deservesAnotherLook(const StoredDecision &Old);

/// Returns the time per call beyond which a candidate is not tried again when a decision is;
/// infinite if the original's time is unknown.
double farBehindNs(const StoredDecision &Old);

} // namespace specrt

#endif
