//===- tests/fuzz/readers/observations.cpp - every kind of observation in profiles ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte of an input says of which kind it is.
//
//===----------------------------------------------------------------------===//
#include "profiler/feedback/feedback_json.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/observations/arrays/zero_shares.h"
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

/// False: it does not fit the region.
bool read(std::string_view Text, Observation &Into) {
  nlohmann::json Json;
  if (!parseStored(Text, Json).empty())
    return false;
  JsonReader In;
  Into.readJson(In, Json);
  return In.good();
}

/// What plans and reports are made from.
void use(const RegionProfile &Profile) {
  const specrt_region &Region = kernel().get();
  withRows(withSequences(plans(Profile, Region, 4), Profile.get<FoldedStreams>(), Region),
           Profile.get<RowProfile>(), Region);
  withZeros(plans(Profile, Region, 4), Profile.get<ZeroShares>());
  jsonText(feedbackJson(Profile.get<NestProfile>().get()), -1);
  Profile.toJson();
  demand(Profile.memoryBytes() < size_t{64} << 20, "profiles are small");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size == 0)
    return 0;
  const ObservationKind &Kind = observationKinds()[Data[0] % observationKinds().size()];
  const std::unique_ptr<Observation> Read = Kind.create(kernel().get());
  if (!read(viewOf(Data + 1, Size - 1), *Read))
    return 0;
  const std::string Text = jsonText(Read->toJson(), -1);
  const std::unique_ptr<Observation> Again = Kind.create(kernel().get());
  demand(read(Text, *Again), "what was read can be written and read");
  demand(jsonText(Again->toJson(), -1) == Text, "it is the same then");
  const std::unique_ptr<Observation> Both = Read->clone();
  Both->merge(*Read);
  const std::unique_ptr<Observation> Sum = Kind.create(kernel().get());
  demand(read(jsonText(Both->toJson(), -1), *Sum), "sums can be written and read");
  RegionProfile Profile(kernel().get());
  Profile.addUnsampledCalls(10);
  Profile.defer(Kind.Name, [&](Observation &Into) { Into.merge(*Read); });
  use(Profile);
  RegionProfile Recorded = kernel().profile();
  Recorded.merge(Profile);
  use(Recorded);
  return 0;
}

std::vector<std::string> seeds() {
  const nlohmann::json Seen = kernel().profile().toJson()["observations"];
  std::vector<std::string> All;
  for (size_t I = 0; I < observationKinds().size(); ++I)
    All.push_back(static_cast<char>(I) + jsonText(Seen[observationKinds()[I].Name], -1));
  const auto NumberOf = [](std::string_view Name) {
    size_t I = 0;
    while (Name != observationKinds()[I].Name)
      ++I;
    return static_cast<char>(I);
  };
  // A distance to the row of which the absolute value is no number.
  All.push_back(
      NumberOf(RowProfile::Name) +
      std::string(R"({"calls":1,"loops":[{"loop":0,"rows":9,"classes":[{"step":1,)"
                  R"("min_rows":1,"rows":9,"entries":[[0,1,1,3,-9223372036854775808,0]]}]}]})"));
  // As many changes as can be counted.
  All.push_back(NumberOf(FoldedStreams::Name) +
                std::string(R"({"calls":1,"accesses":[{"number":1,"flags":1,"width":8,"line":0,)"
                            R"("column":0,"depth":1,"points":9,"changes":4294967295,"elements":)"
                            R"({"access":1,"pieces":[[0,9,3,1]]}}],"arguments":[],"call_ms":1,)"
                            R"("window_ms":1,"words":9})"));
  return All;
}
