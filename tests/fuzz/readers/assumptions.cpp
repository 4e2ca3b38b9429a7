//===- tests/fuzz/readers/assumptions.cpp - what decisions in profiles rely on ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"
#include "profiler/plans/plan.h"
#include "profiler/store/stored_json.h"
#include "tests/fuzz/readers/kernel.h"
#include "tests/fuzz/readers/reader.h"

#include <nlohmann/json.hpp>

using namespace specrt;

namespace {

specrt_test::FuzzedKernel &kernel() {
  static specrt_test::FuzzedKernel Only;
  return Only;
}

std::optional<Assumptions> read(std::string_view Text) {
  nlohmann::json Json;
  return parseStored(Text, Json).empty()
             ? assumptionsFromJson(Json, kernel().Kinds, kernel().get().num_accesses)
             : std::nullopt;
}

std::string textOf(const Assumptions &Assumed) {
  return jsonText(toJson(Assumed, kernel().Kinds), -1);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::optional<Assumptions> Read = read(viewOf(Data, Size));
  if (!Read)
    return 0;
  const specrt_region &Region = kernel().get();
  demand(Read->Facts.size() == Region.num_args, "there is a fact for each argument");
  demand(Read->Overlaps.empty() || Read->Overlaps.size() == 4, "overlaps are of pairs of accesses");
  demand(Read->Zeros.empty() || Read->Zeros.size() == 2, "zeros are of accesses");
  if (haveCellsOf(Region, *Read))
    describe(*Read, Region);
  const std::optional<Assumptions> Again = read(textOf(*Read));
  demand(Again && textOf(*Again) == textOf(*Read), "what was read can be written and read");
  demand(Again->id() == Read->id(), "it has the same name then");
  demand(Read->covers(*Read), "it does for itself");
  const RowFacts Plain(Read->Rows);
  plainFacts(Read->Sequences);
  promises(Read->Rows);
  return 0;
}

std::vector<std::string> seeds() {
  const RegionProfile Profile = kernel().profile();
  const specrt_region &Region = kernel().get();
  std::vector<std::string> All;
  for (const auto &Plans :
       {plans(Profile, Region, 4),
        withSequences(plans(Profile, Region, 4), Profile.get<FoldedStreams>(), Region),
        withRows(plans(Profile, Region, 4), Profile.get<RowProfile>(), Region)})
    for (const SpeculationPlan &Plan : Plans)
      All.push_back(textOf(Plan.Assumed));
  All.push_back(R"({"facts":[],"cells":[{"argument":1,"begin":8,"bytes":4,"certain":false,)"
                R"("value":"0x7"}],"overlaps":"0110","zeros":"01"})");
  All.push_back(
      R"({"facts":[],"cells":[],"overlaps":"0000","zeros":"00"})"); // as if there were none
  return All;
}
