//===- profiler/store/stored_region.cpp - one region of the profile store -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/stored_region.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace specrt {
namespace {

using nlohmann::json;

/// The member of a profile's object, beside "observations", with the hashes of files for the
/// others.
constexpr const char *FilesField = "observation_files";

/// The largest time that a reader accepts, in nanoseconds (11 days): sums of times stay finite and
/// exact.
constexpr double MaxNs = 1e15;

constexpr const char *OutcomeNames[] = {"won", "retired", "failed", "endless", "slower-in-a-call"};

json runsToJson(const StoredDecision &Decision) {
  json J = json::array();
  for (const StoredDecision::RunTimes &Run : Decision.Runs)
    J.push_back({{"original_ns", Run.OriginalNs}, {"candidate_ns", Run.CandidateNs}});
  return J;
}

json decisionToJson(const StoredDecision &Decision, std::span<const uint8_t> Kinds) {
  return {{"assumptions", toJson(Decision.Assumed, Kinds)},
          {"share", Decision.Share},
          {"outcome", OutcomeNames[static_cast<unsigned>(Decision.Result)]},
          {"candidate", Decision.Candidate},
          {"original_ns", Decision.OriginalNs},
          {"candidate_ns", Decision.CandidateNs},
          {"compile_ms", Decision.CompileMs},
          {"pace_gain", Decision.GainInPlace},
          {"slower_runs", Decision.SlowerRuns},
          {"walk_ns", Decision.WalkNs},
          {"load_ns", Decision.LoadNs},
          {"reason", Decision.Reason},
          {"stamp", countForJson(Decision.Stamp)},
          {"trials", toJson(Decision.Trials)},
          {"runs", runsToJson(Decision)}};
}

/// Returns a time in nanoseconds.
double readTime(JsonReader &In, const json &J, const char *Name) {
  const double Ns = In.number(J, Name);
  return In.require(Ns >= 0) ? std::min(Ns, MaxNs) : 0;
}

uint32_t readSmall(JsonReader &In, const json &J, const char *Name) {
  const uint64_t Value = In.count(J, Name);
  return In.require(Value <= UINT32_MAX) ? static_cast<uint32_t>(Value) : 0;
}

StoredDecision readDecision(JsonReader &In, const json &J, const RegionProfile &Shape) {
  StoredDecision Decision;
  Decision.Share = std::min(In.number(J, "share"), 1.0);
  Decision.Candidate = In.string(J, "candidate");
  Decision.OriginalNs = readTime(In, J, "original_ns");
  Decision.CandidateNs = readTime(In, J, "candidate_ns");
  Decision.CompileMs = In.number(J, "compile_ms");
  Decision.GainInPlace = In.number(J, "pace_gain");
  Decision.SlowerRuns = readSmall(In, J, "slower_runs");
  Decision.WalkNs = J.contains("walk_ns") ? readTime(In, J, "walk_ns") : 0;
  Decision.LoadNs = J.contains("load_ns") ? readTime(In, J, "load_ns") : 0;
  Decision.Reason = In.string(J, "reason");
  Decision.Stamp = In.count(J, "stamp");
  Decision.Trials = readTrialRecord(In, In.object(J, "trials"));
  auto Assumed =
      assumptionsFromJson(In.object(J, "assumptions"), Shape.argKinds(), Shape.numAccesses());
  if (In.require(Assumed.has_value()))
    Decision.Assumed = std::move(*Assumed);
  std::string Outcome = In.string(J, "outcome");
  auto Name = std::find(std::begin(OutcomeNames), std::end(OutcomeNames), Outcome);
  if (In.require(Name != std::end(OutcomeNames)))
    Decision.Result = static_cast<StoredDecision::Outcome>(Name - std::begin(OutcomeNames));
  for (const json &Run : In.array(J, "runs")) {
    Decision.Runs.push_back({readTime(In, Run, "original_ns"), readTime(In, Run, "candidate_ns")});
    In.require(Decision.Runs.size() <= StoredDecision::MaxRuns);
  }
  In.require(Decision.Share >= 0 && Decision.CompileMs >= 0 && Decision.GainInPlace >= 0);
  return Decision;
}

json causeToJson(const StoredCause &Cause) {
  return {{"kind", Cause.Kind},
          {"message", Cause.Message},
          {"file", Cause.File},
          {"line", Cause.Line},
          {"speculative", Cause.Speculative}};
}

StoredCause readCause(JsonReader &In, const json &J) {
  StoredCause Cause;
  Cause.Kind = In.string(J, "kind");
  Cause.Message = In.string(J, "message");
  Cause.File = In.string(J, "file");
  Cause.Line = readSmall(In, J, "line");
  Cause.Speculative = In.boolean(J, "speculative");
  return Cause;
}

/// Returns the median of the runs' measurements; Else if there are none.
double medianOf(const std::vector<StoredDecision::RunTimes> &Runs,
                double StoredDecision::RunTimes::*Field, double Else) {
  std::vector<double> Times;
  for (const StoredDecision::RunTimes &Run : Runs)
    if (Run.*Field > 0)
      Times.push_back(Run.*Field);
  if (Times.empty())
    return Else;
  auto Middle = Times.begin() + static_cast<ptrdiff_t>(Times.size() / 2);
  std::nth_element(Times.begin(), Middle, Times.end());
  return *Middle;
}

/// Joins the times of several runs; each run counts once.
void joinRuns(const StoredDecision &Old, StoredDecision &New) {
  if (Old.Result != New.Result || Old.Candidate != New.Candidate)
    return;
  if (New.GainInPlace == 0) {
    New.GainInPlace = Old.GainInPlace;
    New.SlowerRuns = Old.SlowerRuns;
  }
  if (New.WalkNs == 0)
    New.WalkNs = Old.WalkNs;
  if (New.LoadNs == 0)
    New.LoadNs = Old.LoadNs;
  New.Runs.insert(New.Runs.begin(), Old.Runs.begin(), Old.Runs.end());
  if (New.Runs.size() > StoredDecision::MaxRuns)
    New.Runs.erase(New.Runs.begin(), New.Runs.end() - StoredDecision::MaxRuns);
  New.OriginalNs = medianOf(New.Runs, &StoredDecision::RunTimes::OriginalNs, New.OriginalNs);
  New.CandidateNs = medianOf(New.Runs, &StoredDecision::RunTimes::CandidateNs, New.CandidateNs);
}

/// Updates Json to the state of Profile.
void writeProfile(const RegionProfile &Profile, ObservationFiles &Files, json &Json) {
  json New = Profile.toJson();
  if (!Json.is_object())
    Json = json::object();
  json Observations = Json.value("observations", json::object());
  json References = Json.value(FilesField, json::object());
  for (auto &[Name, Observation] : New["observations"].items()) {
    Observations.erase(Name);
    References.erase(Name);
    std::string Text = jsonText(Observation, -1);
    if (Text.size() <= ObservationFiles::MaxInlineBytes)
      Observations[Name] = std::move(Observation);
    else if (std::string Hash = Files.store(Text); !Hash.empty())
      References[Name] = Hash;
  }
  New["observations"] = std::move(Observations);
  if (!References.empty())
    New[FilesField] = std::move(References);
  Json = std::move(New);
}

void readProfile(JsonReader &In, const json &Json, const std::shared_ptr<ObservationFiles> &Files,
                 RegionProfile &Profile) {
  Profile.readJson(In, Json);
  if (!Json.contains(FilesField))
    return;
  for (const auto &[Name, Value] : In.object(Json, FilesField).items()) {
    std::string Hash = Value.is_string() ? Value.get<std::string>() : "";
    if (In.require(ObservationFiles::isHash(Hash)))
      Profile.defer(Name, [Files, Hash](Observation &Into) { Files->load(Hash, Into); });
  }
}

} // namespace

