//===- runtime/compile/jit_library.cpp - libspecrt-jit.so, opened on demand ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/jit_library.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/compile/compile_job.h"
#include "support/attempt.h"
#include "support/elf_file.h"
#include "support/helper_functions.h"

#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <optional>
#include <unistd.h>

namespace specrt {

/// Passes the gate for one call.
class JitLibrary::Visit : ExitGate::Visit {
public:
  explicit Visit(JitLibrary &L) : ExitGate::Visit(L.Gate), Library(L) {}

  using ExitGate::Visit::admitted;
  const specrt_jit_api *api() const {
    return admitted() ? Library.Api.load(std::memory_order_acquire) : nullptr;
  }

private:
  JitLibrary &Library;
};

static void logFromJit(int Level, const char *Message) {
  constexpr LogLevel Levels[] = {LogLevel::Error, LogLevel::Warning, LogLevel::Info,
                                 LogLevel::Debug};
  logLine(Level >= 0 && Level < 4 ? Levels[Level] : LogLevel::Debug, "%s", Message);
}

/// When a compile is given up, of the time in which it had a processor or slept: its budget is
/// processor time (specializer/module/budget.h), and what can be interrupted has been by then.
static uint64_t patienceNs(uint32_t BudgetMs) {
  constexpr uint64_t Stretch = 4, GraceMs = 1000;
  return (uint64_t{BudgetMs} * Stretch + GraceMs) * 1'000'000;
}

/// Loading LLVM cannot rest, and is of no use without a compile, of which most take longer.
void JitLibrary::awaitFreeProcessor() {
  constexpr uint64_t LoadingNs = 20'000'000;
  while (!Gate.isClosed() && !Manner.mayTake(LoadingNs, Courtesy::CompilingNs) &&
         tuning().WorkerAwaited.load(std::memory_order_relaxed) == 0) {
    // A call that waited would leave its processor free.
    tuning().CompileStarves.store(true, std::memory_order_relaxed);
    usleep(static_cast<useconds_t>(Manner.pauseNs() / 1000));
  }
  tuning().CompileStarves.store(false, std::memory_order_relaxed);
}

void tellFailedLoops() {
  static std::atomic<bool> Told{false};
  if (haveLoopsFailed() && !Told.exchange(true, std::memory_order_relaxed))
    logLine(LogLevel::Warning, "no memory for threads: parallel loops run on the calling thread");
}

static std::string notAvailable(const std::string &Why) {
  return std::string(words(Reason::NoCompiler)) + ": " + Why;
}

/// The loader's own text, which stays while the library is loaded: nothing here may throw.
static const char *findLibraryPath() noexcept {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&libraryDirectory), &Info) || !Info.dli_fname)
    return "";
  return Info.dli_fname;
}

static const char *const LibraryPath = findLibraryPath();

const char *libraryPath() { return LibraryPath; }

std::string libraryDirectory() {
  const char *Slash = std::strrchr(LibraryPath, '/');
  return Slash ? std::string(LibraryPath, Slash) : "";
}

const specrt_jit_api *openCompiler(std::string &Why) {
  const std::string Directory = libraryDirectory(), Path = Directory + "/libspecrt-jit.so";
  if (Directory.empty()) {
    Why = "no folder to look in";
    return nullptr;
  }
  // RTLD_LOCAL keeps LLVM's symbols away from the program. Not RTLD_DEEPBIND: it would give the
  // compiler another malloc than the program when that one brings its own.
  void *Handle = openLibrary(Path, Why, {SPECRT_LLVM_LIBRARY});
  if (!Handle)
    return nullptr;
  auto *Query =
      reinterpret_cast<const specrt_jit_api *(*)(uint32_t)>(dlsym(Handle, "specrt_jit_query"));
  const specrt_jit_api *Found = Query ? Query(SPECRT_JIT_API_VERSION) : nullptr;
  if (!Found)
    Why = Path + " belongs to another version of libspecrt";
  return Found;
}

