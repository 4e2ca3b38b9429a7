//===- support/helper_functions.h - what generated code calls by name -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated code calls functions that its source does not mention: memcpy, a function of the math
// library, a helper of the compiler, the entry points of parallel loops. The jit binds them when
// code is made in memory, the runtime when it loads stored code; both must find the same.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_HELPER_FUNCTIONS_H
#define SPECRT_SUPPORT_HELPER_FUNCTIONS_H

#include "specrt/rows.h"
#include <cstdint>
#include <span>
#include <string>

namespace specrt {

/// The function as the program would call it; null when this process has none of that name.
void *helperFunction(const std::string &Name);

/// What SPECRT_ROWS_BEGIN and SPECRT_ROWS_END are: libspecrt.so's functions. Before this, or with
/// null, nothing.
void provideRows(specrt_rows_begin_fn *Begin, specrt_rows_end_fn *End);

/// The names that generated code uses for the entry points of parallel loops: Polly's, which are
/// libgomp's.
std::span<const char *const> loopFunctions();

/// Is it one of those names?
bool isLoopFunction(const std::string &Name);

/// Such an entry point from libspecrt-parallel.so in Directory, which is opened at the first call
/// and stays open; its loops use at most Threads threads from now on. Null, with Why set to one
/// sentence, when there is none.
void *loopFunction(const std::string &Name, const std::string &Directory, uint32_t Threads,
                   std::string &Why);

} // namespace specrt

#endif
