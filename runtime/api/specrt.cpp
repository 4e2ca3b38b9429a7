//===- runtime/api/specrt.cpp - implements specrt.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/specrt.h"
#include "arch/x86_64/region_calls.h"
#include "runtime/base/export.h"
#include "runtime/base/log.h"
#include "runtime/decide/persistence.h"
#include "runtime/process/attend.h"
#include "runtime/process/worker.h"
#include "runtime/report/region_figures.h"
#include "runtime/report/report.h"
#include "runtime/report/report_file.h"
#include "runtime/watch/process_watches.h"
#include "runtime/wrap/wrapped_function.h"
#include "support/attempt.h"
#include "support/process/marked_process.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace specrt {
namespace {

/// Logs a problem, once per process, because a problem of one image or call recurs for others.
void tellOnce(const char *Problem) noexcept {
  static std::atomic<bool> Told{false};
  if (!Told.exchange(true, std::memory_order_relaxed))
    logLine(LogLevel::Warning, "%s: libspecrt does less than it could", Problem);
}

/// Runs Work and returns its result, or Otherwise if it throws (bad_alloc): no exception may
/// propagate into a C program.
template <typename T, typename F> T guarded(T Otherwise, F Work) noexcept {
  if (const char *Problem = attempt([&] { Otherwise = Work(); }))
    tellOnce(Problem);
  return Otherwise;
}

/// Runs Work for an image that registers or unregisters. Does nothing in a child that no handler of
/// pthread_atfork saw, because the registry's lock may be held there for ever; regions that are not
/// registered run in place.
template <typename F> void atRegistration(F Work) noexcept {
  if (isMarkedProcess())
    guarded(0, [&] { return Work(Registry::get()), 0; });
}

uint32_t publicState(Phase P) {
  switch (P) {
  case Phase::Cold:
    return SPECRT_STATE_COLD;
  case Phase::Profiling:
    return SPECRT_STATE_PROFILING;
  case Phase::Preparing:
  case Phase::Compiling:
    return SPECRT_STATE_COMPILING;
  case Phase::Trial:
    return SPECRT_STATE_TRIAL;
  case Phase::Specialised:
    return SPECRT_STATE_SPECIALISED;
  case Phase::Retired:
    return SPECRT_STATE_RETIRED;
  case Phase::Blocked:
    return SPECRT_STATE_BLOCKED;
  }
  return SPECRT_STATE_COLD;
}

template <size_t N> void copyText(char (&Out)[N], const std::string &Text) {
  size_t Size = std::min(Text.size(), N - 1);
  std::memcpy(Out, Text.data(), Size);
  Out[Size] = 0;
}

specrt_region_info infoOf(const RegistryLock &Guard, const Registry::View &V) {
  RegionFigures F = figuresOf(Guard, V);
  specrt_region_info Info{};
  copyText(Info.name, V.Region->name);
  copyText(Info.reason, F.Reason);
  Info.state = publicState(V.State->CurrentPhase.load(std::memory_order_relaxed));
  if (const Version *First = V.State->Versions.load(std::memory_order_acquire))
    copyText(Info.version, First->Name);
  Info.versions = F.Versions;
  Info.calls = F.Calls;
  Info.hits = F.Hits;
  Info.misses = F.Misses;
  Info.original_ns = F.OriginalNs;
  Info.best_ns = F.BestNs;
  Info.compiles = V.Detail ? V.Detail->Work.Compiles : 0;
  return Info;
}

std::vector<specrt_region_info> allInfos() {
  std::vector<specrt_region_info> All;
  Registry &R = Registry::get();
  RegistryLock Guard(R);
  R.forEach(
      Guard,
      [&](const Registry::View &V) {
        if (!V.Detail || !V.Detail->Departed)
          All.push_back(infoOf(Guard, V));
      },
      /*AlsoCold=*/true);
  return All;
}

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT const char *specrt_version(void) { return SPECRT_VERSION_STRING; }

SPECRT_EXPORT const char *specrt_configure(const char *Name, const char *Value) {
  static thread_local std::string Answer;
  if (!Name || !Value)
    return "name and value must not be null";
  return guarded<const char *>("out of memory", [&]() -> const char * {
    Answer = Registry::get().configure(Name, Value);
    attend(Registry::get());
    return Answer.empty() ? nullptr : Answer.c_str();
  });
}

SPECRT_EXPORT int specrt_get_option(size_t Index, specrt_option *Out) {
  if (!Out)
    return 0;
  return guarded(0, [&] {
    if (Index >= optionTable().size())
      return 0;
    const Option &O = optionTable()[Index];
    *Out = {O.Name, O.Default, O.Accepted, O.Help};
    return 1;
  });
}

SPECRT_EXPORT int specrt_enabled(void) {
  return guarded(0, [] { return Registry::get().Settings.Disable ? 0 : 1; });
}

SPECRT_EXPORT int specrt_wait_idle(uint32_t TimeoutMs) {
  return guarded(0, [&] {
    bool Idle = waitForIdleWorker(TimeoutMs);
    freeUnwrapped(Registry::get());
    return Idle ? 1 : 0;
  });
}

SPECRT_EXPORT int specrt_flush_profile(void) {
  return guarded(0, [] { return saveProfiles(Registry::get(), /*AtExit=*/false) ? 1 : 0; });
}

SPECRT_EXPORT int specrt_write_report(const char *Path) {
  return guarded(0, [&] { return Path && writeReport(Registry::get(), Path) ? 1 : 0; });
}

SPECRT_EXPORT int specrt_for_each_region(int (*Visit)(const specrt_region_info *, void *),
                                         void *Context) {
  std::vector<specrt_region_info> All =
      guarded<std::vector<specrt_region_info>>({}, [] { return allInfos(); });
  for (const specrt_region_info &Info : All)
    if (int Answer = Visit(&Info, Context))
      return Answer;
  return 0;
}

SPECRT_EXPORT int specrt_find_region(const char *Name, specrt_region_info *Info) {
  if (!Name || !Info)
    return 0;
  return guarded(0, [&] {
    for (const specrt_region_info &Candidate : allInfos())
      if (std::strcmp(Candidate.name, Name) == 0) {
        *Info = Candidate;
        return 1;
      }
    return 0;
  });
}

SPECRT_EXPORT uint64_t specrt_num_compiles(void) {
  return guarded<uint64_t>(0, [] { return Registry::get().Compiler.NumCompiles.load(); });
}

SPECRT_EXPORT int specrt_compiler_loaded(void) {
  return guarded(0, [] { return Registry::get().Compiler.wasUsed() ? 1 : 0; });
}

SPECRT_EXPORT void specrt_touch(const void *Address, size_t Bytes) {
  guarded(0, [&] {
    if (ProcessWatches *Process = ProcessWatches::current())
      Process->Stamps.touch(Address, Bytes);
    return 0;
  });
}

SPECRT_EXPORT void specrt_touch_end(const void *Address, size_t Bytes) {
  guarded(0, [&] {
    if (ProcessWatches *Process = ProcessWatches::current())
      Process->Stamps.end(Address, Bytes);
    return 0;
  });
}

SPECRT_EXPORT void specrt_register_records(specrt_record **Begin, specrt_record **End) {
  atRegistration([&](Registry &R) {
    R.registerRecords(Begin, End, reinterpret_cast<void *>(&regionThunk));
    attend(R, Begin);
  });
}

SPECRT_EXPORT void specrt_unregister_records(specrt_record **Begin, specrt_record ** /*End*/) {
  atRegistration([&](Registry &R) { R.unregisterRecords(Begin); });
}

SPECRT_EXPORT void specrt_register(specrt_region **Begin, specrt_region **End) {
  atRegistration([&](Registry &R) {
    R.registerImage(Begin, End);
    attend(R, Begin);
  });
}

SPECRT_EXPORT void specrt_unregister(specrt_region **Begin, specrt_region **End) {
  atRegistration([&](Registry &R) { R.unregisterImage(Begin, End); });
}

/// Images of version 5 refer to this function. It has no effect, because their nests run in place.
SPECRT_EXPORT void specrt_leave_nest(specrt_region *, int32_t);
SPECRT_EXPORT void specrt_leave_nest(specrt_region * /*Region*/, int32_t /*Token*/) {}

SPECRT_EXPORT void specrt_register_functions(const specrt_function *Begin,
                                             const specrt_function *End) {
  atRegistration([&](Registry &R) { R.registerFunctions(Begin, End); });
}

SPECRT_EXPORT void specrt_unregister_functions(const specrt_function *Begin,
                                               const specrt_function * /*End*/) {
  atRegistration([&](Registry &R) { R.unregisterFunctions(Begin); });
}
