//===- tests/runtime/trials/trial_sizes_test.cpp - trials of calls of different sizes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/verdict.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

const uint8_t Kinds[] = {SPECRT_KIND_I64};

/// Calls do as many iterations as their argument says.
struct CountedRegion : specrt_region {
  CountedRegion() : specrt_region{} {
    num_args = 1;
    arg_kinds = Kinds;
    Loop.trip_count.num_terms = 1;
    Loop.trip_count.terms[0] = {.coefficient = 1, .num_factors = 1, .factors = {0}};
    num_loops = 1;
    loops = &Loop;
  }
  specrt_loop Loop{.line = 1, .depth = 1, .trip_count = {}};
};

/// A candidate that looks at rows and then takes half the time in large calls. \p SizeOf: of each
/// call. \p IsDeferred: large calls before that one cannot be afforded. Returns how many calls the
/// trial took.
template <typename Sizes> int playWithRows(Sizes SizeOf, double SmallShare, int IsDeferred) {
  const CountedRegion R;
  specrt_sparse_loop SparseLoop{};
  auto T = std::make_unique<Trial>();
  for (int I = 0; I < 2; ++I)
    T->Candidates.push_back(std::make_unique<Candidate>());
  T->Candidates[1]->Rows = &SparseLoop;
  T->Described = &R;
  planSamples(*T, 1e-4, /*Varying=*/true);
  for (int Call = 0; Call < 100000; ++Call) {
    const uint64_t N = SizeOf(Call);
    T->Candidates[1]->NotBefore = 0; // it may look again
    const Turn Now = chooseCandidate(*T, R, &N);
    if (Now.Candidate < 0)
      continue;
    const double Share = Now.Candidate == 0 ? 1 : N >= 10000 ? 0.5 : SmallShare;
    const auto Ticks = static_cast<uint64_t>(static_cast<double>(N) * Share);
    if (addTrialSample(*T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                       {.Ticks = scaledTicks(*T, &N, Ticks),
                        .IsDeferred = Now.Candidate == 1 && N >= 10000 && Call < IsDeferred})) {
      EXPECT_EQ(judge(*T).Winner, 1);
      return Call;
    }
  }
  return -1;
}

TEST(TrialSizesTest, WhoCannotAffordLargeCallsYetIsNotJudgedBySmallOnes) {
  const int Calls = playWithRows([](int Call) { return Call % 5 ? 1000 : 100000; }, 1.5, 400);
  EXPECT_GE(Calls, 400);
  EXPECT_LT(Calls, 800);
}

TEST(TrialSizesTest, EndWhereEachCycleHasManySizes) {
  constexpr uint64_t Cycle[] = {64000, 32000, 16000, 8000, 4000,  2000,
                                1000,  2000,  4000,  8000, 16000, 32000};
  const int Calls = playWithRows([&](int Call) { return Cycle[Call % 12]; }, 0.5, 0);
  EXPECT_GE(Calls, 10);
  EXPECT_LT(Calls, 300);
}

TEST(TrialSizesTest, EndWhereLargeCallsAreRareOrComeNoMore) {
  const int Rare =
      playWithRows([](int Call) { return Call >= 35 && Call % 10 == 0 ? 100000 : 1000; }, 0.5, 35);
  EXPECT_GE(Rare, 10);
  EXPECT_LT(Rare, 500);
  const int NoMore = playWithRows([](int Call) { return Call < 20 ? 100000 : 1000; }, 0.5, 30);
  EXPECT_GE(NoMore, 10);
  EXPECT_LT(NoMore, 20000) << "by what there is, at last";
}

TEST(TrialSizesTest, CallsOfDifferentSizesAreComparedByClass) {
  // A plan without constants, on levels of a multigrid cycle. Whoever ran more of the small calls
  // would seem faster.
  const CountedRegion R;
  for (double Speed : {1.0, 0.5}) {
    auto T = std::make_unique<Trial>();
    for (int I = 0; I < 2; ++I)
      T->Candidates.push_back(std::make_unique<Candidate>());
    T->Described = &R;
    planSamples(*T, 1e-4, /*Varying=*/true);
    bool Done = false;
    for (int Call = 0; !Done && Call < 1000; ++Call) {
      const uint64_t Sizes[] = {1000, 100000, 1000, 1100, 90000};
      const uint64_t N = Sizes[Call % 5];
      const Turn Now = chooseCandidate(*T, R, &N);
      ASSERT_GE(Now.Candidate, 0);
      const double PerIteration = N > 10000 ? 0.7 : 1.1;
      auto Ticks = static_cast<uint64_t>(PerIteration * double(N) * (Now.Candidate ? Speed : 1));
      Done = addTrialSample(*T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                            {.Ticks = scaledTicks(*T, &N, Ticks)});
    }
    ASSERT_TRUE(Done);
    EXPECT_NEAR(compare(*T, 1).ratio(), Speed, 0.01);
    EXPECT_EQ(judge(*T).Winner, Speed < 1 ? 1 : -1);
  }
}

TEST(TrialSizesTest, WhereAllCallsAreColdTheyAreNotRejectedForEachCandidate) {
  // The memory of each call is new to the program, which three calls show.
  const CountedRegion R;
  Trial T;
  for (int I = 0; I < 9; ++I)
    T.Candidates.push_back(std::make_unique<Candidate>());
  planSamples(T, 7e-3, /*Varying=*/true);
  const uint64_t N = 5;
  int Calls = 0;
  for (bool Done = false; !Done; ++Calls) {
    ASSERT_LT(Calls, 30);
    const Turn Now = chooseCandidate(T, R, &N);
    ASSERT_GE(Now.Candidate, 0);
    const uint64_t Ticks = Now.Candidate == 0 ? 700 : Now.Candidate == 3 ? 600 : 1400;
    Done = addTrialSample(T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                          {.Ticks = Ticks, .Cold = true});
  }
  EXPECT_EQ(judge(T).Winner, 3);
}

} // namespace
} // namespace specrt
