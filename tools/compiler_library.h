//===- tools/compiler_library.h - loads libspecrt-jit.so for commands -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_COMPILER_LIBRARY_H
#define SPECRT_TOOLS_COMPILER_LIBRARY_H

#include "specrt/jit_api.h"
#include <string>

namespace specrt::tools {

/// Returns the library's functions, without starting a compiler. Throws CommandError if it cannot
/// be opened.
const specrt_jit_api &compiler();

/// Returns the bytes of \p File; nothing on failure, with \p Why set.
std::string bytesOf(const std::string &File, std::string &Why);

} // namespace specrt::tools

#endif
