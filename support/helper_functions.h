//===- support/helper_functions.h - functions that generated code calls by name ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generated code calls functions that its source does not mention: memcpy, a function of the math
// library, a helper of the compiler, the entry points of parallel loops. The jit binds them when it
// makes code in memory, the runtime when it loads stored code; both must find the same.
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

/// Returns the function as the program would call it; null when this process has none of that name.
void *helperFunction(const std::string &Name);

/// Sets the functions that SPECRT_ROWS_BEGIN and SPECRT_ROWS_END name, which libspecrt.so defines.
/// Without a call of this, or with null, these names have no function.
void provideRows(specrt_rows_begin_fn *Begin, specrt_rows_end_fn *End);

/// Sets the functions for SPECRT_ENTRY_RUNS_BEGIN and _END. \p Functions must stay valid.
void provideEntryRuns(const specrt_entry_runs_functions *Functions);
const specrt_entry_runs_functions *entryRunsFunctions();

/// Sets the functions for SPECRT_FUSED_ROWS_BEGIN and _END. \p Functions must stay valid.
void provideFusedRows(const specrt_fused_rows_functions *Functions);
const specrt_fused_rows_functions *fusedRowsFunctions();

/// Sets the functions for SPECRT_ZEROS_BEGIN and the others. \p Functions must stay valid.
void provideZeros(const specrt_zeros_functions *Functions);
const specrt_zeros_functions *zerosFunctions();

/// Returns the names that generated code uses for the entry points of parallel loops. They are
/// Polly's, which are libgomp's.
std::span<const char *const> loopFunctions();

/// Returns whether loopFunctions() contains \p Name.
bool isLoopFunction(const std::string &Name);

/// Returns a number that changes whenever threads of this process begin or finish one of our
/// parallel loops; it is odd while they share one. Returns 0 until loopFunction() or lookForLoops()
/// of this copy of the file has found the library.
uint64_t loopsSoFar();
/// Returns whether loops run on their callers' threads because there was no memory for threads.
/// Returns false until the library is found, as for loopsSoFar().
bool haveLoopsFailed();
/// Finds the library in \p Directory if this process has opened it already.
void lookForLoops(const std::string &Directory);

/// Makes all later loops run on the thread that begins them. Waits for a loop that threads share,
/// and until TBB's threads have ended, unless the program uses TBB itself. \p Directory contains
/// the library.
void endLoopThreads(const std::string &Directory);

/// Returns the entry point \p Name of libspecrt-parallel.so in \p Directory. The library is opened
/// at the first call and stays open; its loops use at most \p Threads threads from now on. Returns
/// null when there is none, with \p Why set to one sentence.
void *loopFunction(const std::string &Name, const std::string &Directory, uint32_t Threads,
                   std::string &Why);

} // namespace specrt

#endif
