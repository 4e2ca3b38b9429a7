//===- profiler/observations/input_values.cpp - observes the values of inputs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/input_values.h"

#include "profiler/json/json_reader.h"
#include "profiler/observations/cell_values.h"
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

InputValues::InputValues(const specrt_region &Region) {
  for (uint8_t Kind : inputKinds(Region))
    Profiles.emplace_back(Kind);
}

void InputValues::record(const SampledCall &Call) {
  if (Call.SameInputs) {
    for (ValueProfile &Profile : Profiles)
      Profile.repeat();
    return;
  }
  for (size_t I = 0; I < Profiles.size(); ++I)
    Profiles[I].record(Call.Inputs[I]);
}

void InputValues::clear() {
  for (ValueProfile &Profile : Profiles)
    Profile = ValueProfile(Profile.kind());
}

void InputValues::add(const InputValues &Newer) {
  for (size_t I = 0; I < Profiles.size(); ++I)
    Profiles[I].merge(Newer.Profiles[I]);
}

json InputValues::toJson() const {
  json Out = json::array();
  for (const ValueProfile &Profile : Profiles)
    Out.push_back(Profile.toJson());
  return Out;
}

void InputValues::readJson(JsonReader &In, const json &Json) {
  if (!In.require(Json.is_array() && Json.size() == Profiles.size()))
    return;
  for (size_t I = 0; I < Profiles.size(); ++I)
    Profiles[I].readJson(In, Json[I]);
}

size_t InputValues::memoryBytes() const {
  return sizeof(*this) + Profiles.capacity() * sizeof(ValueProfile);
}

} // namespace specrt
