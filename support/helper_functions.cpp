//===- support/helper_functions.cpp - functions that generated code calls by name ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/helper_functions.h"
#include "support/elf_file.h"
#include "support/memory/scratch.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <iterator>

namespace specrt {
namespace {

/// These replace helpers of libgcc that no shared library needs to export.
double powiDouble(double X, int N) { return __builtin_powi(X, N); }
float powiFloat(float X, int N) { return __builtin_powif(X, N); }

/// Our library exports GOMP_x as specrt_x. The first six exist in no OpenMP library.
constexpr const char *const LoopFunctions[] = {"GOMP_parallel_loop_runtime_start",
                                               "GOMP_parallel_private_loop_start",
                                               "GOMP_parallel_pipeline_start",
                                               "GOMP_parallel_nest_start",
                                               "GOMP_loop_nest_next",
                                               "GOMP_loop_step",
                                               "GOMP_parallel_end",
                                               "GOMP_loop_private",
                                               "GOMP_loop_runtime_next",
                                               "GOMP_loop_end_nowait"};

std::atomic<specrt_rows_begin_fn *> RowsBegin{nullptr};
std::atomic<specrt_rows_end_fn *> RowsEnd{nullptr};
std::atomic<const specrt_entry_runs_functions *> EntryRuns{nullptr};
std::atomic<const specrt_fused_rows_functions *> FusedRows{nullptr};
std::atomic<const specrt_zeros_functions *> Zeros{nullptr};
std::atomic<uint64_t (*)()> CountLoops{nullptr};
std::atomic<int (*)()> AskFailed{nullptr};
std::atomic<void (*)()> EndThreads{nullptr};

void *zerosFunction(const std::string &Name) {
  const specrt_zeros_functions *Of = Zeros.load();
  if (Of && Name == SPECRT_ZEROS_BEGIN)
    return reinterpret_cast<void *>(Of->begin);
  if (Of && Name == SPECRT_ZEROS_FIT)
    return reinterpret_cast<void *>(Of->fit);
  return Of && Name == SPECRT_ZEROS_END ? reinterpret_cast<void *>(Of->end) : nullptr;
}

void *entryRunsFunction(const std::string &Name) {
  const specrt_entry_runs_functions *Of = EntryRuns.load();
  if (Of && Name == SPECRT_ENTRY_RUNS_BEGIN)
    return reinterpret_cast<void *>(Of->begin);
  return Of && Name == SPECRT_ENTRY_RUNS_END ? reinterpret_cast<void *>(Of->end) : nullptr;
}

void *fusedRowsFunction(const std::string &Name) {
  const specrt_fused_rows_functions *Of = FusedRows.load();
  if (Of && Name == SPECRT_FUSED_ROWS_BEGIN)
    return reinterpret_cast<void *>(Of->begin);
  return Of && Name == SPECRT_FUSED_ROWS_END ? reinterpret_cast<void *>(Of->end) : nullptr;
}

std::string parallelLibrary(const std::string &Directory) {
  return Directory + "/libspecrt-parallel.so";
}

void noteLibrary(void *Library) {
  if (CountLoops.load())
    return;
  AskFailed.store(reinterpret_cast<int (*)()>(dlsym(Library, "specrt_parallel_failed")));
  EndThreads.store(reinterpret_cast<void (*)()>(dlsym(Library, "specrt_parallel_end_threads")));
  CountLoops.store(reinterpret_cast<uint64_t (*)()>(dlsym(Library, "specrt_parallel_loops")));
}

std::string ourName(const std::string &Name) {
  return "specrt_" + Name.substr(sizeof("GOMP_") - 1);
}

} // namespace

void *helperFunction(const std::string &Name) {
  if (Name == TakeScratchName)
    return reinterpret_cast<void *>(&specrt_scratch_take);
  if (Name == GiveScratchName)
    return reinterpret_cast<void *>(&specrt_scratch_give);
  if (Name == SPECRT_ROWS_BEGIN)
    return reinterpret_cast<void *>(RowsBegin.load());
  if (Name == SPECRT_ROWS_END)
    return reinterpret_cast<void *>(RowsEnd.load());
  if (void *Address = entryRunsFunction(Name))
    return Address;
  if (void *Address = fusedRowsFunction(Name))
    return Address;
  if (void *Address = zerosFunction(Name))
    return Address;
  // The program's own definition has priority: its C library's, or one that it interposes.
  if (void *Address = dlsym(RTLD_DEFAULT, Name.c_str()))
    return Address;
  if (Name == "__powidf2")
    return reinterpret_cast<void *>(&powiDouble);
  if (Name == "__powisf2")
    return reinterpret_cast<void *>(&powiFloat);
  return nullptr;
}

void provideRows(specrt_rows_begin_fn *Begin, specrt_rows_end_fn *End) {
  RowsBegin.store(Begin);
  RowsEnd.store(End);
}

void provideEntryRuns(const specrt_entry_runs_functions *Functions) { EntryRuns.store(Functions); }
const specrt_entry_runs_functions *entryRunsFunctions() { return EntryRuns.load(); }

void provideFusedRows(const specrt_fused_rows_functions *Functions) { FusedRows.store(Functions); }
const specrt_fused_rows_functions *fusedRowsFunctions() { return FusedRows.load(); }

void provideZeros(const specrt_zeros_functions *Functions) { Zeros.store(Functions); }
const specrt_zeros_functions *zerosFunctions() { return Zeros.load(); }

std::span<const char *const> loopFunctions() { return LoopFunctions; }

bool isLoopFunction(const std::string &Name) {
  return std::find(std::begin(LoopFunctions), std::end(LoopFunctions), Name) !=
         std::end(LoopFunctions);
}

uint64_t loopsSoFar() {
  uint64_t (*const Ask)() = CountLoops.load();
  return Ask ? Ask() : 0;
}

bool haveLoopsFailed() {
  int (*const Ask)() = AskFailed.load();
  return Ask && Ask() != 0;
}

void lookForLoops(const std::string &Directory) {
  if (CountLoops.load())
    return;
  if (void *Library = dlopen(parallelLibrary(Directory).c_str(), RTLD_NOW | RTLD_NOLOAD))
    noteLibrary(Library);
}

void endLoopThreads(const std::string &Directory) {
  lookForLoops(Directory);
  if (void (*End)() = EndThreads.load())
    End();
}

void *loopFunction(const std::string &Name, const std::string &Directory, uint32_t Threads,
                   std::string &Why) {
  const std::string Path = parallelLibrary(Directory);
  // Opening it again only counts a reference; it is never closed.
  std::string Problem;
  void *Library = openLibrary(Path, Problem);
  if (!Library) {
    Why = "parallel loops are not available: " + Problem;
    return nullptr;
  }
  noteLibrary(Library);
  // specrt_configure may have set the number of threads, which the library cannot see.
  if (auto *Configure =
          reinterpret_cast<void (*)(unsigned)>(dlsym(Library, "specrt_parallel_configure")))
    Configure(Threads);
  void *Function = isLoopFunction(Name) ? dlsym(Library, ourName(Name).c_str()) : nullptr;
  if (!Function)
    Why = Path + " does not define " + ourName(Name);
  return Function;
}

} // namespace specrt
