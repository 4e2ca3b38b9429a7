//===- profiler/json/value_json.h - packed values as JSON -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are decimal numbers. Floating-point values are strings of their bits
// ("0x3ff0000000000000"), so that they are restored exactly.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_JSON_VALUE_JSON_H
#define SPECRT_PROFILER_JSON_VALUE_JSON_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace specrt {

class JsonReader;

/// Returns the JSON form of a packed value of the argument kind Kind.
nlohmann::json valueToJson(uint8_t Kind, uint64_t Packed);
/// Returns the packed value; In records values that do not fit the kind.
uint64_t valueFromJson(JsonReader &In, const nlohmann::json &Json, uint8_t Kind);

} // namespace specrt

#endif
