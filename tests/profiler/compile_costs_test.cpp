//===- tests/profiler/compile_costs_test.cpp - what compiling may cost a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/compile_costs.h"
#include "tests/profiler/test_store.h"

#include <gmock/gmock.h>

using namespace specrt;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr double Second = 1e9;

TEST(CompileCosts, AFirstRunMayTakeWhatItLasted) {
  EXPECT_DOUBLE_EQ(CompileCosts().affordableNs(0), CompileCosts::LeastNs);
  EXPECT_DOUBLE_EQ(CompileCosts().affordableNs(2 * Second), 2.04 * Second);
  EXPECT_DOUBLE_EQ(CompileCosts().affordableNs(100 * Second), CompileCosts::MostNs + 2 * Second);
}

TEST(CompileCosts, LaterRunsShareIt) {
  const CompileCosts Spent{.Runs = 10, .RanNs = 20 * Second, .TakenNs = 2.4 * Second};
  EXPECT_DOUBLE_EQ(Spent.affordableNs(0), 0);
  EXPECT_DOUBLE_EQ(Spent.affordableNs(0.5 * Second), 0.01 * Second) << "a fiftieth of each";
}

TEST(CompileCosts, WhatVersionsGainPaysForOthers) {
  const CompileCosts Spent{
      .Runs = 10, .RanNs = 20 * Second, .TakenNs = 2.4 * Second, .GainedNs = 3 * Second};
  EXPECT_DOUBLE_EQ(Spent.affordableNs(0), 1.5 * Second);
}

using CompileCostsStore = ProfileStoreTest;

TEST_F(CompileCostsStore, AreSummedOverRuns) {
  EXPECT_EQ(open()->costs(), CompileCosts());
  ASSERT_TRUE(open()->save({}, {.Runs = 1, .RanNs = 8, .TakenNs = 4, .GainedNs = 2}));
  auto Store = open();
  EXPECT_EQ(Store->costs(), (CompileCosts{.Runs = 1, .RanNs = 8, .TakenNs = 4, .GainedNs = 2}));
  // While this process has the file in memory as it is, and after another one has changed it.
  ASSERT_TRUE(Store->save({}, {.Runs = 1, .RanNs = 16}));
  ASSERT_TRUE(Store->save({}, {.TakenNs = 0.5}));
  EXPECT_EQ(open()->costs(), (CompileCosts{.Runs = 2, .RanNs = 24, .TakenNs = 4.5, .GainedNs = 2}));
  EXPECT_THAT(Messages, ElementsAre());
}

TEST_F(CompileCostsStore, AreNeededToUnderstandTheRest) {
  ASSERT_TRUE(open()->save({}, {.Runs = 1}));
  std::string Text = text();
  const size_t At = Text.find("\"runs\":1");
  ASSERT_NE(At, std::string::npos);
  write(Text.replace(At, 8, "\"runs\":[]"));
  EXPECT_EQ(open()->costs(), CompileCosts());
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("is damaged (in what compiling has cost)")));
  EXPECT_TRUE(setAside());
}

TEST_F(CompileCostsStore, AreNoDebtsOfOthers) {
  for (const char *Wrong : {"-1.0", "1e300"}) {
    Messages.clear();
    ASSERT_TRUE(open(false)->save({}, {.TakenNs = 2}));
    std::string Text = text();
    const size_t At = Text.find("\"taken_ns\":2.0");
    ASSERT_NE(At, std::string::npos) << Text;
    write(Text.replace(At, 14, std::string("\"taken_ns\":") + Wrong));
    EXPECT_EQ(open()->costs(), CompileCosts());
    EXPECT_EQ(Messages.size(), 1U);
  }
}

} // namespace
