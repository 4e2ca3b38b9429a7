//===- tests/parallel/parallel_test.cpp - parallel loops on TBB -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/parallel/test_loop.h"

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <random>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

/// The part of TBB that its headers compile into us exchanges tasks through the part in its
/// library, which TSan does not see. What runs inside the tasks stays checked.
extern "C" const char *__tsan_default_suppressions() {
  return "race_top:oneapi/tbb/*\nrace:wait_node\nrace:fold_tree\nrace:tree_node\n"
         "race:SerialInsideATbbTaskOfTheHost\n";
}

static std::atomic<bool> InOpenMpRegion{false};
extern "C" __attribute__((visibility("default"))) int omp_in_parallel() { return InOpenMpRegion; }

using namespace specrt_test;

namespace {

/// Threads of the process.
long numThreads() {
  const std::filesystem::directory_iterator Tasks("/proc/self/task"), End;
  return std::distance(Tasks, End);
}

/// Does another thread take part? On a busy machine it may come too late for one loop.
bool becomesParallel() {
  for (int I = 0; I < 100; ++I)
    if (threadsOf(0) >= 2)
      return true;
  return false;
}

class Parallel : public testing::Test {
protected:
  void SetUp() override { specrt_parallel_configure(0); }
};

TEST_F(Parallel, RunsEveryIterationOnce) {
  std::mt19937_64 Random(7);
  for (int Case = 0; Case < 3000; ++Case) {
    long Step = static_cast<long>(Random() % 15) - 7;
    if (Step == 0)
      continue;
    long Count = static_cast<long>(Random() % 200), Begin = static_cast<long>(Random() % 100) - 50;
    long End = Begin + Step * Count - (Step > 0 ? 1 : -1) * static_cast<long>(Random() % 3);
    std::vector<std::atomic<int>> Seen(4000);
    Loop L{[&](long From, long To) {
      for (long I = From; Step > 0 ? I < To : I > To; I += Step)
        ++Seen[static_cast<size_t>(I + 2000)];
    }};
    L.run(static_cast<unsigned>(Random() % 5), Begin, End, Step);
    std::vector<int> Expected(4000);
    for (long I = Begin; Step > 0 ? I < End : I > End; I += Step)
      ++Expected[static_cast<size_t>(I + 2000)];
    for (size_t I = 0; I < Seen.size(); ++I)
      ASSERT_EQ(Seen[I], Expected[I]) << Begin << " " << End << " " << Step << " at " << I;
  }
}

TEST_F(Parallel, UsesSeveralThreads) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  EXPECT_GE(specrt_parallel_threads(), 2u);
  EXPECT_TRUE(becomesParallel());
}

TEST_F(Parallel, HonoursTheConfiguredLimit) {
  specrt_parallel_configure(1);
  EXPECT_EQ(specrt_parallel_threads(), 1u);
  EXPECT_EQ(threadsOf(0), 1u);
  specrt_parallel_configure(2);
  EXPECT_LE(threadsOf(0), 2u);
}

TEST_F(Parallel, HonoursTheLoopsLimit) { EXPECT_EQ(threadsOf(1), 1u); }

TEST_F(Parallel, HonoursTheAffinityMask) {
  cpu_set_t Old, One;
  ASSERT_EQ(sched_getaffinity(0, sizeof(Old), &Old), 0);
  CPU_ZERO(&One);
  for (int I = 0; I < CPU_SETSIZE; ++I)
    if (CPU_ISSET(I, &Old)) {
      CPU_SET(I, &One);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof(One), &One), 0);
  EXPECT_EQ(specrt_parallel_threads(), 1u);
  EXPECT_EQ(threadsOf(0), 1u);
  ASSERT_EQ(sched_setaffinity(0, sizeof(Old), &Old), 0);
}

TEST_F(Parallel, NestedLoopsAreSerialAndComplete) {
  std::atomic<int> Sum{0};
  std::atomic<bool> Serial{true};
  Loop Outer{[&](long Begin, long End) {
    for (long I = Begin; I < End; ++I) {
      std::thread::id Me = std::this_thread::get_id();
      Loop Inner{[&](long From, long To) {
        if (std::this_thread::get_id() != Me)
          Serial = false;
        Sum += static_cast<int>(To - From);
      }};
      Inner.run(0, 0, 50);
    }
  }};
  Outer.run(0, 0, 40);
  EXPECT_EQ(Sum, 40 * 50);
  EXPECT_TRUE(Serial);
}

