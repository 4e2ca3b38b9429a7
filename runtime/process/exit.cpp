//===- runtime/process/exit.cpp - the end of the process ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/exit.h"
#include "runtime/base/log.h"
#include "runtime/base/tuning.h"
#include "runtime/cache/loading_section.h"
#include "runtime/compile/library_path.h"
#include "runtime/decide/persistence.h"
#include "runtime/decide/registry.h"
#include "runtime/decide/requests/deferred_compiles.h"
#include "runtime/plans/persistent_plans.h"
#include "runtime/process/worker.h"
#include "runtime/report/report.h"
#include "runtime/report/report_file.h"
#include "support/attempt.h"
#include "support/helper_functions.h"
#include "support/process/marked_process.h"

#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

namespace specrt {

namespace {

/// Ends a child made by _Fork while a thread of ours was in the loader, whose lock stays locked
/// there: exit, which runs the functions of DT_FINI last, would wait for it for ever. This runs
/// after all other handlers, except those that existed before the first image registered.
void leaveWithoutLoader(int Status, void *) {
  if (isMarkedProcess() || (!LoadingSection::isOccupied() && !Registry::get().Compiler.isBusy()))
    return;
  std::fflush(nullptr);
  _exit(Status);
}

/// Stops requests to the compiler. On return the worker is outside of the gate, where it waits for
/// answers that are not used any more. Bounded in time.
void endCompiling() {
  tuning().CompileEnabled = false;
  tuning().SyncWaitUs = 0;
  stopWorker();
  if (!Registry::get().Compiler.close())
    logLine(LogLevel::Info, "the worker did not stop within a second of the end");
}

struct MainThreadEnd {
  bool Watched = false;
  ~MainThreadEnd() {
    if (Watched && isMarkedProcess())
      endCompiling();
  }
};
thread_local MainThreadEnd AtThreadEnd;

void leaveWithMainThread(void *) {
  if (!isMarkedProcess())
    return;
  endWorker();
  endLoopThreads(libraryDirectory());
}

} // namespace

void registerExitHandler() {
  static const bool Once = (on_exit(leaveWithoutLoader, nullptr), at_quick_exit(shutdown), true);
  (void)Once;
  std::atexit(shutdown);
}

void watchMainThread() {
  if (gettid() != getpid())
    return;
  AtThreadEnd.Watched = true;
  // Destructors of such keys run after those of thread-local objects when a thread ends, and not at
  // all when exit ends the process.
  static pthread_key_t Key;
  static const bool IsMade = pthread_key_create(&Key, leaveWithMainThread) == 0;
  if (IsMade)
    pthread_setspecific(Key, &Key);
}

/// Writes waiting tables that the worker has not written. The amount is limited, because only other
/// runs gain from them.
static void writePlans() {
  constexpr size_t MostBytes = size_t{16} << 20; // some 10 ms of writing
  size_t Written = 0;
  while (Written < MostBytes) {
    const size_t Bytes = writePersistentPlan();
    if (Bytes == 0)
      return;
    Written += Bytes;
  }
}

void shutdown() {
  static std::atomic<bool> Done{false};
  // A child that no handler of pthread_atfork saw must not use locks, and has nothing to report.
  if (!isMarkedProcess() || Done.exchange(true))
    return;
  endCompiling();
  Registry &R = Registry::get();
  if (const char *Why = attempt([&] { requestDeferredCompiles(R); }))
    logLine(LogLevel::Info, "nothing is compiled after the run: %s", Why);
  const char *Problem = attempt([&] {
    bool Saved = saveProfiles(R, /*AtExit=*/true);
    if (!R.Settings.Report.empty())
      writeReport(R, R.Settings.Report);
    keepReport(R, /*Told=*/!Saved);
    if (logs(LogLevel::Info))
      logText(LogLevel::Info, summaryText(R));
  });
  if (Problem)
    logLine(LogLevel::Warning, "the results of this run are lost: %s", Problem);
  (void)attempt(writePlans);
  if (const std::shared_ptr<StoreProblems> Problems = R.CacheProblems)
    (void)attempt([&] { Problems->warnOfFiles(); });
}

} // namespace specrt
