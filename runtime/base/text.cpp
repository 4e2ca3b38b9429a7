//===- runtime/base/text.cpp - measures and shortens texts ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace specrt {

/// Returns whether a byte continues a UTF-8 sequence.
static bool isContinuation(char C) { return (static_cast<unsigned char>(C) & 0xc0) == 0x80; }

size_t columns(std::string_view Text) {
  return static_cast<size_t>(
      std::count_if(Text.begin(), Text.end(), [](char C) { return !isContinuation(C); }));
}

std::string shortened(const std::string &Text, size_t Width) {
  size_t Columns = columns(Text);
  if (Columns <= Width)
    return Text;
  size_t Drop = Columns - (Width - 3), At = 0;
  while (Drop > 0 || (At < Text.size() && isContinuation(Text[At])))
    Drop -= !isContinuation(Text[At++]);
  return "..." + Text.substr(At);
}

/// Returns the begin and end of the longest template arguments, brackets included; 0, 0 without
/// any.
static std::pair<size_t, size_t> longestArguments(const std::string &Name) {
  std::pair<size_t, size_t> Longest{0, 0};
  size_t Depth = 0, Begin = 0;
  for (size_t At = 0; At < Name.size(); ++At) {
    const bool IsOperator = Depth == 0 && At >= 8 && Name.compare(At - 8, 8, "operator") == 0;
    if (IsOperator || (Name[At] == '>' && At > 0 && Name[At - 1] == '-')) {
      while (At + 1 < Name.size() &&
             std::string_view("<=>").find(Name[At + 1]) != std::string::npos)
        ++At;
      continue;
    }
    if (Name[At] == '<' && Depth++ == 0)
      Begin = At;
    if (Name[At] != '>' || Depth == 0)
      continue;
    --Depth;
    if (Depth == 0 && At + 1 - Begin > Longest.second - Longest.first)
      Longest = {Begin, At + 1};
  }
  return Longest;
}

std::string shortenedName(const std::string &Name, size_t Width) {
  constexpr std::string_view Short = "<...>";
  std::string Text = Name;
  while (columns(Text) > Width) {
    auto [Begin, End] = longestArguments(Text);
    if (End - Begin <= Short.size())
      break;
    Text.replace(Begin, End - Begin, Short);
  }
  if (columns(Text) > Width)
    Text = Text.substr(0, Text.find(", inlined into "));
  for (auto [Long, Brief] : {std::pair{"OpenMP loop, ", "OpenMP..., "}, {"OpenMP..., ", "..., "}})
    if (size_t At = Text.find(Long); columns(Text) > Width && At != std::string::npos)
      Text.replace(At, std::strlen(Long), Brief);
  // Leading names are removed until the rest fits. If the last one alone is too long, only its end
  // is kept.
  for (size_t At = 0; columns(Text) > Width && (At = Text.find("::", At + 1)) != std::string::npos;)
    if (columns(Text.substr(At)) + 3 <= Width)
      return "..." + Text.substr(At);
  return shortened(Text, Width);
}

} // namespace specrt