TEST_F(Parallel, ConcurrentCallersDoNotMix) {
  std::vector<std::thread> Threads;
  std::atomic<int> Wrong{0};
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([&] {
      for (int Round = 0; Round < 200; ++Round) {
        std::atomic<long> Sum{0};
        Loop L{[&](long Begin, long End) {
          for (long I = Begin; I < End; ++I)
            Sum += I;
        }};
        L.run(0, 0, 300);
        if (Sum != 300 * 299 / 2)
          ++Wrong;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0);
}

/// Their program has work for its processors.
TEST_F(Parallel, ThreadsThatMeetKeepToThemselvesForAWhile) {
  ASSERT_TRUE(becomesParallel());
  EXPECT_GT(specrt_parallel_threads(), 1u);
  using Clock = std::chrono::steady_clock;
  std::once_flag Once;
  std::atomic<size_t> Beside{0};
  Clock::time_point Met;
  Loop L{[&](long, long) {
    std::call_once(Once, [&] {
      Met = Clock::now();
      std::thread([&] { Beside = threadsOf(0, 2); }).join();
    });
  }};
  L.run(0, 0, 64);
  EXPECT_EQ(Beside, 1u);
  auto Begin = Clock::now();
  size_t After = threadsOf(0, 4);
  // Not on a machine that is so busy that the while is over.
  EXPECT_TRUE(After == 1 || Begin - Met > std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GT(specrt_parallel_threads(), 1u);
}

TEST_F(Parallel, SerialInsideATbbTaskOfTheHost) {
  std::atomic<size_t> Most{0};
  tbb::parallel_for(0, 4, [&](int) {
    size_t Used = threadsOf(0, 8);
    size_t Known = Most;
    while (Known < Used && !Most.compare_exchange_weak(Known, Used)) {
    }
  });
  EXPECT_EQ(Most, 1u);
  // The thread is known to TBB now, but runs no task: parallel again.
  if (hasTwoProcessors())
    EXPECT_TRUE(becomesParallel());
}

TEST_F(Parallel, SerialInsideAnOpenMpRegionOfTheHost) {
  InOpenMpRegion = true;
  EXPECT_EQ(specrt_parallel_threads(), 1u);
  EXPECT_EQ(threadsOf(0), 1u);
  InOpenMpRegion = false;
  if (hasTwoProcessors())
    EXPECT_TRUE(becomesParallel());
}

TEST_F(Parallel, WorkersRoundLikeTheCaller) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  std::atomic<int> Wrong{0};
  Loop L{[&](long, long) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    volatile double One = 1, Three = 3;
    if (std::fegetround() != FE_UPWARD || One / Three <= 0x1.5555555555555p-2)
      ++Wrong;
  }};
  L.run(0, 0, 64);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(Wrong, 0);
  std::atomic<int> Kept{0};
  Loop After{[&](long, long) { Kept += std::fegetround() != FE_TONEAREST; }};
  After.run(0, 0, 64);
  EXPECT_EQ(Kept, 0);
}

#if defined(__x86_64__)
TEST_F(Parallel, WorkersFlushDenormalsLikeTheCaller) {
  constexpr unsigned FlushAndZero = 0x8040;
  unsigned Old = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(Old | FlushAndZero);
  std::atomic<int> Wrong{0};
  Loop L{[&](long, long) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Wrong += (__builtin_ia32_stmxcsr() & FlushAndZero) != FlushAndZero;
  }};
  L.run(0, 0, 64);
  __builtin_ia32_ldmxcsr(Old);
  EXPECT_EQ(Wrong, 0);
}
#endif

TEST_F(Parallel, CallerSeesTheFlagsOfWorkers) {
  std::feclearexcept(FE_ALL_EXCEPT);
  std::thread::id Caller = std::this_thread::get_id();
  std::atomic<bool> Divided{false};
  Loop L{[&](long, long) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (std::this_thread::get_id() == Caller)
      return;
    volatile double One = 1, Zero = 0, Result = One / Zero;
    (void)Result;
    Divided = true;
  }};
  L.run(0, 0, 64);
  EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO) != 0, Divided.load());
}

