//===- profiler/store/trial_record.cpp - the stored measurements of a plan's trials ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/trial_record.h"
#include "profiler/json/json_reader.h"

#include <algorithm>

namespace specrt {
namespace {

using nlohmann::json;

/// The limit of candidates; no compiler makes more, so a file with more is damaged.
constexpr size_t MaxCandidates = 64;
/// The limit of measured times.
constexpr double MaxNs = 1e15;

} // namespace

bool TrialRecord::isOpen() const {
  bool Unmeasured = std::any_of(Candidates.begin(), Candidates.end(),
                                [](const Candidate &C) { return C.Ns == 0; });
  return Attempts < MaxAttempts && (Unmeasured || !Complete);
}

bool TrialRecord::knows(const std::string &Name) const {
  return std::any_of(Candidates.begin(), Candidates.end(),
                     [&](const Candidate &C) { return C.Name == Name && C.Ns > 0; });
}

void TrialRecord::add(const std::string &Name, double Ns) {
  auto Found = std::find_if(Candidates.begin(), Candidates.end(),
                            [&](const Candidate &C) { return C.Name == Name; });
  if (Found == Candidates.end()) {
    if (Candidates.size() < MaxCandidates)
      Candidates.push_back({Name, Ns});
  } else if (Ns > 0) {
    Found->Ns = Ns;
  }
}

void TrialRecord::lookAgain(double FarBehindNs) {
  for (Candidate &C : Candidates)
    if (C.Ns <= FarBehindNs)
      C.Ns = 0;
  Attempts = 0;
  ++Looks;
}

void TrialRecord::merge(const TrialRecord &Newer) {
  if (Newer.Looks > Looks) {
    *this = Newer;
    return;
  }
  for (const Candidate &C : Newer.Candidates)
    add(C.Name, C.Ns);
  Complete |= Newer.Complete;
  Attempts = std::max(Attempts, Newer.Attempts);
}

json toJson(const TrialRecord &Record) {
  json Candidates = json::array();
  for (const TrialRecord::Candidate &C : Record.Candidates)
    Candidates.push_back({{"name", C.Name}, {"ns", C.Ns}});
  return {{"candidates", Candidates},
          {"complete", Record.Complete},
          {"attempts", Record.Attempts},
          {"looks", Record.Looks}};
}

TrialRecord readTrialRecord(JsonReader &In, const json &Json) {
  TrialRecord Record;
  const json &Candidates = In.array(Json, "candidates");
  if (In.require(Candidates.size() <= MaxCandidates))
    for (const json &C : Candidates) {
      const double Ns = In.number(C, "ns");
      In.require(Ns >= 0);
      Record.add(In.string(C, "name"), std::min(Ns, MaxNs));
    }
  Record.Complete = In.boolean(Json, "complete");
  Record.Attempts = static_cast<uint32_t>(
      std::min<uint64_t>(In.count(Json, "attempts"), TrialRecord::MaxAttempts));
  Record.Looks = static_cast<uint32_t>(std::min<uint64_t>(In.count(Json, "looks"), UINT32_MAX));
  return Record;
}

} // namespace specrt
