//===- tests/runtime/evidence_test.cpp - whether one code is faster than another ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/policy/evidence.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace specrt {
namespace {

Spread spread(std::vector<double> Samples) { return spreadOf(Samples); }

TEST(Evidence, ADisturbedSampleDoesNotWidenTheSpread) {
  EXPECT_EQ(spread({}).Median, 0);
  EXPECT_EQ(spread({100}).Low, 95) << "a single sample has an assumed error";
  EXPECT_EQ(spread({100, 104, 102}).Low, 100);
  EXPECT_EQ(spread({100, 104, 102}).Median, 102);
  EXPECT_EQ(spread({100, 104, 102, 103, 9000}).High, 104);
}

TEST(Evidence, AWinIsAheadByMoreThanTheScatter) {
  const Evidence Clear = {.New = spread({80, 81, 82}), .Old = spread({100, 99, 98})};
  EXPECT_TRUE(Clear.isWin());
  EXPECT_FALSE(Clear.isLoss());
  const Evidence Opposite = {.New = Clear.Old, .Old = Clear.New};
  EXPECT_TRUE(Opposite.isLoss());
  EXPECT_FALSE(Opposite.isWin());
  const Evidence Scattered = {.New = spread({80, 90, 100}), .Old = spread({95, 105, 115})};
  EXPECT_TRUE(gains(Scattered.New.Median, Scattered.Old.Median));
  EXPECT_FALSE(Scattered.isWin());
  const Evidence Small = {.New = spread({98, 98, 98}), .Old = spread({100, 100, 100})};
  EXPECT_TRUE(Small.isSurelyFaster());
  EXPECT_FALSE(Small.isWin()) << "times of the same code differ by as much";
}

TEST(Evidence, PairsAreNotAffectedByADrift) {
  PairedTimes Pairs;
  for (double Speed = 1; !Pairs.areAll(); Speed *= 1.5)
    Pairs.add(90 * Speed, 100 * Speed);
  EXPECT_NEAR(Pairs.evidence().ratio(), 0.9, 1e-9);
  EXPECT_TRUE(Pairs.evidence().isWin());
}

TEST(Evidence, AFewPairsMustAgree) {
  PairedTimes Pairs;
  while (Pairs.count() + 1 < PairedTimes::MaxPairs)
    Pairs.add(Pairs.count() == 1 ? 101 : 50, 100);
  EXPECT_FALSE(Pairs.evidence().isWin());
  Pairs.add(50, 100);
  EXPECT_TRUE(Pairs.evidence().isWin()) << "one of many may be disturbed";
}

TEST(Evidence, OnlyTheLatestPairsCount) {
  PairedTimes Pairs;
  for (int I = 0; I < 100; ++I)
    Pairs.add(50, 100);
  EXPECT_TRUE(Pairs.evidence().isWin());
  for (uint32_t I = 0; I < PairedTimes::MaxPairs; ++I)
    Pairs.add(200, 100);
  EXPECT_TRUE(Pairs.evidence().isLoss());
}

/// Times of the same code seldom look like a win, even if a third of them is disturbed.
TEST(Evidence, SameCodeSeldomWins) {
  std::mt19937_64 Random(1);
  std::normal_distribution<double> Noise(100, 3);
  const auto sample = [&] { return Noise(Random) * (Random() % 3 ? 1 : 1.5); };
  int Wins = 0;
  for (int Trial = 0; Trial < 1000; ++Trial) {
    std::vector<double> New(9), Old(9);
    std::generate(New.begin(), New.end(), sample);
    std::generate(Old.begin(), Old.end(), sample);
    Wins += Evidence{.New = spreadOf(New), .Old = spreadOf(Old)}.isWin();
  }
  EXPECT_LT(Wins, 50);
}

} // namespace
} // namespace specrt
