//===- profiler/observations/region_profile_json.cpp - a region's profile as JSON ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/region_profile.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

json RegionProfile::toJson() const {
  json Out = {{"sampled_calls", countForJson(Sampled)},
              {"unsampled_calls", countForJson(Unsampled)}};
  json &Observations = Out["observations"] = json::object();
  for (const Slot &S : Slots)
    if (!S.Rest)
      Observations[S.Name] = S.Seen->toJson();
  return Out;
}

void RegionProfile::readJson(JsonReader &In, const json &Json) {
  clear();
  Sampled = In.count(Json, "sampled_calls");
  Unsampled = In.count(Json, "unsampled_calls");
  const json &Observations = In.object(Json, "observations");
  for (Slot &S : Slots)
    if (auto Found = Observations.find(S.Name); Found != Observations.end())
      S.Seen->readJson(In, *Found);
}

} // namespace specrt
