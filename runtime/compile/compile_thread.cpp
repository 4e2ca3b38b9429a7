//===- runtime/compile/compile_thread.cpp - for work that may never come back ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/compile_thread.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/processors.h"
#include "support/attempt.h"
#include "support/own_descriptors.h"
#include "support/thread.h"

#include <atomic>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

/// False when nobody posted.
bool waitFor(sem_t &Semaphore, uint64_t Ns) {
  timespec Until;
  clock_gettime(CLOCK_MONOTONIC, &Until);
  constexpr uint64_t Second = 1'000'000'000;
  const uint64_t Fraction = static_cast<uint64_t>(Until.tv_nsec) + Ns;
  Until.tv_sec += static_cast<time_t>(Fraction / Second);
  Until.tv_nsec = static_cast<long>(Fraction % Second);
  return sem_clockwait(&Semaphore, CLOCK_MONOTONIC, &Until) == 0;
}

/// The latest of each priority. No thread-local variable: it is asked for in signal handlers.
struct Latest {
  std::atomic<pthread_t> Thread{};
  std::atomic<bool> Exists{false};
};
Latest Threads[2];

Latest &latest(Priority P) { return Threads[P == Priority::Idle]; }

/// Not SCHED_IDLE: a process has ended when the last of its threads has, which needs a processor
/// for that, and on a busy machine gets one after seconds.
void setPriority(pid_t Thread, Priority P) {
  constexpr int Nicest = 19;
  sched_param Parameters{};
  bool Given = sched_setscheduler(Thread, SCHED_BATCH, &Parameters) == 0;
  if (P == Priority::Idle)
    Given &= setpriority(PRIO_PROCESS, static_cast<id_t>(Thread), Nicest) == 0;
  if (!Given)
    logLine(LogLevel::Debug, "compiling with the program's own priority: %m");
}

CompileThread::End endOf(const std::function<void()> &Work) {
  return attempt(Work) ? CompileThread::End::Failed : CompileThread::End::Done;
}

/// Once: each compile asks anew.
void tellUnwatched(int Error) {
  static std::atomic<bool> Told{false};
  if (!Told.exchange(true, std::memory_order_relaxed))
    logLine(LogLevel::Warning, "no thread for the compiler: %s; it is not watched",
            strerror(Error));
}

} // namespace

struct CompileThread::State {
  explicit State(Priority P) : Given(P) {}

  const Priority Given;
  sem_t Begin, End;
  std::function<void()> Work;
  /// How Work ended; valid once End was posted. Atomic because ThreadSanitizer does not know
  /// sem_clockwait and would report a race.
  std::atomic<CompileThread::End> How{CompileThread::End::Done};
  std::atomic<pid_t> Id{0};
  pthread_t Thread{};
  clockid_t Clock{};
  const bool HasOwnFiles = hasOwnDescriptors(); ///< whoever starts the thread, and so the thread
};

namespace {

/// Adds up the time that the watched thread could use.
class Watch {
public:
  explicit Watch(clockid_t Clock) : Clock(Clock) {}

  CompileThread::Progress look(pid_t Thread, bool Rested) {
    constexpr uint64_t Starving = 4;
    uint64_t Now = monotonicNs(), Used = processorNs(Clock);
    uint64_t Passed = Now - std::exchange(LastNs, Now), Got = Used - std::exchange(LastUsed, Used);
    // Who sleeps of itself needs no processor.
    Sum.Starved = Got < Passed / Starving && (Rested || wantsProcessor(Thread));
    Sum.OwnNs += Sum.Starved ? Got : Passed;
    Sum.UsedNs = Got;
    Sum.Thread = Thread;
    return Sum;
  }

private:
  const clockid_t Clock;
  uint64_t LastNs = monotonicNs(), LastUsed = processorNs(Clock);
  CompileThread::Progress Sum;
};

} // namespace

bool CompileThread::isThis() {
  for (const Latest &Last : Threads)
    if (Last.Exists.load(std::memory_order_acquire) &&
        pthread_equal(Last.Thread.load(std::memory_order_relaxed), pthread_self()))
      return true;
  return false;
}

void *CompileThread::main(void *Argument) {
  auto &Shared = *static_cast<State *>(Argument);
  Latest &Last = latest(Shared.Given);
  Last.Thread.store(pthread_self(), std::memory_order_relaxed);
  Last.Exists.store(true, std::memory_order_release);
  Shared.Id.store(gettid());
  shareOwnDescriptorsOf(Shared.HasOwnFiles);
  pthread_setname_np(pthread_self(), "specrt-compile");
  setPriority(0, Shared.Given);
  while (true) {
    while (sem_wait(&Shared.Begin) != 0) {
    }
    if (!Shared.Work)
      return nullptr;
    const End How = endOf(Shared.Work);
    Shared.Work = nullptr;
    Shared.How.store(How, std::memory_order_release);
    sem_post(&Shared.End);
  }
}

CompileThread::State *CompileThread::start(Priority P) {
  auto *Shared = new State(P);
  sem_init(&Shared->Begin, 0, 0);
  sem_init(&Shared->End, 0, 0);
  constexpr size_t StackBytes = size_t{64} << 20; // Polly and isl recurse deeply
  int Error = startThread(Shared->Thread, StackBytes, main, Shared);
  if (Error == 0) {
    pthread_getcpuclockid(Shared->Thread, &Shared->Clock);
    return Shared;
  }
  tellUnwatched(Error);
  delete Shared;
  return nullptr;
}

/// What goes on there does so for ever.
void CompileThread::leave() {
  setPriority(Shared->Id.load(), Priority::Idle);
  Shared = nullptr;
}

void CompileThread::end() {
  if (!Shared)
    return;
  sem_post(&Shared->Begin);
  pthread_join(std::exchange(Shared, nullptr)->Thread, nullptr);
}

CompileThread::End CompileThread::run(std::function<void()> Work, uint64_t LookNs, const Look &At) {
  if (!Shared)
    Shared = start(Given);
  if (!Shared)
    return endOf(Work);
  Watch Watched(Shared->Clock);
  Then Next = Then::GoOn;
  Shared->Work = std::move(Work);
  sem_post(&Shared->Begin);
  while (!waitFor(Shared->End, LookNs)) {
    Next = At(Watched.look(Shared->Id.load(), Next == Then::Rest), LookNs);
    if (Next != Then::Leave)
      continue;
    leave();
    return End::Left;
  }
  return Shared->How.load(std::memory_order_acquire);
}

} // namespace specrt
