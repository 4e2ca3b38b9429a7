//===- tests/runtime/window_plan_test.cpp - which iterations are recorded ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/window_plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace specrt;

namespace {

constexpr RecordingCost Limit = {.Words = 1'000'000, .Ticks = 1'000'000};
constexpr uint64_t FewTicks = 5'000;

/// Which iterations of a loop are recorded, with the same cost each.
std::vector<bool> recorded(uint64_t Iterations, const RecordingCost &Each, bool IsKnown) {
  std::vector<bool> Result(Iterations, false);
  WindowPlan Plan;
  RecordingCost Spent;
  const uint64_t Trips = IsKnown ? Iterations : UINT64_MAX;
  for (uint64_t At = 0; At < Iterations;) {
    const WindowPlan::Answer Answer = Plan.next(At, Trips, Spent, Limit, FewTicks);
    EXPECT_GT(Answer.Until, At);
    const uint64_t End = std::min(Answer.Until, Iterations);
    for (uint64_t I = At; I < End && Answer.Records; ++I) {
      Result[I] = true;
      Spent.Words += Each.Words;
      Spent.Ticks += Each.Ticks;
    }
    At = End;
  }
  return Result;
}

uint64_t count(const std::vector<bool> &Which) {
  return static_cast<uint64_t>(std::count(Which.begin(), Which.end(), true));
}

TEST(WindowPlan, AllOfALoopThatIsAffordable) {
  for (uint64_t Iterations : {1u, 2u, 3u, 16u, 1000u})
    EXPECT_EQ(count(recorded(Iterations, {.Words = 10, .Ticks = 20}, true)), Iterations);
}

TEST(WindowPlan, ATenthOfALongLoopWithBothEnds) {
  constexpr uint64_t N = 1'000'000;
  const auto Which = recorded(N, {.Words = 5, .Ticks = 10}, true);
  EXPECT_LE(count(Which), N / 10);
  EXPECT_GE(count(Which), N / 50);
  EXPECT_TRUE(Which.front());
  EXPECT_TRUE(Which.back());
  EXPECT_TRUE(Which[N / 2]);
  EXPECT_FALSE(Which[N / 3]);
}

TEST(WindowPlan, IterationsThatCostMuchAreFew) {
  const auto Which = recorded(100, {.Words = 1000, .Ticks = 100'000}, true);
  EXPECT_LE(count(Which), 10u);
  EXPECT_TRUE(Which.front());
  EXPECT_TRUE(Which.back());
}

TEST(WindowPlan, OneThatTakesAllEndsIt) {
  EXPECT_EQ(count(recorded(100, {.Words = 1000, .Ticks = 2'000'000}, true)), 1u);
}

TEST(WindowPlan, LoopsWithoutAKnownEndAreLookedAtMoreAndMoreSeldom) {
  constexpr uint64_t N = 1'000'000;
  const auto Which = recorded(N, {.Words = 5, .Ticks = 10}, false);
  EXPECT_TRUE(Which.front());
  EXPECT_LE(count(Which), N / 10);
  EXPECT_GT(std::count(Which.begin() + N / 2, Which.end(), true), 0);
}

} // namespace
