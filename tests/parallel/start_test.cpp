//===- tests/parallel/start_test.cpp - TBB that cannot start, or not as asked ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/quiet_arena.h"
#include "tests/parallel/test_loop.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#if !defined(__has_feature) ||                                                                     \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#define SPECRT_TEST_HAS_NO_SANITIZER 1

/// Threads that were started, and those among them that inherit a mask without SIGALRM or SIGINT.
static std::atomic<unsigned> NumStarted{0}, NumTakingSignals{0};

/// Replaces the C library's function, which TBB calls to start threads.
extern "C" int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
                              void *(*Main)(void *), void *Argument) noexcept {
  static const auto Real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  sigset_t Mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
  ++NumStarted;
  NumTakingSignals += sigismember(&Mask, SIGALRM) == 0 || sigismember(&Mask, SIGINT) == 0;
  return Real(Thread, Attributes, Main, Argument);
}

/// Of this thread: whether it has no memory for large blocks, and how many it has asked for.
static thread_local bool IsShortOfMemory = false;
static thread_local unsigned NumRefused = 0;

extern "C" void *__libc_malloc(size_t Bytes); // NOLINT(bugprone-reserved-identifier)

/// Replaces the C library's function.
extern "C" __attribute__((visibility("default"))) void *malloc(size_t Bytes) noexcept {
  constexpr size_t Large = 4096;
  if (!IsShortOfMemory || Bytes < Large)
    return __libc_malloc(Bytes);
  ++NumRefused;
  return nullptr;
}
#endif

using specrt_test::hasTwoProcessors;

namespace {

constexpr long Iterations = 1000;

/// Runs a loop. True when each iteration ran; \p OnCaller is false when one ran elsewhere.
bool runLoop(bool &OnCaller) {
  struct {
    std::atomic<long> Sum{0};
    std::atomic<bool> OnCaller{true};
    pthread_t Caller = pthread_self();
  } Counted;
  auto Body = [](void *Data) {
    auto &Of = *static_cast<decltype(Counted) *>(Data);
    long Begin, End;
    while (specrt_loop_runtime_next(&Begin, &End)) {
      Of.Sum += (End - Begin) * (Begin + End - 1) / 2;
      if (!pthread_equal(Of.Caller, pthread_self()))
        Of.OnCaller = false;
    }
    specrt_loop_end_nowait();
  };
  specrt_parallel_loop_runtime_start(Body, &Counted, 0, 0, Iterations, 1);
  Body(&Counted);
  specrt_parallel_end();
  OnCaller = Counted.OnCaller;
  return Counted.Sum == Iterations * (Iterations - 1) / 2;
}

#ifdef SPECRT_TEST_HAS_NO_SANITIZER
/// From now on there is no memory.
void useUpMemory() {
  const rlimit None{0, 0};
  setrlimit(RLIMIT_AS, &None);
  setrlimit(RLIMIT_DATA, &None);
  for (size_t Bytes = size_t{1} << 20; Bytes >= 16;) {
    void *volatile Taken = std::malloc(Bytes);
    if (!Taken)
      Bytes /= 2;
  }
}

/// In a process of its own.
[[noreturn]] void startWithoutMemory() {
  useUpMemory();
  specrt_parallel_configure(0);
  const bool Failed = specrt_parallel_failed() != 0;
  bool First = false, Second = false;
  const bool Complete = runLoop(First) && runLoop(Second);
  _exit(Failed && Complete && First && Second ? 0 : 1);
}

TEST(ParallelStart, WithoutMemoryLoopsRunOnTheirCallersThreads) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  EXPECT_EQ(specrt_parallel_failed(), 0);
  EXPECT_EXIT(startWithoutMemory(), testing::ExitedWithCode(0), "");
}

/// TBB is started already, and other threads go on using it.
TEST(ParallelStart, AThreadThatCannotThrowRunsItsLoopsItself) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  specrt_parallel_configure(0);
  std::thread([] {
    bool OnCaller = false;
    IsShortOfMemory = true;
    for (unsigned Loop = 1; Loop <= 2; ++Loop) {
      EXPECT_TRUE(runLoop(OnCaller));
      EXPECT_TRUE(OnCaller);
      EXPECT_EQ(NumRefused, Loop);
    }
    IsShortOfMemory = false;
    EXPECT_TRUE(runLoop(OnCaller));
    IsShortOfMemory = true;
    EXPECT_TRUE(runLoop(OnCaller));
    EXPECT_EQ(NumRefused, 2U) << "that the thread can throw is known";
  }).join();
  EXPECT_EQ(specrt_parallel_failed(), 0);
}

/// Runs in a process of its own, so that it starts the first threads there.
[[noreturn]] void startThreads() {
  signal(SIGALRM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  bool IsComplete = true, OnCaller = false;
  for (int Call = 0; Call < 100; ++Call)
    IsComplete &= runLoop(OnCaller);
  sigset_t After;
  pthread_sigmask(SIG_BLOCK, nullptr, &After);
  const bool IsRestored = sigismember(&After, SIGALRM) == 0 && sigismember(&After, SIGINT) == 0;
  fprintf(stderr, "%u threads, %u take signals", NumStarted.load(), NumTakingSignals.load());
  _exit(IsComplete && IsRestored && NumStarted > 0 && NumTakingSignals == 0 ? 0 : 1);
}

/// A thread may begin after the loop that it was started for. Signals that nobody handled then may
/// have a handler of the program now, which must not run on that thread.
TEST(ParallelStart, ThreadsInheritThatSignalsAreBlocked) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(startThreads(), testing::ExitedWithCode(0), "0 take signals");
}
#endif

/// Counts the threads that enter an arena.
class ThreadCounter : public tbb::task_scheduler_observer {
public:
  explicit ThreadCounter(tbb::task_arena &Arena) : task_scheduler_observer(Arena) { observe(true); }
  ~ThreadCounter() override { observe(false); }
  ThreadCounter(const ThreadCounter &) = delete;
  ThreadCounter &operator=(const ThreadCounter &) = delete;
  void on_scheduler_entry(bool /*IsWorker*/) override { ++NumEntered; }

  std::atomic<unsigned> NumEntered{0};
};

TEST(ParallelStart, ThreadsAreThereOnceTheyWereAwaited) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  specrt::QuietArena Of(2);
  const ThreadCounter Counter(Of.Arena);
  specrt::awaitThreads(Of.Arena, 2, std::chrono::minutes(1));
  EXPECT_GE(Counter.NumEntered, 2U); // a thread that has left may come back
}

/// As a launcher of MPI does: TBB looks at the processors of the main thread only.
TEST(ParallelStart, IsQuietWhereTheMainThreadIsBound) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  cpu_set_t All, One;
  ASSERT_EQ(sched_getaffinity(0, sizeof(All), &All), 0);
  CPU_ZERO(&One);
  for (int I = 0; CPU_COUNT(&One) == 0; ++I)
    if (CPU_ISSET(I, &All))
      CPU_SET(I, &One);
  ASSERT_EQ(sched_setaffinity(getpid(), sizeof(One), &One), 0);
  testing::internal::CaptureStderr();
  bool IsComplete = false, OnCaller = false;
  unsigned Threads = 0;
  std::thread([&] {
    sched_setaffinity(0, sizeof(All), &All);
    Threads = specrt_parallel_threads();
    specrt_parallel_configure(0);
    IsComplete = runLoop(OnCaller);
  }).join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GE(Threads, 2u) << "more than TBB gives";
  EXPECT_TRUE(IsComplete);
  ASSERT_EQ(sched_setaffinity(getpid(), sizeof(All), &All), 0);
}

} // namespace
