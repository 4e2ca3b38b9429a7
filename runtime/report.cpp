//===- runtime/report.cpp - the machine-readable report -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report.h"
#include "profiler/guard_words.h"
#include "profiler/profile_json.h"
#include "runtime/clock.h"
#include "runtime/guards.h"
#include "runtime/locked_region.h"
#include "runtime/log.h"
#include "runtime/persistence.h"
#include "runtime/verdict.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

using nlohmann::json;

json guardsJson(const std::vector<specrt_guard> &Guards, const specrt_region &Region) {
  json Out = json::array();
  for (const specrt_guard &Guard : Guards)
    Out.push_back(describe(Guard, Region));
  return Out;
}

json versionJson(const Version &V, const specrt_region &Region) {
  json Out = {{"candidate", V.Name},
              {"plan", V.PlanKey},
              {"guards", guardsJson(V.Guards, Region)},
              {"active", V.EndReason.empty()},
              {"hits", V.hits()},
              {"misses", V.misses()},
              {"original_ns", V.BaselineNs},
              {"ns", V.BodyNs},
              {"compile_ms", V.CompileMs},
              {"parallel", V.Parallel}};
  if (!V.EndReason.empty())
    Out["reason"] = V.EndReason;
  return Out;
}

/// The candidate that leads a trial which the program's end cut short: it ran, and it won so far.
json leaderJson(const Trial &T, const Verdict &Outcome, const specrt_region &Region) {
  const Contestant &C = *T.Contestants[static_cast<size_t>(Outcome.Winner)];
  return {{"candidate", C.Name},
          {"plan", T.PlanKey},
          {"guards", guardsJson(C.Guards, Region)},
          {"active", true},
          {"on_trial", true},
          {"hits", C.NumRuns.load(std::memory_order_relaxed)},
          {"misses", T.Misses.load(std::memory_order_relaxed)},
          {"original_ns", Outcome.BaselineNs},
          {"ns", Outcome.BestNs},
          {"compile_ms", C.CompileMs},
          {"parallel", C.Parallel}};
}

json argumentsJson(const RegionProfile &Profile, const specrt_region &Region) {
  json Out = json::array();
  for (uint32_t I = 0; I < Region.num_args && I < Profile.arguments().size(); ++I) {
    const ValueProfile &Values = Profile.arguments()[I];
    uint8_t Kind = Region.arg_kinds[I];
    json Entry = {{"name", argumentName(Region, I)}, {"calls", Values.calls()}};
    if (Kind == SPECRT_KIND_POINTER) {
      Entry["alignment"] = Values.alignment();
    } else if (Values.calls() > 0) {
      json Frequent = json::array();
      for (const ValueCount &Count : Values.values())
        if (Count.Count > 0)
          Frequent.push_back({{"value", describeValue(Kind, Count.Value)}, {"count", Count.Count}});
      Entry["values"] = Frequent;
      Entry["min"] = describeValue(Kind, Values.packedBound(Values.min()));
      Entry["max"] = describeValue(Kind, Values.packedBound(Values.max()));
    }
    Out.push_back(Entry);
  }
  return Out;
}

json loopsJson(const RegionProfile &Profile) {
  json Out = json::array();
  for (const LoopProfile &Loop : Profile.accesses().loops())
    Out.push_back({{"line", Loop.Line},
                   {"depth", Loop.Depth},
                   {"calls", Loop.Count},
                   {"min", Loop.Min},
                   {"max", Loop.Max},
                   {"mean", Loop.mean()}});
  return Out;
}

json pairsJson(const RegionProfile &Profile) {
  json Out = json::array();
  for (const PairProfile &Pair : Profile.accesses().pairs())
    Out.push_back({{"first", Pair.First},
                   {"second", Pair.Second},
                   {"disjoint", Pair.Counts[PairProfile::Disjoint]},
                   {"overlapping", Pair.Counts[PairProfile::Overlapping]},
                   {"unknown", Pair.Counts[PairProfile::Unknown]}});
  return Out;
}

