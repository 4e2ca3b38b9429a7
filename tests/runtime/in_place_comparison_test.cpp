//===- tests/runtime/in_place_comparison_test.cpp - versions against originals, in place ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/in_place_comparison.h"

#include <functional>
#include <gtest/gtest.h>

namespace specrt {
namespace {

using Verdict = InPlaceComparison::Verdict;

/// A program whose calls come after what WithVersions or AsWritten say, in microseconds; a tick is
/// a nanosecond.
struct Program {
  std::function<double(uint64_t Call)> WithVersions, AsWritten;
  std::function<bool(uint64_t Call)> IsCompiling = [](uint64_t) { return false; };
  uint64_t Now = 1'000'000'000, Calls = 0;

  /// True when the comparison ended within MaxCalls.
  bool play(InPlaceComparison &P, uint64_t MaxCalls = 1'000'000) {
    for (; Calls < MaxCalls; ++Calls) {
      if (P.addCall(Now, IsCompiling(Calls), /*TrialRuns=*/0))
        return true;
      Now += static_cast<uint64_t>(1e3 * (P.runsAsWritten() ? AsWritten : WithVersions)(Calls));
    }
    return false;
  }
};

std::function<double(uint64_t)> always(double Us) {
  return [Us](uint64_t) { return Us; };
}

TEST(InPlaceComparison, AFasterProgramIsKnownSoon) {
  InPlaceComparison P(1);
  Program Some{always(300), always(450)};
  const uint64_t Begin = Some.Now;
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Faster);
  EXPECT_NEAR(P.gain(), 1.5, 0.01);
  EXPECT_FALSE(P.runsAsWritten());
  EXPECT_LT(Some.Now - Begin, 200'000'000u);
}

TEST(InPlaceComparison, ASlowerProgramIs) {
  InPlaceComparison P(1);
  Program Some{always(600), always(450)};
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Slower);
  EXPECT_NEAR(P.gain(), 0.75, 0.01);
}

TEST(InPlaceComparison, WhatIsAlikeIsNotSlower) {
  InPlaceComparison P(1);
  Program Some{always(452), always(450)};
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Alike);
}

TEST(InPlaceComparison, OfCallsThatAreTooShortToTimeStridesAreCompared) {
  // A call takes 19 ns with the version and 20 without, and passing the thunk by takes 10. Each
  // stride's last call is added.
  constexpr uint32_t Stride = 1024;
  InPlaceComparison P(1, Stride);
  uint64_t Now = 1'000'000'000, Strides = 0;
  while (!P.addCall(Now, /*IsCompiling=*/false, /*TrialRuns=*/0, P.stride()) && Strides < 100'000) {
    Now += Stride * (P.runsAsWritten() ? 30 : 19);
    ++Strides;
  }
  ASSERT_TRUE(P.isOver());
  EXPECT_EQ(P.verdict(), Verdict::Faster);
  EXPECT_NEAR(P.gain(), 20.0 / 19, 0.001);
  EXPECT_NEAR(P.savedNs(), 1, 0.01) << "per call, not per stride";
}

TEST(InPlaceComparison, OneDisturbedPeriodIsNoSaving) {
  InPlaceComparison P(1);
  // Another program takes the processor in one block of the original.
  uint64_t Written = 0;
  Program Some{always(300), [&](uint64_t) { return ++Written < 32 ? 4500.0 : 450.0; }};
  ASSERT_TRUE(Some.play(P));
  ASSERT_EQ(P.verdict(), Verdict::Faster);
  EXPECT_NEAR(P.savedNs(), 150e3, 1e3);
}

TEST(InPlaceComparison, WhatIsAlikeSavesNothing) {
  InPlaceComparison P(1);
  EXPECT_EQ(P.savedNs(), 0) << "not known yet";
  Program Some{always(445), always(450)};
  ASSERT_TRUE(Some.play(P));
  ASSERT_EQ(P.verdict(), Verdict::Alike);
  EXPECT_EQ(P.savedNs(), 0);
}

TEST(InPlaceComparison, ADriftFavoursNobody) {
  InPlaceComparison P(1);
  // Calls become longer and longer.
  auto Growing = [](uint64_t Call) { return 400 + 0.5 * static_cast<double>(Call); };
  Program Some{Growing, Growing};
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Alike);
  EXPECT_NEAR(P.gain(), 1, 0.02);
}

TEST(InPlaceComparison, OneDisturbanceDecidesNothing) {
  InPlaceComparison P(1);
  Program Some{[](uint64_t Call) { return Call == 100 ? 30'000.0 : 450.0; }, always(450)};
  ASSERT_TRUE(Some.play(P));
  EXPECT_NE(P.verdict(), Verdict::Slower);
}

TEST(InPlaceComparison, EffectsThatComeLateAreSeen) {
  InPlaceComparison P(1);
  // The version's first calls in a row are faster, what comes after eight of them is not.
  uint64_t InARow = 0;
  Program Some{[&](uint64_t) { return ++InARow < 8 ? 420.0 : 600.0; },
               [&](uint64_t) {
                 InARow = 0;
                 return 450.0;
               }};
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Slower);
}

TEST(InPlaceComparison, WhileSomethingIsCompiledVersionsRun) {
  InPlaceComparison P(1);
  Program Some{always(300), always(450)};
  Some.IsCompiling = [](uint64_t) { return true; };
  EXPECT_FALSE(Some.play(P, 10'000));
  EXPECT_FALSE(P.runsAsWritten());
  EXPECT_FALSE(P.isOver());
  Some.IsCompiling = [](uint64_t) { return false; };
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Faster);
}

TEST(InPlaceComparison, ConstantDisturbanceEndsIt) {
  InPlaceComparison P(1);
  Program Some{always(300), always(450)};
  Some.IsCompiling = [](uint64_t Call) { return Call % 16 == 0; };
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Open);
  EXPECT_EQ(P.gain(), 0);
}

TEST(InPlaceComparison, CallsThatComeSeldomAreNotCompared) {
  InPlaceComparison P(1);
  Program Some{always(20'000), always(20'000)};
  ASSERT_TRUE(Some.play(P));
  EXPECT_EQ(P.verdict(), Verdict::Open);
}

TEST(InPlaceComparison, OneAtATime) {
  InPlaceComparison First(1), Second(1);
  Program Some{always(300), always(450)};
  EXPECT_FALSE(Some.play(First, 100));
  // Between calls of the first, the second has to wait.
  for (uint64_t Call = 0; Call < 1000; ++Call) {
    EXPECT_FALSE(Second.addCall(Some.Now + Call, false, 0));
    EXPECT_FALSE(Second.runsAsWritten());
  }
  ASSERT_TRUE(Some.play(First));
  Program Other{always(300), always(450)};
  Other.Now = Some.Now;
  ASSERT_TRUE(Other.play(Second));
  EXPECT_EQ(Second.verdict(), Verdict::Faster);
}

TEST(InPlaceComparison, WhoDoesNotCallAnyMoreLosesTheTurn) {
  InPlaceComparison First(1), Second(1);
  Program Some{always(300), always(450)};
  EXPECT_FALSE(Some.play(First, 100));
  Program Other{always(300), always(450)};
  Other.Now = Some.Now + 1'000'000'000;
  ASSERT_TRUE(Other.play(Second));
  EXPECT_EQ(Second.verdict(), Verdict::Faster);
  Some.Now = Other.Now;
  ASSERT_TRUE(Some.play(First));
  EXPECT_EQ(First.verdict(), Verdict::Faster);
}

} // namespace
} // namespace specrt
