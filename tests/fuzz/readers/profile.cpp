//===- tests/fuzz/readers/profile.cpp - files of profiles -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "profiler/plans/plan.h"
#include "profiler/store/profile_store.h"
#include "profiler/store/stored_json.h"
#include "tests/fuzz/readers/kernel.h"
#include "tests/fuzz/readers/reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace specrt;

namespace {

specrt_test::FuzzedKernel &kernel() {
  static specrt_test::FuzzedKernel Only;
  return Only;
}

/// Where no file can be.
std::shared_ptr<ObservationFiles> noFiles() {
  return std::make_shared<ObservationFiles>("/dev/null/profiles", "p.json", StoreReporter());
}

std::optional<StoredRegion> read(const nlohmann::json &Region) {
  return readRegion(Region, RegionProfile(kernel().get()), noFiles());
}

void use(const StoredRegion &Known) {
  const auto IsTime = [](double Ns) { return Ns >= 0 && Ns <= 1e15; };
  for (const StoredDecision &D : Known.Decisions) {
    demand(IsTime(D.OriginalNs) && IsTime(D.CandidateNs) && IsTime(D.WalkNs) && IsTime(D.LoadNs),
           "times are times");
    demand(D.Share >= 0 && D.Share <= 1, "shares are shares");
    demand(std::all_of(D.Trials.Candidates.begin(), D.Trials.Candidates.end(),
                       [&](const TrialRecord::Candidate &C) { return IsTime(C.Ns); }),
           "candidates have times");
    demand(Known.decision(D.Assumed.id()) != nullptr, "decisions are found");
  }
  plans(Known.Profile, kernel().get(), 4);
}

/// As a run that learns the same once more does.
void merge(const StoredRegion &Known, nlohmann::json Region) {
  StoredRegion Both = Known;
  demand(specrt::merge(Both, Known), "regions of one shape can be merged");
  write(Both, *noFiles(), Region);
  nlohmann::json Written;
  demand(parseStored(jsonText(Region, -1), Written).empty(), "what is written is JSON");
  const std::optional<StoredRegion> Again = read(Written);
  demand(Again.has_value(), "what was read can be written and read");
  use(*Again);
}

std::string fileOf(const nlohmann::json &Region) {
  return jsonText({{"format", "specrt-profile"},
                   {"version", ProfileStore::FormatVersion},
                   {"executable", "/bin/p"},
                   {"regions", {Region}}},
                  -1);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Text(viewOf(Data, Size));
  ProfileStore::Summary About;
  ProfileStore::examine(Text, About);
  nlohmann::json Root;
  if (!parseStored(Text, Root).empty() || !Root.is_object() || !Root.contains("regions"))
    return 0;
  for (const nlohmann::json &Region : Root["regions"])
    if (const std::optional<StoredRegion> Known = read(Region)) {
      use(*Known);
      merge(*Known, Region);
    }
  return 0;
}

std::vector<std::string> seeds() {
  StoredRegion Known{.Profile = kernel().profile()};
  Known.Hot = true;
  Known.Runs = 3;
  Known.NsPerRow = {5.5, 0};
  Known.Causes = {{"alias", "A and B", "f.cpp", 4, true}};
  for (const SpeculationPlan &Plan : plans(Known.Profile, kernel().get(), 4)) {
    StoredDecision &D = Known.Decisions.emplace_back();
    D.Assumed = Plan.Assumed;
    D.Share = 0.5;
    D.Candidate = "constants";
    D.OriginalNs = 100;
    D.CandidateNs = 50;
    D.Trials.add("constants", 50);
    D.Trials.add("parallel");
    D.Runs = {{100, 50}, {90, 60}};
  }
  nlohmann::json Region = {{"name", "kernel:10"}, {"bitcode_hash", "00"}};
  write(Known, *noFiles(), Region);
  nlohmann::json Long = Region;
  for (nlohmann::json &Decision : Long["decisions"]) {
    // Longer than the world is old, and more arrays than the region has.
    Decision["original_ns"] = 1e308;
    Decision["walk_ns"] = 1e300;
    Decision["assumptions"]["zeros"] = "1";
  }
  nlohmann::json Elsewhere = Region;
  Elsewhere["profile"]["observation_files"] = {{"times", std::string(32, 'a')}};
  return {fileOf(Region), fileOf(Long), fileOf(Elsewhere), std::string(50'000, '[')};
}
