//===- tests/runtime/osr_test.cpp - which calls come by, and which do not ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole replacements are stories: scenario_osr.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/clock.h"
#include "runtime/base/deferred.h"
#include "runtime/base/tuning.h"
#include "runtime/call/region_state.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

constexpr uint64_t Iterations = 20, Goal = 7, Never = UINT64_MAX;

/// A region whose calls can hand over to Target from iteration Goal on.
class OsrTest : public testing::Test {
protected:
  RegionState S{};
  specrt_region Region{};
  OsrTarget Target;
  uint64_t PollAt = Never;
  char Body = 0; // its address stands for code

  void SetUp() override {
    Region.flags = SPECRT_REGION_POLLS;
    Region.poll_at = &PollAt;
    Target.Iteration = Goal;
    Target.Iterations = Iterations;
    Target.Body = &Body;
    Target.Taken = true; // the worker, which there is none of here, is told of the first time
    S.Region = &Region;
    S.Osr.Target = &Target;
    S.Osr.Iteration = Goal;
    S.Osr.State = OsrState::Ready;
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
      if (I == PollAt) {
        specrt_call Call;
        if (void *Rest = pollOsr(S, Region, nullptr, I, &Call)) {
          EXPECT_EQ(Rest, &Body);
          const auto *Record = reinterpret_cast<const CallRecord *>(Call.words);
          leaveOsr(S, *Record, /*Ticks=*/1);
          return I;
        }
      }
    return Iterations;
  }
};

TEST_F(OsrTest, AWatchedCallHandsOverToWhatIsReady) {
  beginWatchedCall();
  EXPECT_EQ(runOriginal(), Goal);
  EXPECT_EQ(S.Osr.Taken, 1u);
}

/// Before the call handed over, the thread had its processor for a part of the time only.
TEST_F(OsrTest, WhatOtherThreadsHadOfTheProcessorIsNotTheOriginals) {
  const auto LongTicks = static_cast<uint64_t>(60e9 / nsPerTick());
  CallRecord Record{};
  Record.Begin = ticks() - LongTicks;
  Record.ProcessorNs = processorNs();
  Record.Preemptions = UINT32_MAX; // another number than now
  watchCall(S, Region, Record);
  ASSERT_EQ(runOriginal(), Goal);
  EXPECT_LT(endWatch(S, Region, Record, LongTicks), LongTicks / 2);
}

class Probe : public OsrTest {
protected:
  char Same = 0, InSourceOrder = 0; // their addresses stand for code

  /// Returns the code for the remainder after a probe of 1 ms that the original would have executed
  /// in \p ExpectedNs.
  void *continueAfter(double ExpectedNs) {
    Target.Probe = {.End = Goal + 2, .ExpectedNs = ExpectedNs, .Same = {}, .InSourceOrder = {}};
    Target.Probe->Same.Body = &Same;
    Target.Probe->InSourceOrder.Body = &InSourceOrder;
    S.Osr.TicksBefore = 0;
    setupTicks() = 0; // as at the begin of every measurement
    CallRecord Record{};
    Record.State = &S;
    Record.Subject = &Target;
    Record.Begin = ticks() - static_cast<uint64_t>(1e6 / nsPerTick()); // the probe took 1 ms
    void *Next = continueOsr(Record);
    EXPECT_EQ(continueOsr(Record), nullptr) << "there is only one probe";
    return Next;
  }
};

TEST_F(Probe, AFastCandidateDoesTheRest) { EXPECT_EQ(continueAfter(1e12), &Same); }
TEST_F(Probe, ASlowCandidateDoesNotDoTheRest) { EXPECT_EQ(continueAfter(1e5), &InSourceOrder); }

TEST_F(OsrTest, WithoutAProbeNothingIsLeft) {
  CallRecord Record{};
  Record.State = &S;
  Record.Subject = &Target;
  EXPECT_EQ(continueOsr(Record), nullptr);
}

TEST_F(OsrTest, ACallThatIsKeptInTheOriginalDoesAllItsIterations) {
  // The last call left the region polling.
  beginWatchedCall();
  ASSERT_EQ(runOriginal(), Goal);
  ASSERT_EQ(PollAt, Goal);
  keepInOriginal(S);
  EXPECT_EQ(runOriginal(), Iterations);
  EXPECT_EQ(S.Osr.Taken, 1u);
}

TEST_F(OsrTest, TheNextWatchedCallComesByAgain) {
  keepInOriginal(S);
  ASSERT_EQ(runOriginal(), Iterations);
  beginWatchedCall();
  EXPECT_EQ(runOriginal(), Goal);
}

TEST_F(OsrTest, KeepingWritesOnlyIntoRegionsThatPoll) {
  // Originals that never look at poll_at.
  Region.flags = 0;
  PollAt = 3;
  keepInOriginal(S);
  EXPECT_EQ(PollAt, 3u);
  // The region's image has been closed.
  S.Region = nullptr;
  keepInOriginal(S);
}

} // namespace
} // namespace specrt