const StoredDecision *StoredRegion::decision(const AssumptionsId &Id) const {
  auto Found = std::find_if(Decisions.begin(), Decisions.end(),
                            [&](const StoredDecision &D) { return D.Assumed.id() == Id; });
  return Found == Decisions.end() ? nullptr : &*Found;
}

bool merge(StoredRegion &Older, const StoredRegion &Newer) {
  if (!Older.Profile.merge(Newer.Profile))
    return false;
  Older.Hot |= Newer.Hot;
  if (!Newer.Causes.empty())
    Older.Causes = Newer.Causes;
  Older.LastUsed = std::max(Older.LastUsed, Newer.LastUsed);
  Older.Runs += Newer.Runs;
  Older.ColdCalls += Newer.ColdCalls;
  Older.Account.OwedNs = std::max(Older.Account.OwedNs + Newer.Account.OwedNs, 0.0);
  if (Newer.Account.RunNs > 0)
    Older.Account.RunNs = Newer.Account.RunNs;
  if (Newer.Account.OwedNs > 0)
    Older.Account.Stamp = Newer.Account.Stamp;
  if (!Newer.NsPerRow.empty())
    Older.NsPerRow = Newer.NsPerRow;
  Older.CalledAtOnce |= Newer.CalledAtOnce;
  // A run continues the count of the run before it.
  if (Newer.CaptureSent > 0)
    Older.Unanswered = Newer.Unanswered;
  Older.CaptureSent = std::max(Older.CaptureSent, Newer.CaptureSent);
  std::vector<StoredDecision> Decisions = Newer.Decisions;
  for (StoredDecision &Decision : Decisions)
    if (const StoredDecision *Old = Older.decision(Decision.Assumed.id())) {
      TrialRecord Both = Old->Trials;
      Both.merge(Decision.Trials);
      Decision.Trials = std::move(Both);
      joinRuns(*Old, Decision);
    }
  for (StoredDecision &Decision : Older.Decisions)
    if (!Newer.decision(Decision.Assumed.id()))
      Decisions.push_back(std::move(Decision));
  std::sort(Decisions.begin(), Decisions.end(),
            [](const StoredDecision &A, const StoredDecision &B) {
              return A.Stamp != B.Stamp ? A.Stamp > B.Stamp : A.Assumed.id() < B.Assumed.id();
            });
  if (Decisions.size() > StoredRegion::MaxDecisions)
    Decisions.resize(StoredRegion::MaxDecisions);
  Older.Decisions = std::move(Decisions);
  return true;
}

