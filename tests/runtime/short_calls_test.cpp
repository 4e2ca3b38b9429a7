//===- tests/runtime/short_calls_test.cpp - the way of calls that take no time ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include "runtime/call/in_place_comparison.h"
#include "runtime/call/region_state.h"
#include "runtime/call/thread_use.h"
#include "runtime/call/versions.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

class ShortCalls : public testing::Test {
protected:
  void SetUp() override {
    calibrateClock();
    Region.slot = &Slot;
    Region.pass_by = &Rest;
    Region.thunk = &Thunk;
    State.Region = &Region;
    Slot = &Thunk;
    setRecentNs(100);
  }
  void setRecentNs(double Ns) { State.RecentTicks = static_cast<uint64_t>(Ns / nsPerTick()); }
  /// Where the next call goes after one that came to the thunk in vain.
  void *next(Phase P) {
    setPhase(State, P);
    passThunkBy(State, Region);
    return Slot;
  }

  char Thunk = 0;
  void *Slot = nullptr;
  uint64_t Rest = 0; ///< of the calls to pass by
  specrt_region Region{};
  RegionState State{};
};

TEST_F(ShortCalls, PassTheThunkByWhileTheRegionAwaitsTheWorker) {
  EXPECT_EQ(next(Phase::Compiling), InPlace);
  Slot = &Thunk;
  EXPECT_EQ(next(Phase::Preparing), InPlace);
}

TEST_F(ShortCalls, ComeToTheThunkInAllOtherPhases) {
  for (Phase P : {Phase::Cold, Phase::Profiling, Phase::Trial, Phase::Specialised})
    EXPECT_EQ(next(P), &Thunk) << phaseName(P);
}

TEST_F(ShortCalls, ComeToTheThunkAgainToBeProfiled) {
  ASSERT_EQ(next(Phase::Compiling), InPlace);
  setPhase(State, Phase::Profiling);
  EXPECT_EQ(Slot, &Thunk);
}

TEST_F(ShortCalls, AreCountedWhereTheThunkLetsThemPass) {
  setPhase(State, Phase::Profiling);
  passBy(State, 10);
  EXPECT_EQ(Rest, 10U);
  EXPECT_EQ(State.calls(), 0U);
  Rest = 4; // six have come
  EXPECT_EQ(State.calls(), 6U);
  setPhase(State, Phase::Compiling);
  EXPECT_EQ(Rest, 0U) << "all that comes is of interest now";
  EXPECT_EQ(State.calls(), 6U);
}

TEST_F(ShortCalls, AreAllObservedWhereSomethingIsToRun) {
  State.ActiveTrial = reinterpret_cast<Trial *>(&Slot);
  for (Phase P : {Phase::Compiling, Phase::Trial, Phase::Specialised}) {
    setPhase(State, P);
    passBy(State, 10);
    EXPECT_EQ(Rest, 0U) << phaseName(P);
  }
}

TEST_F(ShortCalls, AreSampledWhileTheFirstPlanIsCompiled) {
  setPhase(State, Phase::Compiling);
  passBy(State, 10);
  EXPECT_EQ(Rest, 10U);
  setPhase(State, Phase::Trial);
  EXPECT_EQ(Rest, 0U);
}

TEST_F(ShortCalls, ComeToTheThunkWhereSomethingIsToRun) {
  State.ActiveTrial = reinterpret_cast<Trial *>(&Slot);
  EXPECT_EQ(next(Phase::Compiling), &Thunk);
  State.ActiveTrial = nullptr;
  State.Versions = reinterpret_cast<Version *>(&Slot);
  EXPECT_EQ(next(Phase::Compiling), &Thunk);
}

TEST_F(ShortCalls, ComeToTheThunkWhereTheyWaitForVersions) {
  State.MayWaitUs = 1;
  EXPECT_EQ(next(Phase::Preparing), &Thunk);
  State.MayWaitUs = 0;
  tuning().SyncWaitUs = 1;
  EXPECT_EQ(next(Phase::Compiling), &Thunk);
  tuning().SyncWaitUs = 0;
}

TEST_F(ShortCalls, AreThoseThatAreKnownToBe) {
  setRecentNs(100'000);
  EXPECT_EQ(next(Phase::Compiling), &Thunk);
  setRecentNs(0);
  EXPECT_EQ(next(Phase::Compiling), &Thunk);
}

/// Values moved on in a trial. What ran in it says nothing about the time in the original.
TEST_F(ShortCalls, OfATrialDoNotMakeARegionHotAgain) {
  const auto TicksOf = [](double Ns) { return static_cast<uint64_t>(Ns / nsPerTick()); };
  const uint64_t Values = 0;
  State.ProfileRequested = true; // else the queue would keep this state
  State.Calls = 10;
  recordSample(State, &Values, {.Ticks = TicksOf(100e3)});
  State.Calls = 1010; // a thousand calls of a trial
  observeAgain(State, TicksOf(20e6));
  State.Calls = 1011;
  recordSample(State, &Values, {.Ticks = TicksOf(100e3)});
  EXPECT_LT(State.TotalTicks, hotTarget(State));
  State.Calls = 1300;
  recordSample(State, &Values, {.Ticks = TicksOf(100e3)});
  EXPECT_GE(State.TotalTicks, hotTarget(State)) << "calls that were passed by count";
}

/// A region whose versions are compared in place.
class ComparedCalls : public ShortCalls {
protected:
  void SetUp() override {
    ShortCalls::SetUp();
    First.Entry = &Entry;
    State.Versions = &First;
    setPhase(State, Phase::Specialised);
    State.Compared = &Comparison;
  }

  char Entry = 0;
  Version First;
  InPlaceComparison Comparison{1, Stride};
  static constexpr uint32_t Stride = 1024;
};

TEST_F(ComparedCalls, TakeTurnsWithoutAThunkPerCall) {
  takeTurns(State, Region, Stride, /*AsWritten=*/false);
  EXPECT_EQ(Slot, &Entry);
  EXPECT_EQ(Rest, 0U);
  takeTurns(State, Region, Stride, /*AsWritten=*/true);
  EXPECT_EQ(Slot, &Thunk);
  EXPECT_EQ(Rest, Stride - 1) << "the thunk lets them pass";
  takeTurns(State, Region, Stride, /*AsWritten=*/false);
  EXPECT_EQ(Slot, &Entry);
  EXPECT_EQ(Rest, 0U);
}

TEST_F(ComparedCalls, LeaveTheThunkWhereTheWorkerHasPutIt) {
  setPhase(State, Phase::Trial);
  takeTurns(State, Region, Stride, /*AsWritten=*/false);
  EXPECT_EQ(Slot, &Thunk);
  leaveThunkToEntry(State, Region);
  EXPECT_EQ(Slot, &Thunk);
}

TEST_F(ComparedCalls, LeaveTheThunkAfterTheComparison) {
  takeTurns(State, Region, Stride, /*AsWritten=*/true);
  leaveThunkToEntry(State, Region);
  EXPECT_EQ(Slot, &Thunk) << "it goes on";
  State.Compared = nullptr;
  leaveThunkToEntry(State, Region);
  EXPECT_EQ(Slot, &Entry);
}

TEST_F(ShortCalls, LeaveEntriesAlone) {
  char Entry = 0;
  Slot = &Entry;
  EXPECT_EQ(next(Phase::Compiling), &Entry);
  EXPECT_EQ(next(Phase::Profiling), &Entry);
}

} // namespace
} // namespace specrt
