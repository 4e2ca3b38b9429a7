//===- tests/runtime/thread_use_test.cpp - what calls cost, where others run meanwhile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include "tests/runtime/one_processor.h"
#include "tests/runtime/spinner.h"

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
