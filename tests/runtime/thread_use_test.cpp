//===- tests/runtime/thread_use_test.cpp - what calls cost, where others run meanwhile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include "tests/runtime/one_processor.h"
#include "tests/runtime/spinner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace specrt {
namespace {

constexpr double ExpectedNs = 50e3;
static_assert(ExpectedNs > WatchedNs && ExpectedNs < ClockedNs);

long preemptions() {
  rusage Use{};
  getrusage(RUSAGE_THREAD, &Use);
  return Use.ru_nivcsw;
}

/// What a call seems to take that is preempted once, and computes for ExpectedNs apart from that.
struct PreemptedCall {
  double WallNs, ProcessorNs, MeasuredNs;

  explicit PreemptedCall(WhenPreempted How) {
    CallRecord Record{};
    const uint64_t Begin = monotonicNs(), ProcessorBegin = processorNs();
    const long Before = preemptions();
    beginMeasurement(Record, ExpectedNs, How);
    while (preemptions() == Before) {
    }
    MeasuredNs = static_cast<double>(endMeasurement(Record, ExpectedNs, /*Parallel=*/false).Ticks) *
                 nsPerTick();
    ProcessorNs = static_cast<double>(processorNs() - ProcessorBegin);
    WallNs = static_cast<double>(monotonicNs() - Begin);
  }
};

class ThreadUse : public testing::Test {
protected:
  ThreadUse() {
    calibrateClock();
    Other.id();
  }

private:
  OnOneProcessor Here;
  Spinner Other;
};

TEST_F(ThreadUse, OthersDoNotCountInExactTimes) {
  const PreemptedCall Call(WhenPreempted::Exact);
  EXPECT_LT(Call.ProcessorNs, Call.WallNs);
  EXPECT_LE(Call.MeasuredNs, Call.ProcessorNs);
  EXPECT_GT(Call.MeasuredNs, 0);
}

TEST_F(ThreadUse, RoughTimesAreAtMostTwiceWhatIsExpected) {
  const PreemptedCall Call(WhenPreempted::Roughly);
  EXPECT_LE(Call.MeasuredNs, 2 * ExpectedNs);
  EXPECT_GT(Call.MeasuredNs, 0);
}

/// Returns the least of many measurements of nothing, in ticks.
uint64_t leastOfEmptyCalls(bool InPlace = false) {
  uint64_t Least = UINT64_MAX;
  for (int Call = 0; Call < 1000; ++Call) {
    CallRecord Record{.IsInPlace = InPlace};
    beginMeasurement(Record, 1, WhenPreempted::Roughly);
    Least = std::min(Least, endMeasurement(Record, 1, /*Parallel=*/false).Ticks);
  }
  return Least;
}

TEST_F(ThreadUse, WhatTheMeasurementTakesDoesNotCount) {
  const uint64_t Uncorrected = leastOfEmptyCalls();
  calibrateMeasurement();
  EXPECT_LT(leastOfEmptyCalls(), std::max<uint64_t>(Uncorrected / 2, 2));
  EXPECT_EQ(leastOfEmptyCalls(/*InPlace=*/true), 1u) << "a nest in place has to be found again";
  // A real call's time remains.
  CallRecord Record{};
  const uint64_t Begin = monotonicNs();
  beginMeasurement(Record, ExpectedNs, WhenPreempted::Exact);
  while (monotonicNs() - Begin < 1e6) {
  }
  EXPECT_GT(static_cast<double>(endMeasurement(Record, ExpectedNs, false).Ticks) * nsPerTick(),
            1e5);
}

/// The program has begun to make longer calls.
TEST_F(ThreadUse, RoughTimesGrowUntilTheyAreExact) {
  double Expected = ExpectedNs;
  for (int Call = 0; Call < 10 && Expected < ClockedNs; ++Call) {
    CallRecord Record{};
    const long Before = preemptions();
    beginMeasurement(Record, Expected, WhenPreempted::Roughly);
    while (preemptions() < Before + 3) {
    }
    Expected = static_cast<double>(endMeasurement(Record, Expected, /*Parallel=*/false).Ticks) *
               nsPerTick();
  }
  EXPECT_GE(Expected, ClockedNs);
}

} // namespace
} // namespace specrt
