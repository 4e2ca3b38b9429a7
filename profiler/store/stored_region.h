//===- profiler/store/stored_region.h - one region of the profile store ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the stored data of one region, their JSON form, and how the data of two runs
// are merged.
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

/// A decision about one plan of a region.
struct StoredDecision {
  enum class Outcome : uint8_t {
    Won,     ///< Candidate beat the original
    Retired, ///< no candidate beat it
    Failed,  ///< could not be compiled
    Endless, ///< its compilation did not end: it is never tried again
    /// replaced the rest of one call and was slower; it was not measured on whole calls
    SlowerInACall
  };
  Assumptions Assumed; ///< assumptions of the version
  double Share = 0;
  Outcome Result = Outcome::Retired;
  std::string Candidate = {}; ///< the fastest candidate's name; "" when there was none
  double OriginalNs = 0;      ///< per call; 0: not measured. Median of the runs that measured it
  double CandidateNs = 0;     ///< likewise for the candidate
  double CompileMs = 0;       ///< of the candidate; 0: unknown
  /// The ratio by which calls came more often with the candidate than with the original; 0:
  /// unknown.
  double GainInPlace = 0;
  uint32_t SlowerRuns = 0; ///< number of latest runs in a row in which calls came less often
  double WalkNs = 0;       ///< time to inspect its rows, in the last run that did; 0: no run
  double LoadNs = 0;       ///< time to load the candidate, in the last run that did; 0: unknown
  std::string Reason = {}; ///< one sentence for people
  uint64_t Stamp = 0;      ///< seconds since 1970; set by ProfileStore::save when 0
  TrialRecord Trials = {}; ///< of all runs
  /// The measurements of one run, per call; 0: none.
  struct RunTimes {
    double OriginalNs = 0, CandidateNs = 0;
  };
  static constexpr unsigned MaxRuns = 7;
  std::vector<RunTimes> Runs = {}; ///< the last ones, with Candidate

  /// Returns whether too few calls met the guards for any comparison.
  bool wasNeverMet() const { return Result == Outcome::Retired && Candidate.empty(); }
};

/// A reason why the compiler could not transform the original code of a region.
struct StoredCause {
  std::string Kind, Message, File;
  uint32_t Line = 0;
  bool Speculative = false; ///< a guard can resolve it
};

/// The account of optimising a region, over all runs.
struct StoredAccount {
  double OwedNs = 0;  ///< invested in trials, inspections and waits, minus gains; at least 0
  double RunNs = 0;   ///< length of the last run
  uint64_t Stamp = 0; ///< of the last loss, seconds since 1970
};

/// The stored data of one region.
struct StoredRegion {
  static constexpr unsigned MaxDecisions = 16;
  static constexpr size_t MaxRowLoops = 64;

  /// If read from the store: all runs merged. If passed to ProfileStore::save: the observations of
  /// this process since its last save.
  RegionProfile Profile;
  bool Hot = false; ///< hot in some run
  std::vector<StoredDecision> Decisions = {};
  uint64_t LastUsed = 0; ///< seconds since 1970; set by ProfileStore::save
  std::vector<StoredCause> Causes =
      {};            ///< from the last compilation; empty: none was made, or no cause
  uint64_t Runs = 0; ///< number of runs that called it
  /// The number of sampled calls in Profile that were the first of a run, or used new memory.
  uint64_t ColdCalls = 0;
  /// If passed to save: those of this run alone; gains are negative.
  StoredAccount Account = {};
  /// By row loop of a version: the expected time to inspect one of its rows, if that was postponed;
  /// 0: it was not, or is unknown. Empty: unknown.
  std::vector<double> NsPerRow = {};
  bool CalledAtOnce = false; ///< by several threads, in some run
  /// when a run last gave the compile server a captured call to replay, seconds since 1970; 0:
  /// never
  uint64_t CaptureSent = 0;
  uint64_t Unanswered = 0; ///< captured calls that were sent since a replay decided about a plan

  /// Returns the decision about a plan, or null. Valid until Decisions changes.
  const StoredDecision *decision(const AssumptionsId &Id) const;
};

/// Adds the results of a newer run: profiles and trials are merged, and a newer decision about the
/// same plan replaces the older one. Returns false without effect if the two are of different
/// regions.
bool merge(StoredRegion &Older, const StoredRegion &Newer);

/// Writes Region's fields into Json, an object; keeps other fields that a newer libspecrt wrote,
/// and the references to deferred observations. Large observations are stored in Files.
void write(const StoredRegion &Region, ObservationFiles &Files, nlohmann::json &Json);

/// Reads a region. Shape is a profile of the same region, whose contents are ignored. Returns
/// nothing when Json does not fit. Observations in Files are deferred. In the result, times are
/// between 0 and 1e15 ns, shares between 0 and 1, counts at most JsonReader::MaxCount, lists within
/// the limits of this file, and assumptions and observations fit the region.
std::optional<StoredRegion> readRegion(const nlohmann::json &Json, const RegionProfile &Shape,
                                       const std::shared_ptr<ObservationFiles> &Files);

/// Returns the files that a region refers to: an object of hashes by kind of observation, or null.
nlohmann::json *observationFilesOf(nlohmann::json &Region);

} // namespace specrt

#endif
