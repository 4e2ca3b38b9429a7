//===- tests/runtime/capture/replay_decision_test.cpp - what follows from replays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/replays/replay_decision.h"
#include "gtest/gtest.h"

using namespace specrt;
using Outcome = StoredDecision::Outcome;

namespace {

std::optional<StoredDecision> decided(double CallNs, std::vector<StoredReplay> Candidates) {
  return decisionFrom({.CallNs = CallNs, .Candidates = std::move(Candidates)}, SpeculationPlan(),
                      /*Now=*/1);
}

} // namespace

TEST(ReplayDecision, TheFastestWins) {
  const auto Made = decided(110, {{"constants", 100}, {"vector", 60}, {"contraction", 20}});
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Result, Outcome::Won);
  EXPECT_EQ(Made->Candidate, "contraction");
  EXPECT_EQ(Made->OriginalNs, 110);
  // A call of the program takes longer by what its first use of memory takes.
  EXPECT_DOUBLE_EQ(Made->CandidateNs, 22);
  EXPECT_FALSE(Made->Trials.isOpen()) << "no run tries the others again";
  EXPECT_TRUE(Made->Trials.knows("vector"));
}

TEST(ReplayDecision, TheFirstUseOfMemoryIsNoGain) {
  // The program's call was cold. Nothing is faster than what stands for the original.
  const auto Made = decided(120, {{"constants", 100}, {"vector", 99}});
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Result, Outcome::Retired);
  EXPECT_FALSE(Made->Trials.isOpen());
}

TEST(ReplayDecision, ConstantsAloneMayBeAGain) {
  const auto Made = decided(100, {{"constants", 40}});
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Result, Outcome::Won);
  EXPECT_EQ(Made->Candidate, "constants");
}

TEST(ReplayDecision, WithoutConstantsTheCallMustBeBeatenByFar) {
  EXPECT_EQ(decided(100, {{"contraction", 79}})->Result, Outcome::Retired);
  EXPECT_EQ(decided(100, {{"contraction", 70}})->Result, Outcome::Won);
}

TEST(ReplayDecision, ARefusedCandidateIsNoCandidate) {
  const auto Made = decided(100, {{"constants", 100}, {"vector", 10, "gives other results"}});
  ASSERT_TRUE(Made);
  EXPECT_EQ(Made->Result, Outcome::Retired);
  EXPECT_FALSE(Made->Trials.knows("vector"));
}

/// While the program runs on one of two processors, no parallel candidate can be timed.
TEST(ReplayDecision, ACandidateThatWasNotTimedMayPay) {
  EXPECT_FALSE(decided(100, {{"constants", 100}, {"source-order-parallel", 0}}));
  const auto Made =
      decided(100, {{"constants", 100}, {"vector", 50}, {"source-order-parallel", 0}});
  ASSERT_TRUE(Made) << "another candidate pays";
  EXPECT_EQ(Made->Candidate, "vector");
  EXPECT_TRUE(Made->Trials.isOpen());
}

TEST(ReplayDecision, WithoutTimesNothingIsDecided) {
  EXPECT_FALSE(decided(100, {}));
  EXPECT_FALSE(decided(100, {{"constants", 0}}));
  EXPECT_FALSE(decisionFrom({.CallNs = 100, .Problem = "no", .Candidates = {{"constants", 10}}},
                            SpeculationPlan(), /*Now=*/1));
}
