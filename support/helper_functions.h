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

#include "specrt/fused_rows.h"
#include "specrt/zeros.h"
#include <cstdint>
#include <span>
#include <string>

namespace specrt {

/// The function as the program would call it; null when this process has none of that name.
void *helperFunction(const std::string &Name);

/// What SPECRT_ROWS_BEGIN and SPECRT_ROWS_END are: libspecrt.so's functions. Before this, or with
/// null, nothing.
void provideRows(specrt_rows_begin_fn *Begin, specrt_rows_end_fn *End);

/// The same for SPECRT_ENTRY_RUNS_BEGIN and the other; they must stay where they are.
void provideEntryRuns(const specrt_entry_runs_functions *Functions);
const specrt_entry_runs_functions *entryRunsFunctions();

/// The same for SPECRT_FUSED_ROWS_BEGIN and the other; they must stay where they are.
void provideFusedRows(const specrt_fused_rows_functions *Functions);
const specrt_fused_rows_functions *fusedRowsFunctions();

/// The same for SPECRT_ZEROS_BEGIN and the others; they must stay where they are.
void provideZeros(const specrt_zeros_functions *Functions);
const specrt_zeros_functions *zerosFunctions();

/// The names that generated code uses for the entry points of parallel loops: Polly's, which are
/// libgomp's.
std::span<const char *const> loopFunctions();

/// Is it one of those names?
bool isLoopFunction(const std::string &Name);

/// Another number whenever threads of this process begin to share a parallel loop of ours, or have
/// done it; odd while they do. 0 before somebody asked this copy of this file for an entry point,
/// or had it look for the library in Directory.
uint64_t loopsSoFar();
/// Was there no memory for threads, so that such loops run on their callers' threads? As above.
bool haveLoopsFailed();
void lookForLoops(const std::string &Directory);

/// From now on loops run on the thread that begins them. Waits for a loop that threads share, and
/// until TBB's threads have ended, unless the program uses TBB itself. \p Directory: of the
/// library.
void endLoopThreads(const std::string &Directory);

/// Such an entry point from libspecrt-parallel.so in Directory, which is opened at the first call
/// and stays open; its loops use at most Threads threads from now on. Null, with Why set to one
/// sentence, when there is none.
void *loopFunction(const std::string &Name, const std::string &Directory, uint32_t Threads,
                   std::string &Why);

} // namespace specrt

#endif
