//===- profiler/store/stored_region.h - one region of the profile store ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one region between runs, its JSON form, and how two runs' knowledge is joined.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_STORED_REGION_H
#define SPECRT_PROFILER_STORE_STORED_REGION_H

#include "profiler/observations/region_profile.h"
#include "profiler/plans/assumptions.h"
#include "profiler/store/observation_files.h"
#include "profiler/store/trial_record.h"
#include "specrt/abi.h"
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// What was decided about one plan of a region.
struct StoredDecision {
  enum class Outcome : uint8_t {
    Won,          ///< Candidate beat the original
    Retired,      ///< no candidate did
    Failed,       ///< could not be compiled
    Endless,      ///< its compilation did not end: it is never tried again
    SlowerInACall ///< did the rest of one call and was slower; on whole calls it was not measured
  };
  Assumptions Assumed; ///< what the version was built with
  double Share = 0;
  Outcome Result = Outcome::Retired;
  std::string Candidate = {}; ///< the fastest candidate's name; "" when there was none
  double OriginalNs = 0;      ///< per call; 0: not measured. Median of the runs that did
  double CandidateNs = 0;     ///< the same
  double CompileMs = 0;       ///< of the candidate; 0: unknown
  /// So many times as often did calls come when the candidate ran as when the original did; 0:
  /// unknown.
  double PaceGain = 0;
  uint32_t SlowerRuns = 0; ///< the last ones, in which they came less often
  double WalkNs = 0;       ///< what to find out about its rows takes, after the last run that
                           ///< did; 0: no run
  double LoadNs = 0;       ///< what loading the candidate took in the last run that did; 0: unknown
  std::string Reason = {}; ///< one sentence for people
  uint64_t Stamp = 0;      ///< seconds since 1970; set by ProfileStore::save when 0
  TrialRecord Trials = {}; ///< of all runs
  /// What one run measured per call; 0: it did not.
  struct RunTimes {
    double OriginalNs = 0, CandidateNs = 0;
  };
  static constexpr unsigned MaxRuns = 7;
  std::vector<RunTimes> Runs = {}; ///< the last ones, with Candidate
};

/// Why the compiler could not transform a region as it is written.
struct StoredCause {
  std::string Kind, Message, File;
  uint32_t Line = 0;
  bool Speculative = false; ///< a guard can resolve it
};

/// What optimizing a region has cost, over all runs.
struct StoredLosses {
  double LostNs = 0;  ///< by trials and waits, less what versions gained; not below 0
  double RunNs = 0;   ///< how long the last run took
  uint64_t Stamp = 0; ///< of the last loss, seconds since 1970
};

/// What is known about one region.
struct StoredRegion {
  static constexpr unsigned MaxDecisions = 16;
  static constexpr size_t MaxRowLoops = 64;

  /// Read from the store: all runs merged. Given to ProfileStore::save: what this process observed
  /// since its last save.
  RegionProfile Profile;
  bool Hot = false; ///< was worth compiling in some run
  std::vector<StoredDecision> Decisions = {};
  uint64_t LastUsed = 0; ///< seconds since 1970; set by ProfileStore::save
  std::vector<StoredCause> Causes =
      {};            ///< from the last compilation; empty: none was made, or no cause
  uint64_t Runs = 0; ///< that called it
  /// Sampled calls of Profile that were the first of a run, or met memory that was new.
  uint64_t ColdCalls = 0;
  /// Given to save: of this run alone; what it gained is negative.
  StoredLosses Losses = {};
  /// By row loop of a version: what looking at one of its rows was expected to take, where that was
  /// put off; 0: it was not, or nobody looked. Empty: nothing is known.
  std::vector<double> NsPerRow = {};
  bool CalledAtOnce = false; ///< by several threads, in some run

  /// The decision about a plan, or null. Valid until Decisions changes.
  const StoredDecision *decision(const AssumptionsId &Id) const;
};

/// Adds what a newer run learned: profiles and trials are merged, and a newer decision about the
/// same plan replaces the older. Returns false, changing nothing, when the two are of different
/// regions.
bool merge(StoredRegion &Older, const StoredRegion &Newer);

/// Writes Region's fields into Json, an object; keeps other fields that a newer libspecrt left, and
/// what Json says of observations that are deferred. Large ones go to Files.
void write(const StoredRegion &Region, ObservationFiles &Files, nlohmann::json &Json);

/// Shape: a profile of the same region; its contents are ignored. Nothing when Json does not fit.
/// What lies in Files is deferred. Of what is returned, times are between 0 and 1e15 ns, shares
/// between 0 and 1, counts at most JsonReader::MaxCount, lists as long as the limits here say, and
/// assumptions and observations fit the region.
std::optional<StoredRegion> readRegion(const nlohmann::json &Json, const RegionProfile &Shape,
                                       const std::shared_ptr<ObservationFiles> &Files);

/// The files that a region refers to: an object of hashes by kind of observation, or null.
nlohmann::json *observationFilesOf(nlohmann::json &Region);

} // namespace specrt

#endif
