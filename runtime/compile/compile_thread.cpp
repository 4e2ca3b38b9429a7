//===- runtime/compile/compile_thread.cpp - for work that may never come back ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/compile_thread.h"
#include "runtime/base/log.h"
#include "support/thread.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

/// How often the waiting thread looks at what goes on.
constexpr long WatchNs = 20'000'000;

/// False when nobody posted.
bool waitShortly(sem_t &Semaphore) {
  timespec Until;
  clock_gettime(CLOCK_REALTIME, &Until);
  Until.tv_nsec += WatchNs;
  if (Until.tv_nsec >= 1'000'000'000) {
    Until.tv_nsec -= 1'000'000'000;
    ++Until.tv_sec;
  }
  return sem_timedwait(&Semaphore, &Until) == 0;
}

/// The latest. No thread-local variable: it is asked for in signal handlers.
std::atomic<pthread_t> Latest{};
std::atomic<bool> Exists{false};

} // namespace

struct CompileThread::State {
  sem_t Begin, End;
  std::function<void()> Work;
  std::atomic<pid_t> Id{0};
};

bool CompileThread::isThis() {
  return Exists.load(std::memory_order_acquire) &&
         pthread_equal(Latest.load(std::memory_order_relaxed), pthread_self());
}

void *CompileThread::main(void *Argument) {
  auto &Shared = *static_cast<State *>(Argument);
  Latest.store(pthread_self(), std::memory_order_relaxed);
  Exists.store(true, std::memory_order_release);
  Shared.Id.store(gettid());
  pthread_setname_np(pthread_self(), "specrt-compile");
  sched_param Parameters{};
  sched_setscheduler(0, SCHED_BATCH, &Parameters);
  while (true) {
    while (sem_wait(&Shared.Begin) != 0) {
    }
    Shared.Work();
    Shared.Work = nullptr;
    sem_post(&Shared.End);
  }
}

CompileThread::State *CompileThread::start() {
  auto *Shared = new State();
  sem_init(&Shared->Begin, 0, 0);
  sem_init(&Shared->End, 0, 0);
  constexpr size_t StackBytes = size_t{64} << 20; // Polly and isl recurse deeply
  pthread_t Thread;
  int Error = startThread(Thread, StackBytes, main, Shared);
  if (Error == 0) {
    pthread_detach(Thread);
    return Shared;
  }
  logLine(LogLevel::Warning, "no thread for the compiler: %s; it is not watched", strerror(Error));
  delete Shared;
  return nullptr;
}

bool CompileThread::run(std::function<void()> Work, const std::function<bool()> &IsHopeless) {
  if (!Shared)
    Shared = start();
  if (!Shared) {
    Work();
    return true;
  }
  Shared->Work = std::move(Work);
  sem_post(&Shared->Begin);
  while (!waitShortly(Shared->End)) {
    if (!IsHopeless())
      continue;
    // It gets what nobody else wants of the processor.
    sched_param Parameters{};
    sched_setscheduler(Shared->Id.load(), SCHED_IDLE, &Parameters);
    Shared = nullptr;
    return false;
  }
  return true;
}

} // namespace specrt
