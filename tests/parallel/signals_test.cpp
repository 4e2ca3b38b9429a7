//===- tests/parallel/signals_test.cpp - signals during parallel loops ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/parallel/test_loop.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <gtest/gtest.h>
#include <pthread.h>

using namespace specrt_test;

namespace {

bool isBlocked(int Signal) {
  sigset_t Mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &Mask);
  return sigismember(&Mask, Signal) == 1;
}

/// What Look says on each thread of a parallel loop: true on all, on some, on none.
struct Looks {
  std::atomic<int> OnCaller{0}, OnOthers{0}, Others{0};
};
void lookAround(Looks &Result, const std::function<bool()> &Look) {
  const std::thread::id Caller = std::this_thread::get_id();
  Loop L{[&](long Begin, long End) {
    std::this_thread::sleep_for(std::chrono::milliseconds(End - Begin));
    if (std::this_thread::get_id() == Caller) {
      Result.OnCaller += Look();
    } else {
      ++Result.Others;
      Result.OnOthers += Look();
    }
  }};
  L.run(2, 0, 64);
}

void ignoreSignal(int) {}

TEST(ParallelLoops, SignalsWaitUntilALoopIsOver) {
  struct sigaction Handled{}, Before;
  Handled.sa_handler = ignoreSignal;
  sigaction(SIGALRM, &Handled, &Before);
  for (int Signal : {SIGUSR1, SIGALRM, SIGRTMIN}) {
    Looks All;
    lookAround(All, [=] { return isBlocked(Signal); });
    EXPECT_GT(All.OnCaller, 0);
    EXPECT_EQ(All.OnOthers, All.Others);
    EXPECT_FALSE(isBlocked(Signal));
  }
  sigaction(SIGALRM, &Before, nullptr);
  for (int Signal : {SIGSEGV, SIGFPE, SIGABRT}) {
    Looks All;
    lookAround(All, [=] { return isBlocked(Signal); });
    EXPECT_EQ(All.OnCaller, 0);
    EXPECT_EQ(All.OnOthers, 0);
  }
}

TEST(ParallelLoops, SignalsWithoutHandlerEndTheProgramAtOnce) {
  Looks All;
  lookAround(All, [=] { return isBlocked(SIGINT); });
  EXPECT_EQ(All.OnCaller, 0);
  EXPECT_EQ(All.OnOthers, All.Others);
}

TEST(ParallelLoops, SignalsThatTheProgramBlockedStayBlocked) {
  sigset_t Some, Mask;
  sigemptyset(&Some);
  sigaddset(&Some, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &Some, &Mask);
  const uint64_t Before = specrt_parallel_loops();
  Looks All;
  std::atomic<int> NumOpen{0};
  lookAround(All, [&] {
    NumOpen += isBlocked(SIGTERM) ? 0 : 1;
    return true;
  });
  EXPECT_EQ(specrt_parallel_loops() - Before, hasTwoProcessors() ? 2U : 0U);
  EXPECT_GT(All.OnCaller, 0);
  EXPECT_EQ(NumOpen, 0);
  EXPECT_TRUE(isBlocked(SIGTERM));
  pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
}

TEST(ParallelLoops, CancellationWaitsUntilALoopIsOver) {
  Looks All;
  lookAround(All, [] {
    int State;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &State);
    return State == PTHREAD_CANCEL_ENABLE;
  });
  EXPECT_EQ(All.OnCaller, 0);
  int State, Type;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &State);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &Type);
  EXPECT_EQ(State, PTHREAD_CANCEL_ENABLE);
  EXPECT_EQ(Type, PTHREAD_CANCEL_DEFERRED);
}

std::atomic<bool> RanInHandler{false}, RanElsewhere{false};

/// Neither allocates nor takes a lock, which a handler may not.
void runLoopInHandler(int) {
  Loop L{[Here = pthread_self()](long Begin, long End) {
    timespec Step{0, (End - Begin) * 1'000'000};
    nanosleep(&Step, nullptr);
    (pthread_equal(Here, pthread_self()) ? RanInHandler : RanElsewhere) = true;
  }};
  L.run(2, 0, 64);
}

TEST(ParallelLoops, RunsSeriallyInASignalHandler) {
  struct sigaction Runs{}, Before;
  Runs.sa_handler = runLoopInHandler;
  sigaction(SIGUSR1, &Runs, &Before);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &Before, nullptr);
  EXPECT_TRUE(RanInHandler);
  EXPECT_FALSE(RanElsewhere);
  // A thread that merely blocks what nobody handles is no handler.
  sigset_t Some, Mask;
  sigemptyset(&Some);
  sigaddset(&Some, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &Some, &Mask);
  EXPECT_EQ(threadsOf(2), std::min<size_t>(specrt_parallel_threads(), 2));
  EXPECT_TRUE(isBlocked(SIGUSR1));
  pthread_sigmask(SIG_SETMASK, &Mask, nullptr);
}

} // namespace
