//===- profiler/store/stored_json.cpp - the text of a stored file as JSON ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/stored_json.h"

#include <nlohmann/json.hpp>

namespace specrt {

using nlohmann::json;

/// The limit of nesting, which is more than written files have; the parser has no limit of its own.
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
  // json::parse would destroy what it has read when there is no memory.
  emptyJson(Json);
  nlohmann::detail::json_sax_dom_parser<json> Builder(Json, /*allow_exceptions_=*/false);
  if (json::sax_parse(Text, &Builder))
    return "";
  emptyJson(Json);
  return "is damaged (not JSON)";
}

void emptyJson(json &Json) noexcept {
  if (Json.is_object())
    for (auto &Member : Json.get_ref<json::object_t &>())
      emptyJson(Member.second);
  else if (Json.is_array())
    for (json &Element : Json.get_ref<json::array_t &>())
      emptyJson(Element);
  else
    return;
  // The destructors of empty objects and arrays need no memory.
  Json.clear();
}

} // namespace specrt