void addDetail(json &Out, RegionDetail &D, const RegionProfile *Profile) {
  const specrt_region &Region = D.Copy.region();
  for (const auto &V : D.Versions)
    Out[V->EndReason.empty() ? "versions" : "retired"].push_back(versionJson(*V, Region));
  for (const RetiredCandidate &C : D.Retired)
    Out["retired"].push_back({{"candidate", C.Name},
                              {"plan", C.PlanKey},
                              {"ns", C.Ns},
                              {"compile_ms", C.CompileMs},
                              {"reason", C.Reason}});
  for (const RejectionCause &C : D.Causes)
    Out["causes"].push_back({{"kind", C.Kind},
                             {"message", C.Message},
                             {"file", C.File},
                             {"line", C.Line},
                             {"speculative", C.Speculative}});
  Out["notes"] = D.Notes;
  Out["compiles"] = D.Compiles;
  if (!Profile)
    return;
  Out["arguments"] = argumentsJson(*Profile, Region);
  Out["trip_counts"] = loopsJson(*Profile);
  Out["alias_pairs"] = pairsJson(*Profile);
}

json regionJson(const Registry::View &V) {
  const specrt_region &Region = *V.Region;
  RegionFigures F = figuresOf(V);
  json Out = {{"name", Region.name},
              {"function", Region.function},
              {"file", Region.file},
              {"line", Region.line},
              {"state", phaseName(V.State->CurrentPhase.load(std::memory_order_relaxed))},
              {"reason", F.Reason},
              {"calls", F.Calls},
              {"original_ns", F.OriginalNs},
              {"best_ns", F.BestNs},
              {"versions", json::array()},
              {"retired", json::array()},
              {"causes", json::array()}};
  if (!V.Detail)
    return Out;
  std::unique_ptr<RegionProfile> Profile;
  Verdict Outcome;
  {
    LockedRegion Lock(*V.Detail->State);
    Out["sampled_calls"] = V.State->Samples;
    Out["sampled_ms"] = static_cast<double>(V.State->SampledTicks) * nsPerTick() * 1e-6;
    if (V.Detail->OnTrial)
      Outcome = judge(*V.Detail->OnTrial);
    if (V.Detail->Recent) {
      Profile = std::make_unique<RegionProfile>(*V.Detail->Saved);
      Profile->merge(*V.Detail->Past);
      Profile->merge(*V.Detail->Recent);
    }
  }
  if (Outcome.Winner > 0)
    Out["versions"].push_back(leaderJson(*V.Detail->OnTrial, Outcome, Region));
  addDetail(Out, *V.Detail, Profile.get());
  return Out;
}

bool writeFileAtomically(const std::string &Path, const std::string &Text) {
  std::string Temporary = Path + ".XXXXXX";
  int File = mkostemp(Temporary.data(), O_CLOEXEC);
  if (File < 0)
    return false;
  const char *Next = Text.data();
  size_t Rest = Text.size();
  bool Good = true;
  while (Good && Rest > 0) {
    ssize_t Written = ::write(File, Next, Rest);
    if (Written < 0 && errno == EINTR)
      continue;
    Good = Written > 0;
    Next += Good ? Written : 0;
    Rest -= Good ? static_cast<size_t>(Written) : 0;
  }
  Good = fchmod(File, 0644) == 0 && Good;
  Good = ::close(File) == 0 && Good;
  Good = Good && rename(Temporary.c_str(), Path.c_str()) == 0;
  if (!Good) {
    int Error = errno;
    unlink(Temporary.c_str());
    errno = Error;
  }
  return Good;
}

} // namespace

std::string reportText(Registry &R) {
  json Out = {{"format", 1},
              {"version", SPECRT_VERSION_STRING},
              {"counters",
               {{"compiles", R.Jit.NumCompiles.load(std::memory_order_relaxed)},
                {"llvm_loaded", R.Jit.isOpen()},
                {"instrumented_regions", R.numRegions()}}},
              {"regions", json::array()}};
  std::unique_lock Lock = lockRegistry(R, 1000);
  if (Lock.owns_lock())
    R.forEach([&](const Registry::View &V) { Out["regions"].push_back(regionJson(V)); });
  // Names come from programs and need not be UTF-8.
  return Out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

bool writeReport(Registry &R, const std::string &Path) {
  if (writeFileAtomically(Path, reportText(R)))
    return true;
  logLine(LogLevel::Warning, "the report %s cannot be written: %s", Path.c_str(), strerror(errno));
  return false;
}

} // namespace specrt
