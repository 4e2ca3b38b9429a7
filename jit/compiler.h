//===- jit/compiler.h - from requests to candidates in memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements specrt_jit_api with the specializer and the engine. It runs in a process that serves
// one request of another program: LLVM's fatal errors may end that process.
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
#include <mutex>

namespace specrt {

/// The object behind a candidate's handle: its code in this process, and the data to link it into a
/// file.
struct LoadedCandidate {
  LoadedCode Code;
  ObjectBody Body;
  std::unique_ptr<llvm::MemoryBuffer> Object;
  specrt_sparse_loop *Rows = nullptr; ///< its first row loop
};

class Compiler {
public:
  static llvm::Expected<std::unique_ptr<Compiler>> create(const specrt_jit_config &Config);

  /// The functions of jit_api.h, with the thread rules and ownership that are stated there.
  const specrt_jit_result *compile(const specrt_jit_request &Request);
  const specrt_jit_instrumented *instrument(const specrt_jit_request &Request,
                                            specrt_recording &Into);
  const char *link(const specrt_jit_link &Request);
  const specrt_describe_result *describe(const specrt_describe_request &Request);
  bool isOverdue();

  /// Unmaps the code of a candidate. No thread may execute it.
  void release(void *Handle);

private:
  /// Makes the budget of a compile visible to isOverdue().
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
  llvm::Error linkChecked(const specrt_jit_link &Request, LinkerOutput &Output);
  llvm::Expected<const EntriesObject *> entriesFor(const specrt_region &Region,
                                                   const GuardList &Guards);
  void log(int Level, const std::string &Message) const;

  specrt_jit_log Log = nullptr;
  std::string LibraryDirectory;
  std::unique_ptr<Engine> Code;
  /// The entries of the last links.
  std::vector<std::unique_ptr<EntriesObject>> Entries;
  std::mutex WatchMutex;
  const CompileBudget *Watching = nullptr; ///< of the current compile
  bool WarnedOfDump = false;
  std::string LinkProblem;
};

} // namespace specrt

#endif
