//===- runtime/process/worker.cpp - the background thread -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/worker.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/tuning.h"
#include "runtime/call/work_queue.h"
#include "runtime/decide/optimizer.h"
#include "runtime/decide/registry.h"
#include "runtime/decide/requests/deferred_compiles.h"
#include "runtime/plans/persistent_plans.h"
#include "runtime/process/exit.h"
#include "runtime/wrap/wrapped_function.h"
#include "support/attempt.h"
#include "support/process/marked_process.h"
#include "support/process/own_descriptors.h"
#include "support/quiet_time.h"
#include "support/thread.h"

#include <cerrno>
#include <cfenv>
#include <cstddef>
#include <cstring>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace specrt {
namespace {

std::atomic<bool> Running{false};
/// Whether the worker stops before its next piece of work.
enum class End : uint8_t {
  None,
  Pause, ///< stops for ever, because the process is ending
  Leave  ///< ends the thread, because the main thread has ended and the program continues
};
std::atomic<End> Wanted{End::None};
/// The thread, while Running.
std::atomic<pthread_t> Thread{};
/// The number of pieces of work that were taken off the queue and are not finished, plus promised
/// polls.
std::atomic<uint32_t> Busy{0};

bool isStopping() { return Wanted.load(std::memory_order_relaxed) != End::None; }

/// Appends the regions that were queued since the last call, in order.
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

void processQueue(RegionOptimizer &O) {
  RegionState *First = nullptr;
  for (appendQueued(First); First; appendQueued(First)) {
    if (isStopping())
      return;
    RegionState *S = takeNext(First);
    uint32_t Requests = takeRequests(*S);
    // A region without a descriptor has no other requests, and S may be freed by this one.
    if (Requests & RequestDescribe)
      (void)attempt([&] { describeWrapped(Registry::get(), *S); });
    else if (const char *Problem = attempt([&] { O.process(*S, Requests); }))
      O.giveUp(*S, Problem);
  }
}

void writePlans() {
  while (!isStopping() && writePersistentPlan() > 0) {
  }
}

void *workerMain(void *) {
  becomeWorkerThread();
  takeOwnDescriptors();
  // A new thread inherits its creator's modes, and the compiler folds some constants by computing
  // them.
  fesetenv(FE_DFL_ENV);
  pthread_setname_np(pthread_self(), "specrt");
  // SCHED_BATCH does not preempt the program's threads at a wake-up. A higher nice value would
  // starve the worker on a busy machine, while calls may be waiting for it, and could not be
  // lowered again.
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_BATCH, &Parameters);
  // The object is not destroyed, because what it has not freed when the process ends may still be
  // in use. It is not allocated, because there may be no memory, and a forked child makes a new one
  // in the same place.
  alignas(RegionOptimizer) static std::byte Place[sizeof(RegionOptimizer)];
  static RegionOptimizer *Instance;
  Instance = new (Place) RegionOptimizer(Registry::get());
  RegionOptimizer &O = *Instance;
  Registry::get().Compiler.Meanwhile = [] { Instance->learnFromCalls(); };
  constexpr uint32_t ReclaimMs = 50; // how late unused code is unmapped
  bool Reclaiming = false;
  uint32_t HandOverMs = 0;
  while (!isStopping()) {
    waitForWork(Reclaiming ? ReclaimMs : HandOverMs);
    Busy.fetch_add(1, std::memory_order_seq_cst);
    processQueue(O);
    (void)attempt(writePlans);
    if (const char *Why = attempt([&] { HandOverMs = handOverCaptures(Registry::get()); }))
      logLine(LogLevel::Info, "captured calls stay in memory: %s", Why);
    Reclaiming = O.reclaim();
    Busy.fetch_sub(1, std::memory_order_seq_cst);
  }
  while (Wanted.load() == End::Pause)
    waitForWork(0);
  return nullptr;
}

bool spawn() {
  constexpr size_t StackBytes = size_t{8} << 20; // Linux's default for a main thread
  pthread_t New;
  const int Error = startThread(New, StackBytes, workerMain, nullptr);
  if (Error == 0)
    Thread.store(New);
  else
    logLine(LogLevel::Warning, "no background thread: %s; nothing will be specialised",
            strerror(Error));
  return Error == 0;
}

/// Starts the worker on a thread of the program, in the middle of a call. On the hot path it runs
/// already.
void startForCall() noexcept {
  if (Running.load(std::memory_order_acquire) || isStopping() ||
      !tuning().MayStartWorker.load(std::memory_order_relaxed))
    return;
  const int SavedErrno = errno;
  QuietTime Quiet;
  Quiet.begin();
  // Starting a thread allocates. A later request outside of a handler starts it instead.
  if (!Quiet.inHandler())
    startWorker();
  Quiet.end();
  errno = SavedErrno;
}

} // namespace

void startWorkerOnDemand() { setWorkerStarter(startForCall); }

void startWorker() noexcept {
  if (isStopping() || !tuning().MayStartWorker.load(std::memory_order_relaxed) ||
      !isMarkedProcess() || Running.exchange(true))
    return;
  // Handlers run in reverse order, so this one precedes those of all objects that exist by now.
  registerExitHandler();
  setHasWorker(true);
  if (spawn())
    return;
  // A failed start is not repeated, because every call would request it. No call waits for the
  // worker, either.
  setHasWorker(false);
  tuning().CompileEnabled = false;
  tuning().SyncWaitUs = 0;
}

void forgetWorkerAfterFork() {
  Busy.store(0);
  Running.store(false);
}

bool waitForIdleWorker(uint32_t TimeoutMs) {
  struct Awaited {
    Awaited() { tuning().WorkerAwaited.fetch_add(1, std::memory_order_relaxed); }
    ~Awaited() { tuning().WorkerAwaited.fetch_sub(1, std::memory_order_relaxed); }
  } const Until;
  if (!queueIsEmpty())
    startWorker();
  const uint64_t Deadline = monotonicNs() + uint64_t{TimeoutMs} * 1000000;
  while (hasWorker() && !isStopping()) {
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
  End Expected = End::None;
  Wanted.compare_exchange_strong(Expected, End::Pause);
  wakeWorker();
}

void endWorker() {
  Wanted.store(End::Leave);
  Registry::get().Compiler.drain();
  wakeWorker();
  if (!hasWorker())
    return;
  pthread_join(Thread.load(), nullptr);
  setHasWorker(false);
}

} // namespace specrt
