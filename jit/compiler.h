//===- jit/compiler.h - from requests to candidates in memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands behind specrt_jit_api: specializer and engine put together, contained and counted.
// One instance per process, never destroyed, because threads may still run its code at exit.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_COMPILER_H
#define SPECRT_JIT_COMPILER_H

#include "jit/code/engine.h"
#include "jit/compile_result.h"
#include "jit/instrumented_result.h"
#include "jit/object/linker.h"
#include "jit/object/version_object.h"
#include "specializer/module/budget.h"
#include "specializer/specialize.h"
#include <atomic>
#include <mutex>

namespace specrt {

/// What a candidate's handle stands for: its code in this process, and what it takes to link it
/// into a file.
struct LoadedCandidate {
  LoadedCode Code;
  ObjectBody Body;
  std::unique_ptr<llvm::MemoryBuffer> Object;
  specrt_rows_site *Rows = nullptr; ///< the first of its row loops
};

class Compiler {
public:
  static llvm::Expected<std::unique_ptr<Compiler>> create(const specrt_jit_config &Config);

  /// The functions of jit_api.h; thread rules and ownership as there.
  const specrt_jit_result *compile(const specrt_jit_request &Request);
  const specrt_jit_instrumented *instrument(const specrt_jit_request &Request,
                                            specrt_recording &Into);
  void *makeEntry(const specrt_region &Region, GuardView Guards, bool ExactInside,
                  specrt_version_state *State);
  const char *link(const specrt_jit_link &Request);
  void release(void *Handle);
  const specrt_describe_result *describe(const specrt_describe_request &Request);
  bool cancel(bool Park, std::chrono::milliseconds Timeout) {
    return Control.cancel(Park, Timeout);
  }

  void watch();
  void rest(bool Rest) { Control.rest(Rest); }
  /// LLVM gave up, here or where somebody else used it: nothing enters it again.
  bool isBroken() const { return Broken; }
  void giveUp(const Failure &Why) {
    LacksMemory = LacksMemory || Why.IsOfMemory;
    Broken = true;
  }
  bool outlivesExit() const { return KeepsLLVM && !StartsThreads; }

private:
  /// Shows watch() the budget of a compile.
  class Watched;

  Compiler() = default;
  llvm::Error compileInto(const specrt_jit_request &Request, CompileBudget &Budget, Dump &Files,
                          CompileResult &Result);
  llvm::Error loadCandidate(const specrt_jit_request &Request, CandidateModule &Candidate,
                            CompileBudget &Budget, Dump &Files, CompileResult &Result,
                            specrt_note_code &About);
  static void keep(const specrt_jit_request &Request, std::unique_ptr<LoadedCandidate> Made,
                   uint64_t Bytes, const GuardList &Guards, CompileResult &Result);
  llvm::Error instrumentInto(const specrt_jit_request &Request, specrt_recording &Into,
                             CompileBudget &Budget, Dump &Files, InstrumentedResult &Result);
  void finishDump(Dump &Files, const specrt_jit_result &Result);
  llvm::Expected<void *> makeEntryChecked(const specrt_region &Region, GuardView Guards,
                                          bool ExactInside, specrt_version_state *State);
  llvm::Error linkChecked(const specrt_jit_link &Request, LinkerOutput &Output);
  llvm::Expected<const EntriesObject *> entriesFor(const specrt_region &Region,
                                                   const GuardList &Guards);
  /// Runs Work with LLVM's fatal errors contained. False, with the reason in Why, when it gave an
  /// error or did not end; the compiler may be broken then.
  bool contain(llvm::function_ref<llvm::Error()> Work, Failure &Why);
  /// Tells perf about generated code in the way that was asked for. What fails is logged.
  void showGeneratedCode(specrt_perf_mode Mode);
  void log(int Level, const char *Message) const;
  void log(int Level, const std::string &Message) const { log(Level, Message.c_str()); }

  specrt_jit_log Log = nullptr;
  std::string LibraryDirectory;
  std::unique_ptr<Engine> Code;
  /// Made for what was linked last.
  std::vector<std::unique_ptr<EntriesObject>> Entries;
  CompileControl Control;
  std::mutex WatchMutex;
  const CompileBudget *Watching = nullptr; ///< of the compile that goes on
  bool KeepsLLVM = false;                  ///< libLLVM's static objects are never destroyed
  std::atomic<bool> StartsThreads{false};  ///< those of parallel loops: TBB is destroyed
  std::atomic<bool> Broken{false}, LacksMemory{false};
  bool WarnedOfDump = false;
  Failure LinkProblem;
};

} // namespace specrt

#endif
