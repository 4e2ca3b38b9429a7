//===- tests/runtime/compile_thread_test.cpp - who waits for a compile, and how long ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/call/region_state.h"
#include "runtime/compile/compile_thread.h"
#include "tests/runtime/one_processor.h"

#include <gtest/gtest.h>
#include <new>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace specrt {
namespace {

using Then = CompileThread::Then;
using End = CompileThread::End;
constexpr uint64_t LookNs = 20'000'000;

/// Takes time of a processor.
void spin(uint64_t Ms) {
  for (uint64_t Begin = processorNs(); processorNs() - Begin < Ms * 1'000'000;) {
  }
}

TEST(CompileThread, HasThePriorityThatItWasGiven) {
  for (Priority P : {Priority::Normal, Priority::Idle}) {
    CompileThread Thread(P);
    int Nice = -1;
    EXPECT_EQ(Thread.run([&] { Nice = getpriority(PRIO_PROCESS, 0); }, LookNs,
                         [](const CompileThread::Progress &, uint64_t &) { return Then::GoOn; }),
              End::Done);
    EXPECT_EQ(Nice, P == Priority::Idle ? 19 : 0);
  }
}

TEST(CompileThread, LackOfMemoryEndsTheWorkOnly) {
  CompileThread Thread(Priority::Normal);
  const auto GoOn = [](const CompileThread::Progress &, uint64_t &) { return Then::GoOn; };
  EXPECT_EQ(Thread.run([] { throw std::bad_alloc(); }, LookNs, GoOn), End::Failed);
  bool IsDone = false;
  EXPECT_EQ(Thread.run([&] { IsDone = true; }, LookNs, GoOn), End::Done);
  EXPECT_TRUE(IsDone);
}

TEST(CompileThread, KnowsThatItStarves) {
  OnOneProcessor Here;
  std::atomic<bool> Stop{false};
  std::thread Other([&] {
    while (!Stop)
      spin(1);
  });
  CompileThread Thread(Priority::Idle);
  uint64_t Own = 0, Begin = monotonicNs(), StoppedAt = 0;
  EXPECT_EQ(Thread.run([] { spin(15); }, LookNs,
                       [&](const CompileThread::Progress &SoFar, uint64_t &) {
                         if (SoFar.Starved && !StoppedAt && monotonicNs() - Begin > 400'000'000) {
                           Own = SoFar.OwnNs;
                           StoppedAt = monotonicNs();
                           Stop = true;
                         }
                         return Then::GoOn;
                       }),
            End::Done);
  Stop = true;
  Other.join();
  ASSERT_GT(StoppedAt, 0u) << "it ended beside a thread that left it nothing";
  EXPECT_LT(Own, (StoppedAt - Begin) / 2);
}

TEST(CompileThread, DoesNotStarveInItsSleep) {
  CompileThread Thread(Priority::Idle);
  CompileThread::Progress Last;
  EXPECT_EQ(Thread.run([] { usleep(300'000); }, LookNs,
                       [&](const CompileThread::Progress &SoFar, uint64_t &) {
                         Last = SoFar;
                         return Then::GoOn;
                       }),
            End::Done);
  EXPECT_GT(Last.OwnNs, 100'000'000u);
}

TEST(CompileThread, NoCallWaitsWhileItStarves) {
  RegionState S{};
  S.CurrentPhase = Phase::Compiling;
  tuning().CompileStarves = true;
  uint64_t Begin = monotonicNs();
  waitForPhase(S, Phase::Compiling, 60'000'000);
  tuning().CompileStarves = false;
  EXPECT_LT(monotonicNs() - Begin, 30'000'000'000u);
  EXPECT_EQ(S.CurrentPhase, Phase::Compiling);
}

} // namespace
} // namespace specrt
