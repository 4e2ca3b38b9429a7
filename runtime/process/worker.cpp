//===- runtime/process/worker.cpp - the background thread -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/worker.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/tuning.h"
#include "runtime/call/work_queue.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/registry.h"
#include "runtime/kept/kept_tables.h"
#include "runtime/wrap/wrapped_function.h"
#include "support/thread.h"

#include <cfenv>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace specrt {
namespace {

std::atomic<bool> Running{false};
std::atomic<bool> Stopping{false};
/// Counts pieces of work that were taken off the queue and are not finished, plus promised polls.
std::atomic<uint32_t> Busy{0};

/// Appends what was queued since the last look, in order.
void appendQueued(RegionState *&First) {
  RegionState *Last = First;
  while (Last && Last->NextQueued.load(std::memory_order_relaxed))
    Last = Last->NextQueued.load(std::memory_order_relaxed);
  RegionState *New = takeQueued();
  if (Last)
    Last->NextQueued.store(New, std::memory_order_relaxed);
  else
    First = New;
}

void processQueue(Optimizer &O) {
  RegionState *First = nullptr;
  for (appendQueued(First); First; appendQueued(First)) {
    if (Stopping.load(std::memory_order_relaxed))
      return;
    RegionState *S = takeNext(First);
    uint32_t Requests = takeRequests(*S);
    try {
      if (Requests & RequestDescribe)
        describeWrapped(Registry::get(), *S);
      // Nothing else was asked for a region without a descriptor, and S may be gone.
      else
        O.process(*S, Requests);
    } catch (const std::exception &E) {
      // Out of memory is the only thing that throws here.
      O.giveUp(*S, E.what());
    }
  }
}

void writeTables() {
  while (!Stopping.load(std::memory_order_relaxed) && writeKeptTable() > 0) {
  }
}

void *workerMain(void *) {
  setWorkerThread(true);
  // A new thread has its creator's modes, and the compiler folds some constants by computing them.
  fesetenv(FE_DFL_ENV);
  pthread_setname_np(pthread_self(), "specrt");
  // Does not preempt the program's threads when it wakes up. A higher nice value would starve it on
  // a busy machine, while calls may be waiting for it, and cannot be taken back.
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_BATCH, &Parameters);
  // Not destroyed: what it has not freed when the process ends may still be in use.
  static Optimizer *Instance;
  Instance = new Optimizer(Registry::get());
  Optimizer &O = *Instance;
  Registry::get().Jit.Meanwhile = [] { Instance->learnFromCalls(); };
  constexpr uint32_t ReclaimMs = 50;
  bool Reclaiming = false;
  while (!Stopping.load(std::memory_order_relaxed)) {
    waitForWork(Reclaiming ? ReclaimMs : 0);
    Busy.fetch_add(1, std::memory_order_seq_cst);
    processQueue(O);
    writeTables();
    Reclaiming = O.reclaim();
    Busy.fetch_sub(1, std::memory_order_seq_cst);
  }
  // The process is ending. Leaving the thread would run destructors of LLVM's thread-local objects
  // beside those of its static ones.
  while (true)
    pause();
}

bool spawn() {
  constexpr size_t StackBytes = size_t{64} << 20; // Polly and isl recurse deeply
  pthread_t Thread;
  int Error = startThread(Thread, StackBytes, workerMain, nullptr);
  if (Error == 0)
    pthread_detach(Thread);
  else
    logLine(LogLevel::Warning, "no background thread: %s; nothing will be specialised",
            strerror(Error));
  return Error == 0;
}

} // namespace

void startWorker(const RegistryLock &Guard) {
  Registry &R = Registry::get();
  bool Useful = R.Settings.Compile != CompileMode::Off || R.Store;
  if (!Useful || Running.load() || Stopping.load())
    return;
  bool Started = spawn();
  Running.store(Started);
  if (!Started)
    tuning().CompileEnabled = false;
}

void restartWorkerAfterFork() {
  Busy.store(0);
  if (!Running.exchange(false) || Stopping.load())
    return;
  Running.store(spawn());
}

bool waitForIdleWorker(uint32_t TimeoutMs) {
  struct Awaited {
    Awaited() { tuning().WorkerAwaited.fetch_add(1, std::memory_order_relaxed); }
    ~Awaited() { tuning().WorkerAwaited.fetch_sub(1, std::memory_order_relaxed); }
  } const Until;
  uint64_t Deadline = monotonicNs() + uint64_t{TimeoutMs} * 1000000;
  while (Running.load() && !Stopping.load()) {
    // The worker announces itself busy before it empties the queue.
    if (queueIsEmpty() && Busy.load(std::memory_order_seq_cst) == 0 && queueIsEmpty())
      return true;
    if (monotonicNs() >= Deadline)
      return false;
    usleep(200);
  }
  return true;
}

void stopWorker() {
  Stopping.store(true);
  wakeWorker();
}

bool workerRuns() { return Running.load(); }

} // namespace specrt
