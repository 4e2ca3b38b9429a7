//===- profiler/store/trial_record.h - what trials of a plan have measured so far ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that calls a region once per run never finishes a trial. What it measured is kept, and
// a later run goes on with the candidates that are left, one call in three runs at most, while the
// other runs use the best that is known.
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
  /// Runs that may be spent on trying others than the best known one, also in vain.
  static constexpr uint32_t MaxAttempts = 16;

  struct Candidate {
    std::string Name;
    double Ns = 0; ///< per call; 0: not measured yet
  };
  std::vector<Candidate> Candidates; ///< those that the compiler is known to give
  bool Complete = false;             ///< it gives no others
  uint32_t Attempts = 0;             ///< runs that were spent
  uint32_t Looks = 0;                ///< number of calls of lookAgain

  /// Is something left to measure?
  bool isOpen() const;
  /// Was this one measured?
  bool knows(const std::string &Name) const;
  /// Adds a candidate, or its time.
  void add(const std::string &Name, double Ns = 0);
  /// Begins anew: has all candidates measured again, except those that took longer than
  /// \p FarBehindNs per call.
  void lookAgain(double FarBehindNs);
  /// Adds what another run learned; its times replace older ones, and all of them if it has begun
  /// anew.
  void merge(const TrialRecord &Newer);
};

/// An object with fields of its own.
nlohmann::json toJson(const TrialRecord &Record);
TrialRecord readTrialRecord(JsonReader &In, const nlohmann::json &Json);

} // namespace specrt

#endif
