//===- profiler/json/value_json.cpp - packed values as JSON ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/value_json.h"

#include "guards/polynomial.h"
#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

json valueToJson(uint8_t Kind, uint64_t Packed) {
  if (isInteger(Kind))
    return signedValue(Kind, Packed);
  return hexadecimal(Packed);
}

uint64_t valueFromJson(JsonReader &In, const json &Json, uint8_t Kind) {
  if (isInteger(Kind)) {
    int64_t Value = In.integer(Json);
    uint64_t Packed = packedValue(Kind, Value);
    In.require(signedValue(Kind, Packed) == Value);
    return Packed;
  }
  uint64_t Packed = In.hexadecimal(Json);
  In.require(Kind != SPECRT_KIND_F32 || Packed <= UINT32_MAX);
  return Packed;
}

} // namespace specrt
