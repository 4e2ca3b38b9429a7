//===- tests/specializer/candidates_test.cpp - the table of candidates ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/strategies/selection.h"
#include "specializer/strategies/table/candidates.h"
#include "gmock/gmock.h"
#include <set>

using namespace specrt;

namespace {

std::string trials(double Seconds, unsigned Threads) {
  return joinNames(orderOfTrials(Seconds, Threads));
}

std::string takeover(double Seconds, unsigned Threads) {
  return joinNames(orderOfTakeover(Seconds, Threads));
}

TEST(Candidates, LongCallsBeginWithThreadsAndTiles) {
  EXPECT_EQ(
      trials(1, 1),
      "zeros,contraction,time-tiled,rows,rows-unrolled,vector,pipeline,isl-schedule,source-order,"
      "constants");
  EXPECT_EQ(
      trials(1e-4, 2),
      "zeros-parallel,zeros,contraction-parallel,time-tiled-parallel,vector-parallel,"
      "pipeline-parallel,rows-parallel,source-order-parallel,isl-schedule-parallel,contraction,"
      "time-tiled,rows,rows-unrolled,vector,pipeline,isl-schedule,source-order,constants");
}

TEST(Candidates, ShortCallsBeginWithTheLeastOverhead) {
  EXPECT_EQ(trials(0.9e-4, 8),
            "zeros,constants,contraction,rows,rows-unrolled,vector,isl-schedule,source-order");
}

TEST(Candidates, WhatTakesOverHardlyEverLoses) {
  EXPECT_EQ(takeover(100, 1), "zeros,contraction,time-tiled,vector");
  EXPECT_EQ(takeover(4.9, 2),
            "zeros,contraction,time-tiled,vector-parallel,vector,source-order-parallel");
  EXPECT_EQ(takeover(5, 2),
            "zeros,contraction-parallel,contraction,time-tiled-parallel,vector-parallel,vector,"
            "source-order-parallel");
}

TEST(Candidates, ThreadsPayInLongCalls) {
  EXPECT_TRUE(mayThreadsPay(0)) << "unknown";
  EXPECT_FALSE(mayThreadsPay(0.9e-4));
  EXPECT_TRUE(mayThreadsPay(1e-4));
  EXPECT_FALSE(areThreadsSureToPay(0, 2)) << "unknown";
  EXPECT_FALSE(areThreadsSureToPay(1.9e-3, 2));
  EXPECT_TRUE(areThreadsSureToPay(2e-3, 2));
}

TEST(Candidates, NamesAndPlacesAreUnique) {
  std::set<std::string_view> Names;
  for (const CandidateKind &Kind : candidateKinds()) {
    EXPECT_TRUE(Names.insert(Kind.Name).second) << Kind.Name;
    EXPECT_EQ(findCandidate(Kind.Name), &Kind);
  }
  EXPECT_EQ(findCandidate("original"), nullptr);
  for (Place CandidateKind::*Order : {&CandidateKind::InShortCalls, &CandidateKind::InLongCalls,
                                      &CandidateKind::InShortRests, &CandidateKind::InLongRests}) {
    std::set<Place> Places;
    for (const CandidateKind &Kind : candidateKinds())
      EXPECT_TRUE(Kind.*Order == Nowhere || Places.insert(Kind.*Order).second) << Kind.Name;
  }
}

/// What is left to try when \p Built exists, in calls of \p Seconds on two threads.
std::string wantedBeside(std::string_view Built, double Seconds) {
  StrategySelection Chosen(Seconds, 2);
  Chosen.addBuilt(*findCandidate(Built));
  std::vector<const CandidateKind *> Left;
  for (const CandidateKind &Kind : candidateKinds())
    if (Chosen.isWanted(Kind))
      Left.push_back(&Kind);
  return joinNames(Left);
}

TEST(Selection, NothingIsTriedThatCannotWin) {
  EXPECT_EQ(wantedBeside("contraction", 1), "pipeline,contraction-parallel,pipeline-parallel");
  EXPECT_EQ(wantedBeside("contraction-parallel", 1e-3), "contraction,pipeline,pipeline-parallel");
  EXPECT_EQ(wantedBeside("contraction-parallel", 1), "pipeline,pipeline-parallel");
  EXPECT_EQ(wantedBeside("time-tiled", 1e-3),
            "constants,contraction,source-order,contraction-parallel,time-tiled-parallel,"
            "source-order-parallel");
  EXPECT_EQ(wantedBeside("vector", 1e-5), "constants,contraction,time-tiled,pipeline,isl-schedule");
  EXPECT_EQ(wantedBeside("vector-parallel", 1),
            "constants,contraction,time-tiled,pipeline,isl-schedule,contraction-parallel,"
            "time-tiled-parallel,pipeline-parallel,isl-schedule-parallel");
  EXPECT_EQ(wantedBeside("isl-schedule", 1e-5),
            "constants,contraction,time-tiled,pipeline,vector,source-order");
}

TEST(Selection, UnknownSizesAndOneThreadLeaveLess) {
  auto Possible = [](unsigned Threads, unsigned UnknownSizes) {
    StrategySelection Chosen(0, Threads);
    Chosen.addHopeless(StrategyId::OuterVectors);
    std::vector<const CandidateKind *> Left;
    for (const CandidateKind &Kind : candidateKinds())
      if (Chosen.isPossible(Kind, UnknownSizes))
        Left.push_back(&Kind);
    return joinNames(Left);
  };
  EXPECT_EQ(Possible(1, 0), "constants,contraction,time-tiled,pipeline,isl-schedule,source-order");
  EXPECT_EQ(Possible(1, 1), "constants,time-tiled,source-order");
  EXPECT_EQ(Possible(2, 2), "constants,source-order,source-order-parallel");
}

} // namespace
