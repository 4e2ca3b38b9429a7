//===- jit/jit_api.cpp - the C interface of libspecrt-jit.so --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/jit_api.h"
#include "jit/compiler.h"
#include "jit/contained_constructors.h"
#include "jit/containment.h"
#include "specializer/region_structures.h"
#include "specializer/scop_counts.h"
#include "specializer/wrapping/describe.h"
#include "support/attempt.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace specrt {
namespace {

/// Never destroyed: published versions and parked threads outlive the end of main.
std::atomic<Compiler *> TheCompiler{nullptr};

/// Polly's settings are the process's: held by compiles, and by who propagates zeros for a program.
/// A compile that is parked holds it for ever.
std::timed_mutex &pollyLock() {
  static std::timed_mutex Lock;
  return Lock;
}

/// LLVM gave up beside a compiler, or without one.
std::atomic<bool> WasBroken{false};

/// Nothing enters LLVM again.
bool isBroken() {
  const Compiler *C = TheCompiler;
  return WasBroken || haveConstructorsFailed() || (C && C->isBroken());
}

void giveUp(const Failure &Why) {
  WasBroken = true;
  if (Compiler *C = TheCompiler)
    C->giveUp(Why);
}

/// Runs a whole call of this interface. What the compiler does not contain itself is lack of memory
/// where requests and results are made.
void serve(llvm::function_ref<void()> Work) noexcept {
  Failure Why;
  if (!runContained(Work, Why))
    giveUp(Why);
}

int start(const specrt_jit_config *Config, const char **Error) {
  static Failure Problem; // its text stays valid
  if (isBroken()) {
    *Error = haveConstructorsFailed() ? NoMemoryText
                                      : "the compiler failed earlier and is not used any more";
    return 0;
  }
  *Error = NoMemoryText;
  serve([&] {
    llvm::Expected<std::unique_ptr<Compiler>> Made = Compiler::create(*Config);
    if (!Made) {
      Problem.set(llvm::toString(Made.takeError()).c_str());
      *Error = Problem.c_str();
      return;
    }
    TheCompiler = Made->release();
    *Error = nullptr;
  });
  return *Error == nullptr;
}

/// Who propagates may have a larger budget: nobody waits for longer than their own.
std::unique_lock<std::timed_mutex> lockPolly(uint32_t BudgetMs) {
  return std::unique_lock(pollyLock(), std::chrono::milliseconds(BudgetMs));
}
constexpr const char *Busy = "the compiler was busy with something else";

constexpr const char *NotStarted = "the compiler was not started";

const specrt_jit_result *compile(const specrt_jit_request *Request) {
  const std::unique_lock Guard = lockPolly(Request->budget_ms);
  const specrt_jit_result *Result = nullptr;
  serve([&] {
    if (Compiler *C = TheCompiler; Guard && C)
      Result = C->compile(*Request);
    else
      Result = (new CompileResult())->seal(Guard ? NotStarted : Busy, 0);
  });
  return Result;
}

void freeResult(const specrt_jit_result *Result) {
  if (Result)
    delete CompileResult::from(Result);
}

void *makeEntry(const specrt_region *Region, const specrt_guards *Guards, uint32_t ExactInside,
                specrt_version_state *State) {
  void *Entry = nullptr;
  serve([&] {
    if (Compiler *C = TheCompiler)
      Entry = C->makeEntry(*Region, *Guards, ExactInside != 0, State);
  });
  return Entry;
}

const char *link(const specrt_jit_link *Request) {
  const char *Problem = NoMemoryText;
  serve([&] {
    Compiler *C = TheCompiler;
    Problem = C ? C->link(*Request) : NotStarted;
  });
  return Problem;
}

void release(void *Handle) {
  serve([&] {
    if (Compiler *C = TheCompiler)
      C->release(Handle);
  });
}

int cancel(int Park, uint32_t TimeoutMs) {
  Compiler *C = TheCompiler;
  return !C || C->cancel(Park != 0, std::chrono::milliseconds(TimeoutMs));
}

const specrt_describe_result *describe(const specrt_describe_request *Request) {
  const std::unique_lock Guard = lockPolly(Request->budget_ms);
  const specrt_describe_result *Result = nullptr;
  serve([&] {
    if (Compiler *C = TheCompiler; Guard && C) {
      Result = C->describe(*Request);
      return;
    }
    auto *Refused = new Description();
    Refused->fail(SPECRT_DESCRIBE_UNSUPPORTED, Guard ? NotStarted : Busy);
    Result = Refused;
  });
  return Result;
}

void freeDescription(const specrt_describe_result *Result) {
  delete static_cast<const Description *>(Result);
}

const specrt_jit_instrumented *instrument(const specrt_jit_request *Request,
                                          specrt_recording *Into) {
  const std::unique_lock Guard = lockPolly(Request->budget_ms);
  const specrt_jit_instrumented *Result = nullptr;
  serve([&] {
    if (Compiler *C = TheCompiler; Guard && C)
      Result = C->instrument(*Request, *Into);
    else
      Result = (new InstrumentedResult())->seal(Guard ? NotStarted : Busy, 0);
  });
  return Result;
}

void freeInstrumented(const specrt_jit_instrumented *Result) {
  delete static_cast<const InstrumentedResult *>(Result);
}

void watch() {
  if (Compiler *C = TheCompiler)
    C->watch();
}

void rest(int Rest) {
  if (Compiler *C = TheCompiler)
    C->rest(Rest != 0);
}

int outlivesExit() {
  const Compiler *C = TheCompiler;
  return C && C->outlivesExit();
}

/// A result with all that it points to.
struct CountResult : specrt_scop_counts {
  std::string Error;
  std::vector<specrt_scop_cause> Causes;
};

void write(const ScopCounts &Counts, CountResult &To) {
  for (const auto &[Cause, Count] : llvm::zip_equal(scopCauses(), Counts.Causes))
    To.Causes.push_back({Cause.Name, Cause.Meaning, Cause.Speculative, 0, Count.Affected,
                         Count.Sole, Count.Cumulative});
  To.scops = Counts.Scops;
  To.checked = Counts.Checked;
  To.speculative = Counts.Speculative;
  To.rejected = Counts.Rejected;
  To.causes = To.Causes.data();
  To.num_causes = static_cast<uint32_t>(To.Causes.size());
}

const specrt_scop_counts *countScopsIn(const void *File, uint64_t Size, uint32_t BudgetMs) {
  static auto &Result = *new CountResult();
  Result = {};
  llvm::Expected<ScopCounts> Counts =
      countScops({llvm::StringRef(static_cast<const char *>(File), Size), "specrt"},
                 std::chrono::milliseconds(BudgetMs));
  if (Counts) {
    write(*Counts, Result);
  } else {
    Result.Error = llvm::toString(Counts.takeError());
    Result.error = Result.Error.c_str();
  }
  return &Result;
}

/// The compiler is free for others again while values are propagated.
const specrt_structures *propagateZeros(const specrt_structure_request *Request) {
  constexpr std::chrono::seconds Patience(10);
  auto Result = std::make_unique<RegionStructures>();
  std::unique_lock Guard(pollyLock(), Patience);
  if (!Guard) {
    Result->fail("the compiler is busy");
    return Result.release();
  }
  installContainment();
  auto Search = std::make_unique<StructureSearch>(*Request, *Result);
  Failure Why("it failed earlier, and is not used any more");
  bool HasModel = false;
  if (isBroken() || !runContained([&] { HasModel = Search->model(); }, Why)) {
    // What LLVM was working on is lost, the first result with it.
    giveUp(Why);
    [[maybe_unused]] const auto *LostSearch = Search.release();
    [[maybe_unused]] const auto *LostResult = Result.release();
    Result = std::make_unique<RegionStructures>();
    Result->fail(std::string("the compiler failed: ") + Why.c_str());
    return Result.release();
  }
  Guard.unlock();
  if (HasModel)
    Search->propagate();
  return Result.release();
}

void freeStructures(const specrt_structures *Structures) {
  delete static_cast<const RegionStructures *>(Structures);
}

constexpr specrt_jit_api Api = {SPECRT_JIT_API_VERSION,
                                sizeof(specrt_jit_api),
                                start,
                                compile,
                                freeResult,
                                makeEntry,
                                link,
                                release,
                                cancel,
                                describe,
                                freeDescription,
                                watch,
                                rest,
                                instrument,
                                freeInstrumented,
                                outlivesExit,
                                countScopsIn,
                                propagateZeros,
                                freeStructures};

} // namespace
} // namespace specrt

extern "C" __attribute__((visibility("default"))) const specrt_jit_api *
specrt_jit_query(uint32_t ApiVersion) {
  return ApiVersion == SPECRT_JIT_API_VERSION ? &specrt::Api : nullptr;
}
