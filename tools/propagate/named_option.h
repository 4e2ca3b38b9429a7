//===- tools/propagate/named_option.h - options like A=FILE ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_NAMED_OPTION_H
#define SPECRT_TOOLS_PROPAGATE_NAMED_OPTION_H

#include <string>
#include <utility>

namespace specrt::tools {

/// "A=FILE" in its two parts. Throws CommandError where one is missing; \p Form is what the option
/// wants.
std::pair<std::string, std::string> parted(const std::string &Text, const char *Option,
                                           const char *Form);

} // namespace specrt::tools

#endif