TEST_F(Parallel, CallerSeesTheErrnoOfWorkers) {
  for (int Error : {0, ERANGE}) {
    std::mutex Lock;
    std::set<std::thread::id> Ids;
    Loop L{[&](long Begin, long End) {
      std::this_thread::sleep_for(std::chrono::milliseconds(End - Begin));
      std::lock_guard<std::mutex> Guard(Lock);
      Ids.insert(std::this_thread::get_id());
      // Of one iteration, on whatever thread it is.
      if (Begin <= 60 && 60 < End && Error)
        errno = Error;
    }};
    for (int I = 0; I < 20; ++I) {
      errno = EDOM;
      L.run(0, 0, 64);
      EXPECT_EQ(errno, Error ? Error : EDOM);
    }
    if (hasTwoProcessors()) {
      EXPECT_GT(Ids.size(), 1u);
    }
  }
}

/// A serial loop leaves what its last failing iteration has set.
TEST_F(Parallel, CallerSeesTheErrnoOfTheLastIterationThatSetsIt) {
  for (const int LastFailing : {3, 20, 40, 63})
    for (int I = 0; I < 10; ++I) {
      Loop L{[&](long Begin, long End) {
        for (long K = Begin; K < End; ++K)
          if (K <= LastFailing && K % 2 == LastFailing % 2)
            errno = K == LastFailing ? ERANGE : EDOM;
        std::this_thread::sleep_for(std::chrono::microseconds(10 * (End - Begin)));
      }};
      errno = 0;
      L.run(0, 0, 64);
      EXPECT_EQ(errno, ERANGE) << LastFailing;
    }
}

#if !defined(__has_feature) || !__has_feature(thread_sanitizer)
TEST_F(Parallel, ForkedChildIsSerial) {
  threadsOf(0); // TBB's threads exist
  pid_t Child = fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    alarm(20);
    long Sum = 0;
    Loop L{[&](long Begin, long End) { Sum += End - Begin; }};
    L.run(0, 0, 1000);
    _exit(Sum == 1000 && specrt_parallel_threads() == 1 ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
}

/// A thread of TBB may hold a lock that the child's exit takes.
TEST_F(Parallel, TbbHasNoThreadsAtAFork) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  for (int Round = 0; Round < 3; ++Round) {
    threadsOf(0);
    EXPECT_GT(numThreads(), 1);
    const pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0)
      _exit(0);
    // They do not start again before the next loop. The kernel may still list a thread that was
    // joined.
    const auto Until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (numThreads() > 1 && std::chrono::steady_clock::now() < Until)
      std::this_thread::yield();
    EXPECT_EQ(numThreads(), 1);
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  }
}
#endif

TEST_F(Parallel, IdleThreadsDoNotSpin) {
  threadsOf(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  timespec Before{}, After{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Before);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &After);
  double Used = static_cast<double>(After.tv_sec - Before.tv_sec) * 1e3 +
                static_cast<double>(After.tv_nsec - Before.tv_nsec) * 1e-6;
  EXPECT_LT(Used, 30); // ms of 300
}

TEST_F(Parallel, ReportsTheOverheadOfAnEmptyLoop) {
  Loop Empty{[](long, long) {}};
  constexpr int Rounds = 5000;
  for (int I = 0; I < 100; ++I)
    Empty.run(2, 0, 2);
  auto Begin = std::chrono::steady_clock::now();
  for (int I = 0; I < Rounds; ++I)
    Empty.run(2, 0, 2);
  std::chrono::duration<double, std::micro> Time = std::chrono::steady_clock::now() - Begin;
  double PerLoop = Time.count() / Rounds;
  RecordProperty("empty_loop_us", std::to_string(PerLoop));
  std::printf("an empty loop on 2 threads takes %.2f us\n", PerLoop);
  EXPECT_LT(PerLoop, 5000);
}

size_t ThreadsOnFiber = 0;

/// How much of it is left nobody can tell.
TEST(ParallelLoops, RunSeriallyOnAStackOfTheProgramsOwn) {
  std::vector<char> Stack(1 << 20);
  ucontext_t Main, Fiber;
  getcontext(&Fiber);
  Fiber.uc_stack.ss_sp = Stack.data();
  Fiber.uc_stack.ss_size = Stack.size();
  Fiber.uc_link = &Main;
  makecontext(&Fiber, [] { ThreadsOnFiber = threadsOf(2); }, 0);
  swapcontext(&Main, &Fiber);
  EXPECT_EQ(ThreadsOnFiber, 1u);
}

} // namespace
