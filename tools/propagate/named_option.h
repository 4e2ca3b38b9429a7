//===- tools/propagate/named_option.h - options like A=FILE ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_NAMED_OPTION_H
#define SPECRT_TOOLS_PROPAGATE_NAMED_OPTION_H

#include <string>
#include <utility>

namespace specrt::tools {

/// Splits "A=FILE" into its two parts. Throws CommandError if one is missing, with \p Form as the
/// required form.
std::pair<std::string, std::string> parted(const std::string &Text, const char *Option,
                                           const char *Form);

} // namespace specrt::tools

#endif
