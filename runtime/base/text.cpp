//===- runtime/base/text.cpp - how wide texts are -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/text.h"

#include <algorithm>

namespace specrt {

/// Inside of a UTF-8 sequence.
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

} // namespace specrt
