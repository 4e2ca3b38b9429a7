//===- tests/parallel/fork_test.cpp - loops in children that no fork handler saw ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/parallel/test_loop.h"

#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if !defined(__has_feature) ||                                                                     \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#define SPECRT_TEST_HAS_NO_SANITIZER 1

/// Is called before fork handlers are registered, unless it is null. Returns 0, or the error with
/// which their registration fails.
static int (*BeforeRegistration)() = nullptr;

/// Replaces the C library's function, by which pthread_atfork registers handlers.
extern "C" __attribute__((visibility("default"))) int
registerAtFork(void (*Prepare)(), void (*Parent)(), void (*Child)(), void *Library) noexcept
    asm("__register_atfork");
extern "C" int registerAtFork(void (*Prepare)(), void (*Parent)(), void (*Child)(),
                              void *Library) noexcept {
  static const auto Real =
      reinterpret_cast<decltype(&registerAtFork)>(dlsym(RTLD_NEXT, "__register_atfork"));
  const int Error = BeforeRegistration ? BeforeRegistration() : 0;
  return Error != 0 ? Error : Real(Prepare, Parent, Child, Library);
}
#endif

#if !defined(__has_feature) || !__has_feature(thread_sanitizer)
using specrt_test::hasTwoProcessors;

namespace {

constexpr long Iterations = 1000;

/// Runs a loop as a parallel version does, and calls \p Each in each iteration.
template <typename Fn> void runLoop(Fn &Each) {
  const auto Body = [](void *Data) {
    long Begin, End;
    while (specrt_loop_runtime_next(&Begin, &End))
      for (long I = Begin; I < End; ++I)
        (*static_cast<Fn *>(Data))();
    specrt_loop_end_nowait();
  };
  specrt_parallel_loop_runtime_start(Body, &Each, 0, 0, Iterations, 1);
  Body(&Each);
  specrt_parallel_end();
}

/// Returns whether a loop runs completely, on the calling thread alone.
bool runsSerially() {
  long Ran = 0, Elsewhere = 0;
  auto Count = [&, Caller = pthread_self()] {
    ++Ran;
    Elsewhere += pthread_equal(Caller, pthread_self()) ? 0 : 1;
  };
  runLoop(Count);
  return Ran == Iterations && Elsewhere == 0 && specrt_parallel_threads() == 1;
}

/// Runs a loop whose iterations wait, on two threads at least, and \p Work while they do.
template <typename Fn> void whileThreadsWait(const Fn &Work) {
  std::atomic<int> NumInside{0};
  std::atomic<bool> MayGoOn{false};
  std::thread Other([&] {
    auto Wait = [&] {
      NumInside.fetch_add(1);
      NumInside.notify_all();
      MayGoOn.wait(false);
    };
    runLoop(Wait);
  });
  for (int Inside = NumInside; Inside < 2; Inside = NumInside)
    NumInside.wait(Inside);
  Work();
  MayGoOn = true;
  MayGoOn.notify_all();
  Other.join();
}

/// The status with which a child ends that _Fork makes and that returns what \p Work does. A child
/// that waits for threads of its parent is ended by a signal.
template <typename Fn> int statusOfChild(const Fn &Work) {
  const pid_t Child = _Fork();
  if (Child == 0) {
    alarm(20);
    _exit(Work() ? 0 : 1);
  }
  int Status = -1;
  return Child > 0 && waitpid(Child, &Status, 0) == Child ? Status : -1;
}

#ifdef SPECRT_TEST_HAS_NO_SANITIZER
/// Runs in a process of its own, because handlers are registered once.
[[noreturn]] void forkDuringRegistration() {
  static unsigned NumForks = 0;
  static bool IsTbbFree = false, IsChildSerial = false;
  BeforeRegistration = [] {
    ++NumForks;
    IsTbbFree = specrt_parallel_loops() == 0;
    IsChildSerial = statusOfChild(runsSerially) == 0;
    return 0;
  };
  specrt_parallel_configure(0);
  _exit(NumForks == 1 && IsTbbFree && IsChildSerial ? 0 : 1);
}

/// Otherwise a child that is made then would wait for a thread of its parent.
TEST(ParallelForkHandlers, AreRegisteredBeforeTbbIsClaimed) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkDuringRegistration(), testing::ExitedWithCode(0), "");
}

/// Returns whether a loop runs completely. Sets \p IsShared to whether threads shared it.
bool runsCompletely(bool &IsShared) {
  const uint64_t Before = specrt_parallel_loops();
  std::atomic<long> Ran{0};
  auto Count = [&] { ++Ran; };
  runLoop(Count);
  IsShared = specrt_parallel_loops() != Before;
  return Ran == Iterations;
}

/// Runs in a process of its own, because handlers are registered once.
[[noreturn]] void failToRegister() {
  static int NumTries = 0;
  constexpr int NumFailures = 2;
  BeforeRegistration = [] { return ++NumTries <= NumFailures ? ENOMEM : 0; };
  specrt_parallel_configure(0);
  bool IsFirstShared = true, IsSecondShared = false;
  const bool IsComplete = runsCompletely(IsFirstShared) && runsCompletely(IsSecondShared);
  const bool HasRecovered = !IsFirstShared && IsSecondShared && specrt_parallel_failed() == 0;
  _exit(IsComplete && HasRecovered && NumTries == NumFailures + 1 ? 0 : 1);
}

TEST(ParallelForkHandlers, AreRegisteredByALaterLoopIfThatFails) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(failToRegister(), testing::ExitedWithCode(0), "");
}
#endif

class ParallelFork : public testing::Test {
protected:
  void SetUp() override {
    if (!hasTwoProcessors())
      GTEST_SKIP() << "needs two processors";
    specrt_parallel_configure(0);
    // Loops are serial for some milliseconds after threads of another test have met.
    while (specrt_parallel_threads() < 2)
      sched_yield();
  }
};

TEST_F(ParallelFork, AChildOfUnderscoreForkIsSerialWhileItsParentsThreadsWork) {
  whileThreadsWait([] {
    EXPECT_EQ(statusOfChild([] {
                const bool IsSerial = runsSerially();
                specrt_parallel_configure(0);
                return IsSerial && runsSerially();
              }),
              0);
    EXPECT_EQ(statusOfChild([] {
                specrt_parallel_end_threads();
                return runsSerially();
              }),
              0);
  });
}

TEST_F(ParallelFork, AChildOfUnderscoreForkForksWithoutItsParentsThreads) {
  whileThreadsWait([] {}); // TBB's threads exist
  EXPECT_EQ(statusOfChild([] {
              const pid_t Grandchild = fork();
              if (Grandchild == 0)
                _exit(runsSerially() ? 0 : 1);
              int Status = -1;
              return waitpid(Grandchild, &Status, 0) == Grandchild && Status == 0;
            }),
            0);
}

} // namespace
#endif
