//===- tools/propagate/named_option.cpp - options like A=FILE -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/propagate/named_option.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <fmt/format.h>

namespace specrt::tools {

std::pair<std::string, std::string> parted(const std::string &Text, const char *Option,
                                           const char *Form) {
  const size_t At = Text.find('=');
  if (At == 0 || At == std::string::npos || At + 1 == Text.size())
    throw CommandError(ExitUsage,
                       fmt::format("{} wants {}, not '{}'", Option, Form, printable(Text)));
  return {Text.substr(0, At), Text.substr(At + 1)};
}

} // namespace specrt::tools
