//===- tools/compiler_library.h - libspecrt-jit.so, for commands that need it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_COMPILER_LIBRARY_H
#define SPECRT_TOOLS_COMPILER_LIBRARY_H

#include "specrt/jit_api.h"
#include <string>

namespace specrt::tools {

/// Its functions that need no start. Throws CommandError without the library.
const specrt_jit_api &compiler();

/// The bytes of \p File; else nothing, and \p Why.
std::string bytesOf(const std::string &File, std::string &Why);

} // namespace specrt::tools

#endif
