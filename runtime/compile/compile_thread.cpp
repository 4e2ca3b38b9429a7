//===- runtime/compile/compile_thread.cpp - for work that may never come back ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/compile_thread.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "support/thread.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string_view>
#include <sys/resource.h>
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

/// The latest of each priority. No thread-local variable: it is asked for in signal handlers.
struct Latest {
  std::atomic<pthread_t> Thread{};
  std::atomic<bool> Exists{false};
};
Latest Threads[2];

Latest &latest(Priority P) { return Threads[P == Priority::Idle]; }

/// Runs, or would if it were given a processor. False when the system does not tell.
bool wantsProcessor(pid_t Thread) {
  char Path[64], Text[128];
  std::snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat", Thread);
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  ssize_t Size = read(File, Text, sizeof(Text) - 1);
  close(File);
  // 12 (name) R ...
  std::string_view Read(Text, Size > 0 ? static_cast<size_t>(Size) : 0);
  size_t Name = Read.rfind(')');
  return Name != Read.npos && Read.substr(Name).starts_with(") R");
}

/// Not SCHED_IDLE: a process has ended when the last of its threads has, which needs a processor
/// for that, and on a busy machine gets one after seconds.
void setPriority(pid_t Thread, Priority P) {
  constexpr int Nicest = 19;
  sched_param Parameters{};
  sched_setscheduler(Thread, SCHED_BATCH, &Parameters);
  if (P == Priority::Idle)
    setpriority(PRIO_PROCESS, static_cast<id_t>(Thread), Nicest);
}

} // namespace

struct CompileThread::State {
  explicit State(Priority P) : Given(P) {}

  const Priority Given;
  sem_t Begin, End;
  std::function<void()> Work;
  std::atomic<pid_t> Id{0};
  clockid_t Clock{};
};

namespace {

/// Adds up the time that the watched thread could use.
class Watch {
public:
  explicit Watch(clockid_t Clock) : Clock(Clock) {}

  CompileThread::Progress look(pid_t Thread) {
    constexpr uint64_t Starving = 4;
    uint64_t Now = monotonicNs(), Used = processorNs(Clock);
    uint64_t Passed = Now - std::exchange(LastNs, Now), Got = Used - std::exchange(LastUsed, Used);
    // Who sleeps needs no processor.
    Sum.Starved = Got < Passed / Starving && wantsProcessor(Thread);
    Sum.OwnNs += Sum.Starved ? Got : Passed;
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
  pthread_setname_np(pthread_self(), "specrt-compile");
  setPriority(0, Shared.Given);
  while (true) {
    while (sem_wait(&Shared.Begin) != 0) {
    }
    Shared.Work();
    Shared.Work = nullptr;
    sem_post(&Shared.End);
  }
}

CompileThread::State *CompileThread::start(Priority P) {
  auto *Shared = new State(P);
  sem_init(&Shared->Begin, 0, 0);
  sem_init(&Shared->End, 0, 0);
  constexpr size_t StackBytes = size_t{64} << 20; // Polly and isl recurse deeply
  pthread_t Thread;
  int Error = startThread(Thread, StackBytes, main, Shared);
  if (Error == 0) {
    pthread_getcpuclockid(Thread, &Shared->Clock);
    pthread_detach(Thread);
    return Shared;
  }
  logLine(LogLevel::Warning, "no thread for the compiler: %s; it is not watched", strerror(Error));
  delete Shared;
  return nullptr;
}

bool CompileThread::run(std::function<void()> Work,
                        const std::function<bool(const Progress &)> &IsHopeless) {
  if (!Shared)
    Shared = start(Given);
  if (!Shared) {
    Work();
    return true;
  }
  Watch Watched(Shared->Clock);
  Shared->Work = std::move(Work);
  sem_post(&Shared->Begin);
  while (!waitShortly(Shared->End)) {
    if (!IsHopeless(Watched.look(Shared->Id.load())))
      continue;
    setPriority(Shared->Id.load(), Priority::Idle);
    Shared = nullptr;
    return false;
  }
  return true;
}

} // namespace specrt
