//===- runtime/decide/region_detail.h - what the worker knows about a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REGION_DETAIL_H
#define SPECRT_RUNTIME_DECIDE_REGION_DETAIL_H

#include "profiler/observations/arrays/zero_equations.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/observations/region_profile.h"
#include "profiler/store/profile_store.h"
#include "runtime/call/pace.h"
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

/// A candidate that did not become a version, or is no longer one.
struct RetiredCandidate {
  std::string Name, Reason = {};
  Assumptions Assumed;
  double Ns = 0; ///< median of its samples; 0: never ran
  double CompileMs = 0;
};

/// A line of the compiler about what it did, and what not.
struct CompilerNote {
  uint32_t Code; ///< enum specrt_note_code, or one that a newer compiler has
  std::string Text;
};

/// What was observed of a region's calls.
struct RegionObservations {
  /// Recent is what program threads record into (RegionState::Profile), under the region's Lock;
  /// Past is what reviews moved out of it; Saved is what went to the store. All or none exist.
  std::unique_ptr<RegionProfile> Recent, Past, Saved;
  uint64_t CallsSaved = 0, ColdCallsSaved = 0;
  bool CountsRuns = false; ///< later runs have candidates left to try
  bool RunCounted = false; ///< this run is among StoredRegion::Runs
  StoredLosses Losses;     ///< of earlier runs
  /// StoredRegion::NsPerRow, with what this run found.
  std::vector<double> NsPerRow;
  double SpentNs = 0;     ///< in the original, by earlier runs
  uint64_t Runs = 0;      ///< earlier ones, see StoredRegion::Runs
  double LostSavedNs = 0; ///< of this run, already in the store
  /// What instrumented calls showed, in this run or an earlier one; null: nothing.
  std::unique_ptr<FoldedStreams> Streams;
  std::unique_ptr<RowProfile> Rows; ///< together with Streams
  /// Strides and dependences of its loops, as an instrumented call or the compiler told them last;
  /// null: nobody did.
  std::unique_ptr<NestProfile> Loops;
  /// Where values can be nonzero, as the compiler told it; null: nobody did.
  std::unique_ptr<ZeroEquations> Zeros;
  uint64_t StoredUse = 0; ///< when an earlier run last met the region, seconds since 1970; 0: never
};

/// What is being done for a region, and what is still to be done.
struct RegionWork {
  std::deque<Step> Steps;
  Task Current;                   ///< what is being compiled or on trial
  std::unique_ptr<Trial> OnTrial; ///< State->ActiveTrial, or decided and not yet reclaimed
  /// State->Instrumented: its call is awaited or runs.
  std::unique_ptr<InstrumentedCall> Instrumented;
  uint32_t NumInstrumented = 0; ///< versions that were made in this run
  std::set<AssumptionsId> TriedPlans;
  /// The candidate that was slower when it did the rest of a call, by plan.
  std::map<AssumptionsId, std::string> Slow;
  /// Times of an earlier run in which no candidate beat the original, as a part of a sentence; ""
  /// when there was none.
  std::string TimesOfLost;
  /// What this and earlier runs measured, by plan.
  std::map<AssumptionsId, TrialRecord> Records;
  uint32_t Reviews = 0;
  uint32_t Compiles = 0;
  bool Rests = false;           ///< earlier runs lost too much: nothing new is tried
  bool NeverCompile = false;    ///< a compile did not end, in this run or an earlier one
  bool PreparedNextRun = false; ///< what a whole call begins with was, or is being, compiled for it
  double LostNs = 0;            ///< by the trials of this run that have ended
  bool ValuesMovedOn = false;   ///< a trial ended because no call met its guards
};

/// What came of it, for reports and the store.
struct RegionHistory {
  std::vector<std::unique_ptr<Version>> Versions; ///< all that were ever published, oldest first
  std::vector<std::unique_ptr<OsrTarget>> OsrTargets; ///< all that were ever offered
  std::vector<std::unique_ptr<Pace>> Comparisons;     ///< all, until the image is gone
  std::vector<RetiredCandidate> Retired;
  std::vector<StoredCause> Causes;       ///< of this run's compilation or an earlier one's
  std::vector<StoredDecision> Decisions; ///< of this run, for the store
  std::vector<CompilerNote> Notes;       ///< about what was compiled last
  Timeline Events;
};

/// Everything about a region that needs memory. Created by the worker when the region is worth it
/// and kept until the process ends. After dlclose of its image it stays for the report, and for the
/// same region of the same image when that is loaded again. Guarded by the registry's mutex; while
/// the worker compiles it reads Copy without (nobody changes it).
struct RegionDetail {
  RegionDetail(RegionState &S, const specrt_region &Region,
               std::shared_ptr<const DistantCode> Distant = nullptr)
      : State(&S), Copy(Region, /*WithBitcode=*/false, std::move(Distant)) {}

  RegionState *State;
  RegionCopy Copy;
  bool Departed = false; ///< the image is gone: State->Region is null
  bool IsLeft = false;   ///< Departed, and the worker has ended all that it did for the image
  /// The image was loaded again before IsLeft: its region runs its original until then.
  specrt_region *Returning = nullptr;
  bool Refused = false;  ///< can never be specialised, whatever the settings
  bool Restart = false;  ///< the settings changed: nothing may be published before a new start
  uint32_t Restarts = 0; ///< new starts that were made
  bool Hot = false;
  std::string NotReplayed; ///< why a replay has decided nothing, half a sentence; "" if none has
  bool Failed = false;     ///< some compile gave nothing
  std::string Reason;      ///< of the current state, for people
  RegionObservations Seen;
  RegionWork Work;
  RegionHistory History;

  /// Begins anew: what was planned or decided holds for other settings.
  void forgetPlans();

  /// Creates the profiles unless they exist, with the calls that waited for them. The worker, or
  /// the end of the process after it.
  void createProfile(const RegistryLock &Guard);

  /// What Settings mean for the region: no threads of ours beside several of the program's.
  Config settings(const Config &Settings) const;

  /// What recent calls suggest, and of each plan the same with what instrumented calls showed of
  /// memory. At most Max of either. Caller holds the region's lock.
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
