//===- tests/runtime/handover_test.cpp - which calls come by, and which do not ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole handovers are stories: scenario_handover.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/tuning.h"
#include "runtime/call/region_state.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

constexpr uint64_t Iterations = 20, Goal = 7, Never = UINT64_MAX;

/// A region whose calls can hand over to Target from iteration Goal on.
class HandoverTest : public testing::Test {
protected:
  RegionState S{};
  specrt_region Region{};
  HandoverTarget Target;
  char Body = 0; // its address stands for code

  void SetUp() override {
    Region.flags = SPECRT_REGION_POLLS;
    Region.poll_at = Never;
    Target.Iteration = Goal;
    Target.Iterations = Iterations;
    Target.Body = &Body;
    Target.Taken = true; // the worker, which there is none of here, is told of the first time
    S.Region = &Region;
    S.Midway.Target = &Target;
    S.Midway.Iteration = Goal;
    S.Midway.State = HandoverState::Ready;
    tuning().CompileEnabled = true;
  }
  void TearDown() override { tuning().CompileEnabled = false; }

  void beginWatchedCall() {
    CallRecord Record{};
    Record.Begin = 1;
    watchCall(S, Region, Record);
  }

  /// The original's loop: the iteration from which something else does the rest; Iterations when it
  /// goes on to its end.
  uint64_t runOriginal() {
    for (uint64_t I = 0; I < Iterations; ++I)
      if (I == Region.poll_at) {
        specrt_call Call;
        if (void *Rest = pollHandover(S, Region, nullptr, I, &Call)) {
          EXPECT_EQ(Rest, &Body);
          const auto *Record = reinterpret_cast<const CallRecord *>(Call.words);
          leaveHandover(S, *Record, /*Ticks=*/1);
          return I;
        }
      }
    return Iterations;
  }
};

TEST_F(HandoverTest, AWatchedCallHandsOverToWhatIsReady) {
  beginWatchedCall();
  EXPECT_EQ(runOriginal(), Goal);
  EXPECT_EQ(S.Midway.Taken, 1u);
}

TEST_F(HandoverTest, ACallThatIsKeptInTheOriginalDoesAllItsIterations) {
  // The last call left the region polling.
  beginWatchedCall();
  ASSERT_EQ(runOriginal(), Goal);
  ASSERT_EQ(Region.poll_at, Goal);
  keepInOriginal(S);
  EXPECT_EQ(runOriginal(), Iterations);
  EXPECT_EQ(S.Midway.Taken, 1u);
}

TEST_F(HandoverTest, TheNextWatchedCallComesByAgain) {
  keepInOriginal(S);
  ASSERT_EQ(runOriginal(), Iterations);
  beginWatchedCall();
  EXPECT_EQ(runOriginal(), Goal);
}

TEST_F(HandoverTest, KeepingWritesOnlyIntoRegionsThatPoll) {
  // Originals that never look at poll_at.
  Region.flags = 0;
  Region.poll_at = 3;
  keepInOriginal(S);
  EXPECT_EQ(Region.poll_at, 3u);
  // The region's image has been closed.
  S.Region = nullptr;
  keepInOriginal(S);
}

} // namespace
} // namespace specrt
