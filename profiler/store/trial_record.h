//===- profiler/store/trial_record.h - the stored measurements of a plan's trials ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that calls a region once per run never finishes a trial. Its measurements are stored,
// and later runs continue with the remaining candidates, in at most one run of three, while the
// other runs use the best known one.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_TRIAL_RECORD_H
#define SPECRT_PROFILER_STORE_TRIAL_RECORD_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace specrt {

class JsonReader;

/// The candidates of one plan. A value type.
struct TrialRecord {
  /// The limit of runs that try other candidates than the best known one, even without a result.
  static constexpr uint32_t MaxAttempts = 16;

  struct Candidate {
    std::string Name;
    double Ns = 0; ///< per call; 0: not measured yet
  };
  std::vector<Candidate> Candidates; ///< candidates that the compiler is known to make
  bool Complete = false;             ///< there are no other candidates
  uint32_t Attempts = 0;             ///< number of these runs
  uint32_t Looks = 0;                ///< number of calls of lookAgain

  /// Returns whether something is left to measure.
  bool isOpen() const;
  /// Returns whether this candidate was measured.
  bool knows(const std::string &Name) const;
  /// Adds a candidate, or its time.
  void add(const std::string &Name, double Ns = 0);
  /// Begins anew: has all candidates measured again, except those that took longer than
  /// \p FarBehindNs per call.
  void lookAgain(double FarBehindNs);
  /// Adds the results of another run. Its times replace older ones; if it has begun anew, all older
  /// ones are dropped.
  void merge(const TrialRecord &Newer);
};

/// Returns a JSON object.
nlohmann::json toJson(const TrialRecord &Record);
TrialRecord readTrialRecord(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