const std::string &JitLibrary::open(const Config &Settings, Priority P) {
  if (Tried)
    return Error;
  if (P == Priority::Idle)
    awaitFreeProcessor();
  Visit Guard(*this);
  if (!Guard.admitted()) {
    static const std::string Closing = words(Reason::Ended);
    return Closing;
  }
  // What there is no memory for is not tried again.
  Error = notAvailable(NoMemoryText);
  Tried = true;
  // jit_api.h: both strings must stay valid, so they are kept for the life of the process.
  static const std::string Directory = libraryDirectory();
  std::string Problem;
  const specrt_jit_api *Found = openCompiler(Problem);
  if (!Found) {
    Error = notAvailable(Problem);
    return Error;
  }
  static const specrt_jit_config JitConfig = {
      logFromJit,
      Directory.c_str(),
      static_cast<specrt_perf_mode>(Settings.Perf),
      reinterpret_cast<specrt_rows_begin_fn *>(helperFunction(SPECRT_ROWS_BEGIN)),
      reinterpret_cast<specrt_rows_end_fn *>(helperFunction(SPECRT_ROWS_END)),
      entryRunsFunctions(),
      fusedRowsFunctions(),
      zerosFunctions()};
  const char *Why = nullptr;
  Found->start(&JitConfig, &Why);
  if (Why) {
    Error = notAvailable(Why);
    return Error;
  }
  Error.clear();
  Api.store(Found, std::memory_order_release);
  return Error;
}

/// Has the compiling thread do Work, which is for Request, and does Meanwhile. False when the
/// compiler was lost with it.
bool JitLibrary::runCompile(const specrt_jit_api &A, const specrt_jit_request &Request, Priority P,
                            std::function<void()> Work, const std::function<void()> &Meanwhile) {
  NumCompiles.fetch_add(1, std::memory_order_relaxed);
  Compiling.store(true, std::memory_order_seq_cst);
  tuning().IsCompiling.store(true, std::memory_order_relaxed);
  const bool IsBackground = P == Priority::Idle;
  CompileThread &Chosen = IsBackground && !Manner.servesOneThread() ? IdleThread : Thread;
  using Then = CompileThread::Then;
  constexpr uint64_t SeldomNs = 20'000'000;
  // What Meanwhile has no memory for is not kept.
  auto LookAside = [&] { (void)attempt(Meanwhile); };
  auto Look = [&](const CompileThread::Progress &SoFar, uint64_t &LookNs) {
    LookAside();
    // At the end of the process it is parked, and this thread with it.
    if (Gate.isClosed())
      return Then::GoOn;
    if (this->Meanwhile)
      this->Meanwhile();
    A.watch();
    const bool Rests = IsBackground && Manner.mustRest(SoFar.Thread, SoFar.UsedNs);
    A.rest(Rests);
    if (IsBackground)
      LookNs = Manner.pauseNs();
    const bool Starves = Rests || (IsBackground && SoFar.Starved);
    tuning().CompileStarves.store(Starves, std::memory_order_relaxed);
    tuning().IsCompiling.store(!Starves, std::memory_order_relaxed);
    if (SoFar.OwnNs >= patienceNs(Request.budget_ms))
      return Then::Leave;
    return Rests ? Then::Rest : Then::GoOn;
  };
  std::optional<CompileThread::End> Ended;
  const char *Problem = attempt([&] {
    Ended = Chosen.run(std::move(Work), IsBackground ? Courtesy::LookNs : SeldomNs, Look);
  });
  A.rest(0);
  tuning().CompileStarves.store(false, std::memory_order_relaxed);
  tuning().IsCompiling.store(false, std::memory_order_relaxed);
  Compiling.store(false, std::memory_order_seq_cst);
  LookAside();
  if (Problem || Ended == CompileThread::End::Failed)
    throw std::bad_alloc();
  if (Ended == CompileThread::End::Left)
    lose(A, Request.region->name);
  return Ended == CompileThread::End::Done;
}

const specrt_jit_result *JitLibrary::compile(const specrt_jit_request &Request, Priority P,
                                             const CompileProgress &Progress) {
  Visit Guard(*this);
  const specrt_jit_api *A = Guard.api();
  if (!A)
    return nullptr;
  auto Job = std::make_shared<CompileJob>(Request, *A, Progress.Keys);
  auto TakeSettled = [&] {
    if (std::vector<SettledCandidate> Settled = Job->takeSettled(); !Settled.empty())
      Progress.Take(std::move(Settled));
  };
  const bool Ended = runCompile(
      *A, Request, P, [A, Job] { Job->Result = A->compile(&Job->request()); }, TakeSettled);
  lookForLoops(libraryDirectory());
  tellFailedLoops();
  if (Ended && !Job->Result)
    throw std::bad_alloc();
  return Ended ? Job->Result : nullptr;
}

