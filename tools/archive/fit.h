//===- tools/archive/fit.h - determines which compiled files can be used here ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_FIT_H
#define SPECRT_TOOLS_ARCHIVE_FIT_H

#include "runtime/cache/identity.h"
#include <optional>
#include <string>

namespace specrt::tools {

/// Whether programs that use this libspecrt on this processor can use a compiled version or a table
/// of rows, and if not, why.
enum class Fit : uint8_t { Here, OtherProcessor, OtherBuild };

/// Returns whether a file fits. \p Key is the VersionKey::Text of the file; \p Here comes from
/// identityOfLibrary.
Fit fitOf(const std::string &Key, bool IsRows, const Identity &Here);

/// Returns the value of a field of VersionKey::Text; nothing if there is no such field.
std::optional<std::string> fieldOf(const std::string &Key, const std::string &Name);

/// Returns the identity of programs that use the libspecrt.so beside this command. Throws
/// CommandError when it, its compiler or LLVM cannot be found.
const Identity &identityOfLibrary();

} // namespace specrt::tools

#endif
