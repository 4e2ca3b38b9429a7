//===- jit/compiler.cpp - from requests to candidates in memory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compiler.h"
#include "guards/guards.h"
#include "jit/code/frame_watch.h"
#include "jit/code/helper_symbols.h"
#include "jit/code/symbol_table.h"
#include "specializer/instrumentation/instrument.h"
#include "specializer/module/lines.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "specializer/sparse/rows.h"
#include "specializer/wrapping/describe.h"
#include "support/helper_functions.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace specrt {
namespace {

uint64_t codeBytes(const MemoryBuffer &Object) {
  Expected<std::unique_ptr<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(Object.getMemBufferRef());
  if (!File) {
    consumeError(File.takeError());
    return 0;
  }
  uint64_t Bytes = 0;
  for (const object::SectionRef &Section : (*File)->sections())
    if (Section.isText())
      Bytes += Section.getSize();
  return Bytes;
}

SymbolAddresses regionSymbols(const specrt_region &Region) {
  SymbolAddresses Symbols;
  for (unsigned I = 0; I < Region.num_symbols; ++I)
    Symbols[Region.symbols[I].name] = Region.symbols[I].address;
  return Symbols;
}

/// Gives the candidate's function a unique name and makes it independent of this process.
void prepareBody(Module &M, const specrt_jit_request &Request, ObjectBody &Body) {
  Function &F = regionFunction(M, *Request.region);
  Body.Entry = nameFunctions(M, F, nameOfCandidate(Request, Body.Name));
  F.setDSOLocal(true);
  if (GlobalVariable *Table = bindSymbolsByTable(M, *Request.region, Body.Entry + ".symbols"))
    Body.Table = Table->getName().str();
  if (GlobalVariable *Rows = M.getGlobalVariable(SparseLoopName)) {
    Rows->setName(Body.Entry + ".rows");
    Body.Rows = Rows->getName().str();
  }
}

Error loadBody(Engine &Code, std::unique_ptr<MemoryBuffer> Object, const specrt_region &Region,
               const SymbolAddresses &Symbols, LoadedCandidate &Made) {
  Expected<LoadedCode> Loaded = Code.load(std::move(Object), Made.Body.Entry, Symbols);
  if (!Loaded)
    return Loaded.takeError();
  Made.Code = *Loaded;
  if (!Made.Body.Rows.empty()) {
    Expected<void *> Rows = Code.lookup(Made.Code, Made.Body.Rows);
    if (!Rows) {
      consumeError(Code.unload(Made.Code));
      return Rows.takeError();
    }
    Made.Rows = static_cast<specrt_sparse_loop *>(*Rows);
    for (specrt_sparse_loop *Loop = Made.Rows; Loop; Loop = Loop->next)
      Loop->is_parallel = Made.Body.Parallel && Loop->may_share;
  }
  if (Made.Body.Table.empty())
    return Error::success();
  Expected<void *> Table = Code.lookup(Made.Code, Made.Body.Table);
  if (!Table) {
    consumeError(Code.unload(Made.Code));
    return Table.takeError();
  }
  for (unsigned I = 0; I < Region.num_symbols; ++I)
    static_cast<void **>(*Table)[I] = Region.symbols[I].address;
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<Compiler>> Compiler::create(const specrt_jit_config &Config) {
  std::unique_ptr<Compiler> C(new Compiler());
  C->Log = Config.log;
  provideRows(Config.rows_begin, Config.rows_end);
  provideEntryRuns(Config.entry_runs);
  provideFusedRows(Config.fused_rows);
  provideZeros(Config.zeros);
  C->LibraryDirectory = Config.library_directory ? Config.library_directory : "";
  Expected<std::unique_ptr<Engine>> E = Engine::create();
  if (!E)
    return E.takeError();
  C->Code = std::move(*E);
  return C;
}

void Compiler::log(int Level, const std::string &Message) const {
  if (Log)
    Log(Level, Message.c_str());
}

class Compiler::Watched {
public:
  Watched(Compiler &C, const CompileBudget &Budget) : C(C) {
    std::lock_guard Guard(C.WatchMutex);
    C.Watching = &Budget;
  }
  ~Watched() {
    std::lock_guard Guard(C.WatchMutex);
    C.Watching = nullptr;
  }
  Watched(const Watched &) = delete;
  Watched &operator=(const Watched &) = delete;

private:
  Compiler &C;
};

bool Compiler::isOverdue() {
  constexpr std::chrono::milliseconds Grace(250);
  std::lock_guard Guard(WatchMutex);
  return Watching && Watching->expired(Grace);
}

/// Returns the message of an error; "" for success.
static std::string problemOf(Error E) { return E ? toString(std::move(E)) : ""; }

const specrt_jit_result *Compiler::compile(const specrt_jit_request &Request) {
  CompileBudget Budget(std::chrono::milliseconds(Request.budget_ms));
  Watched ByOthers(*this, Budget);
  auto *Result = new CompileResult();
  Dump Files(Request);
  const std::string Why = problemOf(compileInto(Request, Budget, Files, *Result));
  const specrt_jit_result *View = Result->seal(Why, Budget.elapsedMs());
  finishDump(Files, *View);
  return View;
}

void Compiler::finishDump(Dump &Files, const specrt_jit_result &Result) {
  Files.write("candidates.txt", [&](raw_ostream &OS) {
    if (Result.error)
      OS << "none: " << Result.error << "\n";
    for (const specrt_jit_candidate &C : ArrayRef(Result.candidates, Result.num_candidates))
      OS << C.name
         << format(": compiled in %.1f ms, %llu bytes of code\n", C.compile_ms,
                   static_cast<unsigned long long>(C.code_bytes));
    for (const specrt_jit_note &Line : ArrayRef(Result.notes, Result.num_notes))
      OS << Line.text << "\n";
  });
  Files.writeIndex();
  if (!Files.problem().empty() && !std::exchange(WarnedOfDump, true))
    log(1, "SPECRT_DUMP is incomplete: " + Files.problem());
}

Error Compiler::compileInto(const specrt_jit_request &Request, CompileBudget &Budget, Dump &Files,
                            CompileResult &Result) {
  if (Budget.expired())
    return createStringError(Budget.reason());
  std::string Why;
  auto TellAbsent = [&](StringRef Name) {
    if (Request.settled)
      Request.settled(Request.context, Name.str().c_str(), nullptr);
  };
  auto Load = [&](CandidateModule Candidate) {
    specrt_note_code About = SPECRT_NOTE_PLAIN;
    Error Problem = loadCandidate(Request, Candidate, Budget, Files, Result, About);
    if (!Problem)
      return;
    Why = Candidate.Name + ": " + toString(std::move(Problem));
    Result.addNote({About, Why});
    if (!Budget.expired())
      TellAbsent(Candidate.Name);
  };
  Expected<SpecializedRegion> Region =
      specialize(Request, Code->target(), Budget, Files, Load, TellAbsent);
  if (!Region)
    return Region.takeError();
  for (const RejectionCause &Cause : Region->Causes)
    Result.addCause(Cause);
  for (const Note &Line : Region->Told)
    Result.addNote(Line);
  Result.setLoops(std::move(Region->Loops));
  if (Region->Zeros)
    Result.setZeros(*Region->Zeros);
  if (!Result.hasCandidates() && !Why.empty())
    return createStringError(Why);
  return Error::success();
}

/// Sets \p About to the subject of a returned error.
Error Compiler::loadCandidate(const specrt_jit_request &Request, CandidateModule &Candidate,
                              CompileBudget &Budget, Dump &Files, CompileResult &Result,
                              specrt_note_code &About) {
  if (Budget.expired()) {
    About = SPECRT_NOTE_BUDGET;
    return createStringError(Budget.reason());
  }
  double Start = Budget.elapsedMs();
  const specrt_region &Region = *Request.region;
  SymbolAddresses Symbols = regionSymbols(Region);
  if (Candidate.Parallel) {
    Expected<StringMap<void *>> Loops = parallelSymbols(LibraryDirectory, Request.threads);
    if (!Loops)
      return Loops.takeError();
    for (const auto &Entry : *Loops)
      Symbols[Entry.getKey()] = Entry.getValue();
  }
  auto Made = std::make_unique<LoadedCandidate>();
  Made->Body.Name = Candidate.Name;
  Made->Body.Parallel = Candidate.Parallel;
  prepareBody(*Candidate.M, Request, Made->Body);
  giveLines(*Candidate.M, Region);
  std::string Assembly;
  const FrameWatch Frames(*Candidate.M);
  Expected<std::unique_ptr<MemoryBuffer>> Object =
      Code->compile(*Candidate.M, Files.isOn() ? &Assembly : nullptr);
  if (!Object)
    return Object.takeError();
  Files.write(Candidate.Name + ".s", [&](raw_ostream &OS) { OS << Assembly; });
  // The index is written now, because the process may end before the compile does.
  Files.writeIndex();
  GuardList Guards = Candidate.Guards;
  if (const std::optional<StackGuard> Room = Frames.guard()) {
    Guards.append(*Room);
    Guards = inOrder(Guards);
  } else if (Frames.largest() > 0) {
    About = SPECRT_NOTE_STACK;
    return createStringError("a function takes " + Twine(Frames.largest()) + " bytes of stack");
  }
  uint64_t Bytes = codeBytes(**Object);
  Made->Object = MemoryBuffer::getMemBufferCopy((*Object)->getBuffer(), Made->Body.Entry);
  if (Error E = loadBody(*Code, std::move(*Object), Region, Symbols, *Made))
    return E;
  Made->Body.CompileMs = Candidate.OptimizeMs + Budget.elapsedMs() - Start;
  std::unique_ptr<LoadedCandidate> Twin;
  if (!Candidate.SerialTwin.empty()) {
    // The twin has its own code, because sparse loops are data and candidates are released one by
    // one.
    Twin = std::make_unique<LoadedCandidate>();
    Twin->Body = Made->Body;
    Twin->Body.Name = Candidate.SerialTwin;
    Twin->Body.Parallel = false;
    Twin->Object = MemoryBuffer::getMemBufferCopy(Made->Object->getBuffer(), Made->Body.Entry);
    if (Error E = loadBody(*Code, MemoryBuffer::getMemBufferCopy(Made->Object->getBuffer()), Region,
                           Symbols, *Twin)) {
      Result.addNote({SPECRT_NOTE_PLAIN, Twin->Body.Name + ": " + toString(std::move(E))});
      Twin.reset();
    }
  }
  keep(Request, std::move(Made), Bytes, Guards, Result);
  if (Twin)
    keep(Request, std::move(Twin), Bytes, Guards, Result);
  return Error::success();
}

/// Adds \p Made to the candidates of the result, which owns it from now on.
void Compiler::keep(const specrt_jit_request &Request, std::unique_ptr<LoadedCandidate> Made,
                    uint64_t Bytes, const GuardList &Guards, CompileResult &Result) {
  const std::string Name = Made->Body.Name;
  specrt_jit_candidate Loaded{};
  Loaded.body = Made->Code.Entry;
  Loaded.parallel = Made->Body.Parallel;
  Loaded.compile_ms = Made->Body.CompileMs;
  Loaded.code_bytes = Bytes;
  Loaded.rows = Made->Rows;
  Loaded.handle = Made.release();
  const specrt_jit_candidate &Kept = Result.addCandidate(Loaded, Name, Guards);
  if (Request.settled)
    Request.settled(Request.context, Kept.name, &Kept);
}

const specrt_jit_instrumented *Compiler::instrument(const specrt_jit_request &Request,
                                                    specrt_recording &Into) {
  CompileBudget Budget(std::chrono::milliseconds(Request.budget_ms));
  Watched ByOthers(*this, Budget);
  auto *Result = new InstrumentedResult();
  Dump Files(Request);
  const std::string Why = problemOf(instrumentInto(Request, Into, Budget, Files, *Result));
  return Result->seal(Why, Budget.elapsedMs());
}

Error Compiler::instrumentInto(const specrt_jit_request &Request, specrt_recording &Into,
                               CompileBudget &Budget, Dump &Files, InstrumentedResult &Result) {
  if (Budget.expired())
    return createStringError(Budget.reason());
  Expected<InstrumentedModule> Version =
      specrt::instrument(Request, Into, Code->target(), Budget, Files);
  if (!Version)
    return Version.takeError();
  auto Made = std::make_unique<LoadedCandidate>();
  Made->Body.Name = "instrumented";
  prepareBody(*Version->M, Request, Made->Body);
  giveLines(*Version->M, *Request.region);
  const FrameWatch Frames(*Version->M);
  Expected<std::unique_ptr<MemoryBuffer>> Object = Code->compile(*Version->M);
  if (!Object)
    return Object.takeError();
  if (Frames.largest() > 0)
    return createStringError("a function takes " + Twine(Frames.largest()) + " bytes of stack");
  Made->Object = MemoryBuffer::getMemBufferCopy((*Object)->getBuffer(), Made->Body.Entry);
  if (Error E = loadBody(*Code, std::move(*Object), *Request.region, regionSymbols(*Request.region),
                         *Made))
    return E;
  Result.body = Made->Code.Entry;
  Result.handle = Made.release();
  Result.Guards = std::move(Version->Guards);
  Result.Accesses = std::move(Version->Recorded.Tables.Accesses);
  Result.Loops = std::move(Version->Recorded.Tables.Loops);
  Result.Carried = std::move(Version->Recorded.Carried);
  Result.words = Version->Recorded.Words;
  Result.num_row_loops = Version->NumRowLoops;
  return Error::success();
}

void Compiler::release(void *Handle) {
  std::unique_ptr<LoadedCandidate> Owned(static_cast<LoadedCandidate *>(Handle));
  if (Owned)
    consumeError(Code->unload(Owned->Code));
}

const specrt_describe_result *Compiler::describe(const specrt_describe_request &Request) {
  CompileBudget Budget(std::chrono::milliseconds(Request.budget_ms));
  auto *Result = new Description();
  specrt::describe(Request, Code->target(), Budget, *Result);
  return Result;
}

} // namespace specrt
