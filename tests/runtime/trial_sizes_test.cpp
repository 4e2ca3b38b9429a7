//===- tests/runtime/trial_sizes_test.cpp - trials of calls of different sizes ===//
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

TEST(TrialSizesTest, WhoCannotAffordLargeCallsYetIsNotJudgedBySmallOnes) {
  const CountedRegion R;
  specrt_rows_site Site{};
  auto T = std::make_unique<Trial>();
  for (int I = 0; I < 2; ++I)
    T->Candidates.push_back(std::make_unique<Candidate>());
  T->Candidates[1]->Rows = &Site;
  T->Described = &R;
  planSamples(*T, 1e-4, /*Varying=*/true);
  bool Done = false;
  for (int Call = 0; !Done && Call < 1000; ++Call) {
    const uint64_t N = Call % 5 ? 1000 : 100000;
    T->Candidates[1]->NotBefore = 0; // it may look again
    const Turn Now = chooseCandidate(*T, R, &N);
    if (Now.Candidate < 0)
      continue;
    const bool IsLarge = N > 1000, PutOff = Now.Candidate == 1 && IsLarge && Call < 400;
    const auto Ticks = static_cast<uint64_t>(double(N) * (!Now.Candidate ? 1
                                                          : IsLarge      ? 0.5
                                                                         : 1.5));
    Done = addTrialSample(*T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                          {.Ticks = scaledTicks(*T, &N, Ticks), .PutOff = PutOff});
    ASSERT_TRUE(!Done || Call >= 400);
  }
  ASSERT_TRUE(Done);
  EXPECT_EQ(judge(*T).Winner, 1);
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
    const Comparison C = compare(*T, 1);
    EXPECT_NEAR(C.Candidate / C.Baseline, Speed, 0.01);
    EXPECT_EQ(judge(*T).Winner, Speed < 1 ? 1 : -1);
  }
}

} // namespace
} // namespace specrt
