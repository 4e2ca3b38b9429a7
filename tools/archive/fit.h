//===- tools/archive/fit.h - which compiled files serve here --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_FIT_H
#define SPECRT_TOOLS_ARCHIVE_FIT_H

#include "runtime/cache/identity.h"
#include <optional>
#include <string>

namespace specrt::tools {

/// Whether programs that use this libspecrt on this processor can use a compiled version or a table
/// of rows.
enum class Fit : uint8_t { Here, OtherProcessor, OtherBuild };

/// \p Key: VersionKey::Text of a file that was read. \p Here: identityOfLibrary.
Fit fitOf(const std::string &Key, bool IsRows, const Identity &Here);

/// The value of a field of VersionKey::Text; nothing without such a field.
std::optional<std::string> fieldOf(const std::string &Key, const std::string &Name);

/// That of programs which use the libspecrt.so beside this command. Throws CommandError when it,
/// its compiler or LLVM cannot be found.
const Identity &identityOfLibrary();

} // namespace specrt::tools

#endif