const specrt_jit_instrumented *JitLibrary::instrument(const specrt_jit_request &Request, Priority P,
                                                      specrt_recording &Into) {
  Visit Guard(*this);
  const specrt_jit_api *A = Guard.api();
  if (!A)
    return nullptr;
  auto Job = std::make_shared<CompileJob>(Request, *A, nullptr);
  const bool Ended = runCompile(
      *A, Request, P,
      [A, Job, &Into] { Job->Instrumented = A->instrument(&Job->request(), &Into); }, [] {});
  if (Ended && !Job->Instrumented)
    throw std::bad_alloc();
  return Ended ? Job->Instrumented : nullptr;
}

void JitLibrary::freeInstrumented(const specrt_jit_instrumented *Result) {
  Visit Guard(*this);
  if (const specrt_jit_api *A = Guard.api())
    A->free_instrumented(Result);
  else
    AtExit.add(Result);
}

/// The thread holds what it holds: nobody else enters the compiler any more. It stops for good
/// should it ever come by one of its checkpoints.
void JitLibrary::lose(const specrt_jit_api &A, const char *Region) {
  A.cancel(/*park=*/1, /*timeout_ms=*/0);
  Api.store(nullptr, std::memory_order_release);
  Lost = true;
  Error = notAvailable(std::string("the compilation of ") + Region + " did not come to its end");
  logLine(LogLevel::Warning, "%s; versions that exist stay in use", Error.c_str());
}

void *JitLibrary::makeEntry(const specrt_region &Region, GuardView Guards, bool ExactInside,
                            specrt_version_state &State) {
  Visit Guard(*this);
  const specrt_jit_api *A = Guard.api();
  return A ? A->make_entry(&Region, &Guards.plain(), ExactInside, &State) : nullptr;
}

void JitLibrary::freeResult(const specrt_jit_result *Result) {
  Visit Guard(*this);
  if (const specrt_jit_api *A = Guard.api())
    A->free_result(Result);
  else
    AtExit.add(Result);
}

const specrt_describe_result *JitLibrary::describe(const specrt_describe_request &Request) {
  Visit Guard(*this);
  const specrt_jit_api *A = Guard.api();
  if (!A)
    return nullptr;
  Compiling.store(true, std::memory_order_seq_cst);
  tuning().IsCompiling.store(true, std::memory_order_relaxed);
  const specrt_describe_result *Result = A->describe(&Request);
  tuning().IsCompiling.store(false, std::memory_order_relaxed);
  Compiling.store(false, std::memory_order_seq_cst);
  if (!Result)
    throw std::bad_alloc();
  return Result;
}

void JitLibrary::freeDescription(const specrt_describe_result *Result) {
  Visit Guard(*this);
  if (const specrt_jit_api *A = Guard.api())
    A->free_description(Result);
  else
    AtExit.add(Result);
}

void JitLibrary::release(void *Handle) {
  Visit Guard(*this);
  if (const specrt_jit_api *A = Guard.api())
    A->release(Handle);
  else
    AtExit.add(Handle);
}

bool JitLibrary::close() {
  Gate.close();
  uint64_t Before = 0, Now = monotonicNs();
  const uint64_t Closed = ClosedNs.compare_exchange_strong(Before, Now) ? Now : Before;
  // The compiling thread parks where it allocates, in microseconds, unless others have the
  // processors. Its allocator may be the program's and be destroyed: worth a short wait. What else
  // may be inside (dlopen, the code of an entry, the start of TBB) is over in some milliseconds.
  constexpr uint64_t ShortMs = 5, LongMs = 1000;
  while (true) {
    const specrt_jit_api *A = Api.load(std::memory_order_acquire);
    bool Compiles = A && Compiling.load(std::memory_order_seq_cst);
    if (!Gate.isBusy() || (Compiles && A->cancel(/*park=*/1, /*timeout_ms=*/0) != 0))
      return true;
    bool Lasts = Compiles && A->outlives_exit() != 0;
    if (monotonicNs() - Closed >= (Lasts ? ShortMs : LongMs) * 1'000'000)
      return Lasts;
    usleep(100);
  }
}

void JitLibrary::drain() {
  Gate.close();
  if (const specrt_jit_api *A = Api.load(std::memory_order_acquire))
    A->cancel(/*park=*/0, /*timeout_ms=*/0);
}

void JitLibrary::abandon(const char *Why) {
  Gate.close();
  Gate.forget();
  Compiling.store(false, std::memory_order_seq_cst);
  tuning().IsCompiling.store(false, std::memory_order_relaxed);
  tuning().CompileStarves.store(false, std::memory_order_relaxed);
  Tried = true;
  Error = notAvailable(Why);
}

} // namespace specrt
