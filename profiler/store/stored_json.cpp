//===- profiler/store/stored_json.cpp - the text of a stored file as JSON ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/stored_json.h"

#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

/// Deeper than anything we write; the parser has no limit of its own.
static constexpr int MaxNesting = 24;

static bool nestsTooDeep(std::string_view Text) {
  int Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InString && C == '\\')
      ++I;
    else if (C == '"')
      InString = !InString;
    else if (!InString && (C == '[' || C == '{') && ++Depth > MaxNesting)
      return true;
    else if (!InString && (C == ']' || C == '}'))
      --Depth;
  }
  return false;
}

std::string parseStored(std::string_view Text, json &Json) {
  if (nestsTooDeep(Text))
    return "is damaged (nested too deep)";
  Json = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  return Json.is_discarded() ? "is damaged (not JSON)" : "";
}

} // namespace specrt
