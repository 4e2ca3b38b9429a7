//===- runtime/decide/region_detail.h - the worker's data about a region --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REGION_DETAIL_H
#define SPECRT_RUNTIME_DECIDE_REGION_DETAIL_H

#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/observations/region_profile.h"
#include "profiler/store/profile_store.h"
#include "runtime/base/policy/backoff.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/call/in_place_comparison.h"
#include "runtime/call/versions.h"
#include "runtime/compile/region_copy.h"
#include "runtime/decide/registry_lock.h"
#include "runtime/decide/step.h"
#include "runtime/decide/timeline.h"
#include "runtime/record/instrumented_call.h"
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace specrt {

/// A candidate that is not, or no longer, a version.
struct RetiredCandidate {
  std::string Name, Reason = {};
  Assumptions Assumed;
  double Ns = 0; ///< median of its samples; 0: never ran
  double CompileMs = 0;
};

/// A message of the compiler about an optimisation that was made or not.
struct CompilerNote {
  uint32_t Code; ///< enum specrt_note_code, or one that a newer compiler has
  std::string Text;
};

/// The observations of a region's calls.
struct RegionObservations {
  /// Recent is the profile that program threads record into (RegionState::Profile), under the
  /// region's Lock; Past contains what reviews moved out of it; Saved contains what is in the
  /// store. All exist, or none.
  std::unique_ptr<RegionProfile> Recent, Past, Saved;
  uint64_t CallsSaved = 0, ColdCallsSaved = 0;
  bool CountsRuns = false; ///< later runs have candidates left to try
  bool RunCounted = false; ///< this run is among StoredRegion::Runs
  StoredAccount Account;   ///< of earlier runs
  /// StoredRegion::NsPerRow, updated by this run.
  std::vector<double> NsPerRow;
  double SpentNs = 0;     ///< time in the original in earlier runs
  uint64_t Runs = 0;      ///< earlier ones, see StoredRegion::Runs
  double OwedSavedNs = 0; ///< of this run, already in the store
  /// The data of instrumented calls, of this run or an earlier one; null: none.
  std::unique_ptr<FoldedStreams> Streams;
  std::unique_ptr<RowProfile> Rows; ///< together with Streams
  /// Strides and dependences of its loops, from the last instrumented call or compile; null:
  /// unknown.
  std::unique_ptr<NestProfile> Loops;
  /// The places where values can be nonzero, from the compiler; null: unknown.
  std::unique_ptr<ZeroEquations> Zeros;
  /// when an earlier run last used the region, seconds since 1970; 0: never
  uint64_t StoredUse = 0;
  uint64_t CaptureSent = 0; ///< see StoredRegion; this run's or an earlier one's
  uint64_t Unanswered = 0;  ///< see StoredRegion; this run's capture included
};

/// Current and planned work on a region.
struct RegionWork {
  std::deque<Step> Steps;
  Task Current;                   ///< the task that is being compiled or on trial
  std::unique_ptr<Trial> OnTrial; ///< State->ActiveTrial, or decided and not yet reclaimed
  /// State->Instrumented: its call is awaited or runs.
  std::unique_ptr<InstrumentedCall> Instrumented;
  uint32_t NumInstrumented = 0; ///< versions made in this run
  std::set<AssumptionsId> TriedPlans;
  /// The candidate that was slower in an on-stack replacement, by plan.
  std::map<AssumptionsId, std::string> Slow;
  /// Times of an earlier run in which no candidate beat the original, as a part of a sentence; ""
  /// when there was none.
  std::string TimesOfLost;
  /// The measurements of this and earlier runs, by plan.
  std::map<AssumptionsId, TrialRecord> Records;
  Backoff Reviews; ///< of the calls that meet no version
  uint32_t Compiles = 0;
  /// the compile server probably replays a call that an earlier run captured; trials wait for it
  bool IsBeingReplayed = false;
  bool IsQuarantined = false; ///< earlier runs owe too much, so nothing new is tried
  bool NeverCompile = false;  ///< a compile did not end, in this run or an earlier one
  /// the candidates for the beginning of a whole call were compiled for the next run, or are being
  /// compiled
  bool PreparedNextRun = false;
  bool ValuesMovedOn = false; ///< a trial ended because no call met its guards
  /// The assumptions of such trials, of this run and earlier ones.
  std::vector<Assumptions> NeverMet;
};

/// The results, for reports and the store.
struct RegionHistory {
  std::vector<std::unique_ptr<Version>> Versions; ///< all that were ever published, oldest first
  std::vector<std::unique_ptr<OsrTarget>> OsrTargets;          ///< all that were ever offered
  std::vector<std::unique_ptr<InPlaceComparison>> Comparisons; ///< all, until the image is unloaded
  std::vector<RetiredCandidate> Retired;
  std::vector<StoredCause> Causes;       ///< from a compile of this run or an earlier one
  std::vector<StoredDecision> Decisions; ///< of this run, for the store
  std::vector<CompilerNote> Notes;       ///< about the last compile
  Timeline Events;
};

/// Everything about a region that needs memory. The worker creates it when the region is worth it;
/// it exists until the process ends. After dlclose of its image it stays for the report, and for
/// the same region of the same image when that is loaded again. Guarded by the registry's mutex;
/// while the worker compiles it reads Copy without the mutex, because nothing changes it.
struct RegionDetail {
  RegionDetail(RegionState &S, const specrt_region &Region,
               std::shared_ptr<const DistantCode> Distant = nullptr)
      : State(&S), Copy(Region, /*WithBitcode=*/false, std::move(Distant)) {}

  RegionState *State;
  RegionCopy Copy;
  /// Pays for what optimising the region costs; trials and rows share it.
  const std::shared_ptr<Ledger> Account = std::make_shared<Ledger>(processLedger());
  bool Departed = false; ///< the image is unloaded: State->Region is null
  bool IsLeft = false;   ///< Departed, and the worker has ended all work for the image
  /// The region of an image that was loaded again before IsLeft; it runs its original until then.
  specrt_region *Returning = nullptr;
  bool Refused = false;  ///< can never be specialised, whatever the settings
  bool Restart = false;  ///< the settings changed: nothing may be published before a new start
  uint32_t Restarts = 0; ///< new starts that were made
  bool Hot = false;
  std::string NotReplayed; ///< why a replay has decided nothing, half a sentence; "" if none has
  bool Failed = false;     ///< some compile gave nothing
  std::string Reason;      ///< of the current state, as text
  RegionObservations Seen;
  RegionWork Work;
  RegionHistory History;

  /// Forgets plans and decisions, which were made for other settings.
  void forgetPlans();

  /// Creates the profiles unless they exist, and adds the calls that were kept for them. Called by
  /// the worker, or at the end of the process after it.
  void createProfile(const RegistryLock &Guard);

  /// Records that the compile server has a captured call to replay.
  void recordCaptureSent();

  /// Adopts what earlier runs have counted, and the plans whose guards never held in them.
  void recall(const StoredRegion &Known);

  /// Returns Settings adapted to the region: no threads of ours beside several of the program's.
  Config settings(const Config &Settings) const;

  /// Returns plans from recent calls, and each of them with the memory data of instrumented calls.
  /// At most Max of either kind. Caller holds the region's lock.
  std::vector<SpeculationPlan> plans(unsigned Max) const;

  uint32_t numActiveVersions() const {
    uint32_t Count = 0;
    for (const auto &V : History.Versions)
      Count += V->EndReason.empty();
    return Count;
  }
};

} // namespace specrt

#endif
