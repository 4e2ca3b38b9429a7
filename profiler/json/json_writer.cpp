//===- profiler/json/json_writer.cpp - writes JSON that json_reader.h accepts ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_writer.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

static void dropInfinities(json &J) {
  if (J.is_structured())
    for (json &Child : J)
      dropInfinities(Child);
  else if (J.is_number_float() && !std::isfinite(J.get<double>()))
    J = 0.0;
}

std::string hexadecimal(uint64_t Value) {
  char Text[20];
  std::snprintf(Text, sizeof(Text), "0x%" PRIx64, Value);
  return Text;
}

static bool holdsInfinity(const json &J) {
  if (J.is_structured())
    return std::any_of(J.begin(), J.end(), holdsInfinity);
  return J.is_number_float() && !std::isfinite(J.get<double>());
}

std::string jsonText(const json &Document, int Indent) {
  if (holdsInfinity(Document)) {
    json Finite = Document;
    dropInfinities(Finite);
    return jsonText(Finite, Indent);
  }
  return Document.dump(Indent, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace specrt
