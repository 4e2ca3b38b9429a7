//===- tests/runtime/losses_test.cpp - what optimizing a region may cost --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/expenses.h"
#include "runtime/decide/losses.h"
#include "tests/runtime/rows/row_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specrt {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::Lt;

TEST(LossesTest, ARegionRestsWhenItHasLostATenthOfARun) {
  constexpr uint64_t Now = 1795000000, Day = 86400;
  EXPECT_FALSE(isResting({}, Now));
  EXPECT_FALSE(isResting({.LostNs = 19e6, .RunNs = 200e6, .Stamp = Now}, Now));
  EXPECT_TRUE(isResting({.LostNs = 21e6, .RunNs = 200e6, .Stamp = Now}, Now));
  EXPECT_FALSE(isResting({.LostNs = 9e6, .RunNs = 1e6, .Stamp = Now}, Now)) << "not felt";
  EXPECT_TRUE(isResting({.LostNs = 21e6, .RunNs = 200e6, .Stamp = Now}, Now + 6 * Day));
  EXPECT_FALSE(isResting({.LostNs = 21e6, .RunNs = 200e6, .Stamp = Now}, Now + 8 * Day));
  EXPECT_EQ(whyResting({.LostNs = 33e6, .RunNs = 200e6, .Stamp = 1795305600}),
            "rests since 2026-11-22: trials and waits cost 33.00 ms more than versions gained, in "
            "runs of 200.00 ms");
}

/// A trial of a candidate that has to look at rows, as other runs of the program have one.
struct PutOffWalks : RowTables {
  PutOffWalks() : D(State, Region()) {
    for (int I = 0; I < 2; ++I)
      T.Candidates.push_back(std::make_unique<Candidate>());
    T.Candidates[1]->Rows = &Site;
    NsPerRow = 2000;
    setRows(1'000'000);
    expenses().begin(monotonicNs());
  }
  ~PutOffWalks() override { expenses().lift(); }

  /// The next run begins, which knows what this one does.
  void runAgain() {
    recordWalks(D, T);
    forgetRows(this);
    ownRows(this, &Site);
    RowsWalked = 0;
    D.Seen.Losses.RunNs = 1e9;
    expenses().expect(D.Seen.Losses.RunNs);
    limitWalks(D, T, monotonicNs());
  }

  static specrt_region Region() {
    specrt_region R{};
    R.name = R.function = R.file = R.pipeline = R.entry_symbol = "r";
    return R;
  }

  RegionState State{};
  RegionDetail D;
  Trial T;
};

TEST_F(PutOffWalks, AreNotBegunAgainInEachRun) {
  limitWalks(D, T, monotonicNs());
  EXPECT_FALSE(call());
  EXPECT_GT(RowsWalked, 0U);
  runAgain();
  EXPECT_THAT(D.Seen.NsPerRow, ElementsAre(AllOf(Gt(1900), Lt(20'000))));
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 0U) << "they would take twice as long as the run";
  runAgain();
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 0U) << "where nobody looked, what was known before is";
}

TEST_F(PutOffWalks, BeginWhenThereAreFewerRows) {
  limitWalks(D, T, monotonicNs());
  EXPECT_FALSE(call());
  setRows(3000);
  runAgain();
  EXPECT_TRUE(call());
  EXPECT_EQ(RowsWalked, 3000U);
  runAgain();
  EXPECT_THAT(D.Seen.NsPerRow, ElementsAre(0));
}

TEST(LossesTest, ARegionIsSmallByWhatAnyRunHasSeen) {
  RegionState State{};
  RegionDetail D(State, PutOffWalks::Region());
  Task Try{.Doing = {.Plan = {}, .What = TryCandidates{}}};
  EXPECT_TRUE(isSmall(D, Try));
  EXPECT_FALSE(isSmall(D, {.Doing = {.Plan = {}, .What = PublishProven{}}}))
      << "it is known to gain";
  D.Seen.Runs = 4;
  D.Seen.SpentNs = 70e6;
  EXPECT_TRUE(isSmall(D, Try)) << "17 ms in each run";
  D.Seen.SpentNs = 90e6;
  EXPECT_FALSE(isSmall(D, Try));
  D.Seen.SpentNs = 0;
  State.TotalTicks = static_cast<uint64_t>(21e6 / nsPerTick());
  EXPECT_FALSE(isSmall(D, Try));
  State.TotalTicks = 0;
  EXPECT_TRUE(isSmall(D, Try));
  Try.Settings.HotMs = 0;
  EXPECT_FALSE(isSmall(D, Try)) << "everything as early as possible";
}

} // namespace
} // namespace specrt