void write(const StoredRegion &Region, ObservationFiles &Files, json &Json) {
  Json["hot"] = Region.Hot;
  Json["last_used"] = countForJson(Region.LastUsed);
  Json["runs"] = countForJson(Region.Runs);
  Json["cold_calls"] = countForJson(Region.ColdCalls);
  Json["losses"] = {{"lost_ns", std::max(Region.Account.OwedNs, 0.0)},
                    {"run_ns", Region.Account.RunNs},
                    {"stamp", countForJson(Region.Account.Stamp)}};
  Json["ns_per_row"] = Region.NsPerRow;
  Json["called_at_once"] = Region.CalledAtOnce;
  Json["capture_sent"] = countForJson(Region.CaptureSent);
  Json["captures_unanswered"] = countForJson(Region.Unanswered);
  writeProfile(Region.Profile, Files, Json["profile"]);
  json &Causes = Json["causes"] = json::array();
  for (const StoredCause &Cause : Region.Causes)
    Causes.push_back(causeToJson(Cause));
  json &Decisions = Json["decisions"] = json::array();
  for (const StoredDecision &Decision : Region.Decisions)
    Decisions.push_back(decisionToJson(Decision, Region.Profile.argKinds()));
}

std::optional<StoredRegion> readRegion(const json &Json, const RegionProfile &Shape,
                                       const std::shared_ptr<ObservationFiles> &Files) {
  JsonReader In;
  StoredRegion Region{.Profile = Shape};
  Region.Hot = In.boolean(Json, "hot");
  Region.LastUsed = In.count(Json, "last_used");
  Region.Runs = In.count(Json, "runs");
  Region.ColdCalls = In.count(Json, "cold_calls");
  const json &Account = In.object(Json, "losses");
  Region.Account = {readTime(In, Account, "lost_ns"), readTime(In, Account, "run_ns"),
                    In.count(Account, "stamp")};
  if (const json &Loops = In.array(Json, "ns_per_row");
      In.require(Loops.size() <= StoredRegion::MaxRowLoops))
    for (const json &Ns : Loops)
      if (In.require(Ns.is_number() && Ns.get<double>() >= 0))
        Region.NsPerRow.push_back(std::min(Ns.get<double>(), MaxNs));
  Region.CalledAtOnce = In.boolean(Json, "called_at_once");
  Region.CaptureSent = In.count(Json, "capture_sent");
  if (Json.contains("captures_unanswered"))
    Region.Unanswered = In.count(Json, "captures_unanswered");
  readProfile(In, In.object(Json, "profile"), Files, Region.Profile);
  const json &Decisions = In.array(Json, "decisions");
  if (In.require(Decisions.size() <= StoredRegion::MaxDecisions))
    for (const json &Decision : Decisions)
      Region.Decisions.push_back(readDecision(In, Decision, Shape));
  for (const json &Cause : In.array(Json, "causes"))
    Region.Causes.push_back(readCause(In, Cause));
  if (!In.good())
    return std::nullopt;
  return Region;
}

json *observationFilesOf(json &Region) {
  json::json_pointer Place = json::json_pointer("/profile") / FilesField;
  return Region.contains(Place) && Region[Place].is_object() ? &Region[Place] : nullptr;
}

} // namespace specrt
