//===- runtime/process/exit.cpp - the end of the process ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/exit.h"
#include "runtime/base/log.h"
#include "runtime/base/tuning.h"
#include "runtime/decide/persistence.h"
#include "runtime/decide/registry.h"
#include "runtime/kept/kept_tables.h"
#include "runtime/process/worker.h"
#include "runtime/report/report.h"
#include "runtime/report/report_file.h"

#include <cstdlib>
#include <exception>
#include <unistd.h>

namespace specrt {

void registerExitHandler() {
  std::atexit(shutdown);
  static const bool Once = (at_quick_exit(shutdown), true);
  (void)Once;
}

void endCompiling() {
  tuning().CompileEnabled = false;
  tuning().SyncWaitUs = 0;
  stopWorker();
  if (!Registry::get().Jit.close())
    logLine(LogLevel::Info, "a compilation did not stop within a second of the end");
}

namespace {
struct MainThreadEnd {
  bool Watched = false;
  ~MainThreadEnd() {
    if (Watched)
      endCompiling();
  }
};
thread_local MainThreadEnd AtThreadEnd;
} // namespace

void watchMainThread() {
  if (gettid() == getpid())
    AtThreadEnd.Watched = true;
}

/// What the worker has not come to. Nobody waits long for what only other runs gain from.
static void writeTables() {
  constexpr size_t MostBytes = size_t{16} << 20;
  size_t Written = 0;
  while (Written < MostBytes) {
    const size_t Bytes = writeKeptTable();
    if (Bytes == 0)
      return;
    Written += Bytes;
  }
}

void shutdown() {
  static std::atomic<bool> Done{false};
  if (Done.exchange(true))
    return;
  endCompiling();
  Registry &R = Registry::get();
  try {
    bool Saved = saveProfiles(R, /*AtExit=*/true);
    if (!R.Settings.Report.empty())
      writeReport(R, R.Settings.Report);
    keepReport(R, /*Told=*/!Saved);
    if (logs(LogLevel::Info))
      logText(LogLevel::Info, summaryText(R));
  } catch (const std::exception &E) {
    logLine(LogLevel::Warning, "the results of this run are lost: %s", E.what());
  }
  writeTables();
}

} // namespace specrt
