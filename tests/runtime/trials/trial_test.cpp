//===- tests/runtime/trials/trial_test.cpp - who wins, and from how many samples ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/disjoint.h"
#include "guards/guards.h"
#include "runtime/base/clock.h"
#include "tests/runtime/trials/played_trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>

namespace specrt {
namespace {

using testing::HasSubstr;

TEST(TrialTest, ALongCallNeedsOneSampleEach) {
  auto T = makeTrial(2, 0.01);
  EXPECT_EQ(play(*T, {100, 90, 80}), 3);
  EXPECT_EQ(judge(*T).Winner, 2);
}

TEST(TrialTest, NobodyLosesAgainstATimeThatWasNotMeasured) {
  // Recalled: 70. What the original really needs decides; it runs only when it would win.
  for (auto [Original, Candidate, Calls, Winner] :
       {std::tuple{500u, 80u, 2, 1}, {60u, 80u, 2, -1}, {500u, 50u, 1, 1}}) {
    auto T = makeTrial(1, 0.01);
    T->recallBaseline(70, /*Cold=*/false);
    EXPECT_EQ(play(*T, {Original, Candidate}), Calls);
    EXPECT_EQ(judge(*T).Winner, Winner);
  }
}

TEST(TrialTest, CallsThatAreShorterThanExpectedAreMeasuredMoreOften) {
  // The profile was taken on a busy machine, and so was the first run of the faster candidate.
  auto T = makeTrial(2, 0.01);
  T->SecondsPerTick = 1e-9;
  specrt_region R = region();
  uint64_t Packed = 5;
  int RunsOfFaster = 0, Calls = 0;
  for (bool Done = false; !Done && Calls < 1000; ++Calls) {
    int I = choose(*T, R, &Packed);
    ASSERT_GE(I, 0);
    uint64_t Ticks = I == 0 ? 700'000 : I == 1 ? 500'000 : 200'000;
    if (I == 2 && ++RunsOfFaster == 1)
      Ticks = 6'000'000;
    Done = addSample(*T, I, Ticks);
  }
  EXPECT_EQ(judge(*T).Winner, 2);
  EXPECT_EQ(RunsOfFaster, 7) << "with three, one of which took long, nothing is sure";
  EXPECT_LE(Calls, 17);
}

TEST(TrialTest, ALongCallIsNotRepeatedBecauseAnotherIsShort) {
  auto T = makeTrial(2, 0.2);
  T->SecondsPerTick = 1e-9;
  EXPECT_GT(play(*T, {200'000'000, 150'000'000, 100'000'000}), 0);
  EXPECT_EQ(T->Candidates[0]->NumRuns, 1u);
  T = makeTrial(2, 0.2);
  T->SecondsPerTick = 1e-9;
  T->SecondsPerCall = 0; // no gain is enough
  EXPECT_GT(play(*T, {200'000'000, 150'000'000, 1'000'000}), 0);
  EXPECT_EQ(T->Candidates[0]->NumRuns, 1u);
  EXPECT_LE(T->Candidates[1]->NumRuns, 2u);
  EXPECT_EQ(T->Candidates[2]->NumRuns, 3u);
  EXPECT_EQ(judge(*T).Winner, 2);
}

TEST(TrialTest, ALargeGainEndsATrialOfLongCalls) {
  auto T = makeTrial(3, 0.1);
  EXPECT_EQ(play(*T, {900, 200, 100, 100}), 2);
  EXPECT_EQ(judge(*T).Winner, 1);
  specrt_region R = region();
  uint64_t Packed = 5, Other = 6;
  int Code = 0;
  T->Candidates[1]->Body = &Code;
  EXPECT_EQ(leadingBody(*T, R, &Packed), &Code);
  EXPECT_EQ(leadingBody(*T, R, &Other), nullptr);
}

TEST(TrialTest, ACandidateFarBehindGetsNoMoreTurns) {
  auto T = makeTrial(2, 1e-7);
  EXPECT_GT(play(*T, {100, 500, 90}), 0);
  EXPECT_EQ(judge(*T).Winner, 2);
  EXPECT_EQ(T->Candidates[1]->NumRuns, T->TurnLength);
  EXPECT_GE(T->Candidates[2]->NumRuns, 9u);
  // Where sizes vary, calls of one class are compared.
  T = makeTrial(2, 1e-7, /*Varying=*/true);
  EXPECT_GT(play(*T, {100, 500, 90}), 0);
  EXPECT_LE(T->Candidates[1]->NumRuns, 4u);
}

TEST(TrialTest, ALosingTrialHasNoLeader) {
  auto T = makeTrial(1, 0.01);
  play(*T, {100, 110});
  specrt_region R = region();
  uint64_t Packed = 5;
  EXPECT_EQ(leadingBody(*T, R, &Packed), nullptr);
}

TEST(TrialTest, TheFirstRunOfATurnOfShortCallsDoesNotCount) {
  // Whoever comes after another candidate finds cold caches.
  auto T = makeTrial(1, 1e-4);
  specrt_region R = region();
  uint64_t Packed = 5;
  for (int Previous = -1, Calls = 0; Calls < 1000; ++Calls) {
    int I = choose(*T, R, &Packed);
    uint64_t Ticks = (I == 0 ? 100 : 50) * (I == std::exchange(Previous, I) ? 1 : 1000);
    if (addSample(*T, I, Ticks))
      break;
  }
  ASSERT_TRUE(T->Done);
  for (uint32_t I = 0; I < 2; ++I)
    for (uint32_t S = 0; S < T->Candidates[I]->NumSamples; ++S)
      EXPECT_EQ(T->Candidates[I]->Ticks[S], I == 0 ? 100u : 50u);
}

TEST(TrialTest, AWinHasToBeVisible) {
  auto T = makeTrial(1, 0.01);
  play(*T, {1000000, 980000});
  Verdict V = judge(*T);
  EXPECT_EQ(V.Winner, -1);
  EXPECT_EQ(V.Best, 1);
  EXPECT_THAT(explain(V, *T, region()), HasSubstr("does not pay: original"));
  T = makeTrial(1, 0.01);
  play(*T, {1000000, 960000});
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(TrialTest, OneOutlierDecidesNothing) {
  auto T = makeTrial(1, 1e-3);
  specrt_region R = region();
  uint64_t Packed = 5;
  int Run = 0;
  while (true) {
    int I = choose(*T, R, &Packed);
    uint64_t Ticks = I == 0 ? 100000 : (++Run == 2 ? 5000000 : 50000);
    if (addSample(*T, I, Ticks))
      break;
  }
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(TrialTest, CallsOutsideThePlanAreMisses) {
  auto T = makeTrial(2, 0.01);
  specrt_region R = region();
  uint64_t Other = 6;
  uint32_t Misses = 0;
  do {
    EXPECT_EQ(choose(*T, R, &Other), -1);
    ++Misses;
  } while (!addTrialMiss(*T));
  EXPECT_EQ(Misses, T->MaxMisses);
  EXPECT_EQ(judge(*T).Winner, -1);
  EXPECT_THAT(explain(judge(*T), *T, R), HasSubstr("no call met the guards"));
}

/// A trial of long calls gives up after few misses if all calls so far met the plan, and after more
/// if the plan is expected to be met by one call in ten. An unknown share counts as the latter.
TEST(TrialTest, MissesAreExpectedByTheShareOfThePlan) {
  const auto MissesOf = [](double Share) {
    auto T = makeTrial(1, 0.02);
    planSamples(*T, 0.02, /*Varying=*/false, Share);
    return T->MaxMisses;
  };
  EXPECT_GE(MissesOf(1), 4U);
  EXPECT_LE(MissesOf(1), 20U); // of 20 ms each
  EXPECT_GE(MissesOf(0.1), 40U);
  EXPECT_EQ(MissesOf(0), MissesOf(0.1));
}

/// The turn of a candidate is several calls in a row, of which the first does not count.
TEST(TrialTest, CallsOfOtherSizesAreNoTurns) {
  auto T = makeTrial(2, 1e-4);
  specrt_region R = region();
  const uint64_t Of = 5, Other = 6;
  bool Done = false;
  for (int Call = 0; Call < 200 && !Done; ++Call) {
    for (int I = 0; I < 6; ++I) {
      EXPECT_EQ(choose(*T, R, &Other), -1);
      EXPECT_FALSE(addTrialMiss(*T));
    }
    const int I = choose(*T, R, &Of);
    ASSERT_GE(I, 0);
    Done = addSample(*T, I, I == 0 ? 100 : 50);
  }
  EXPECT_TRUE(Done);
}

TEST(TrialTest, ACandidateWhoseGuardsFailDoesNotHoldUpTheOthers) {
  auto T = makeTrial(2, 0.01);
  T->Candidates[2]->Guards = GuardList();
  T->Candidates[2]->Guards.append(EqualGuard(0, 7));
  EXPECT_EQ(play(*T, {100, 50, 50}), -1);
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(TrialTest, TheBaselineCompetesOnTheCallsOfEveryCandidate) {
  auto T = makeTrial(2, 0.01);
  T->Candidates[1]->Guards = GuardList();
  T->Candidates[1]->Guards.append(EqualGuard(0, 7));
  EXPECT_EQ(play(*T, {100, 50, 50}), -1);
  EXPECT_EQ(judge(*T).Winner, 2);
  EXPECT_GT(T->Candidates[1]->GuardMisses, 0u);
}

TEST(TrialTest, GuardsArePartOfACandidatesTime) {
  auto T = makeTrial(1, 1e-6);
  T->Candidates[1]->Price = GuardPrice(T->Candidates[1]->Guards, 0.01);
  specrt_region R = region();
  const uint64_t Packed = 5;
  for (int Call = 0; Call < 4; ++Call) {
    const Turn Now = chooseCandidate(*T, R, &Packed);
    if (Now.Candidate == 0)
      EXPECT_EQ(Now.Price, 0u) << "the original has no guards";
    else
      EXPECT_GE(Now.Price, 120u) << "1.2 ns";
  }
}

TEST(GuardPriceTest, TimeThatDataAtHandDoNotExplainIsPaid) {
  GuardList Guards;
  for (uint32_t I = 0; I < 10; ++I)
    Guards.append(EqualGuard(I, 5));
  const GuardPrice Price(Guards, 1.0);
  // The entry and ten comparisons.
  EXPECT_EQ(Price.of(1000, 1000), 3u);
  EXPECT_EQ(Price.of(1000, 1050), 3u);
  EXPECT_EQ(Price.of(1000, 900), 3u) << "clocks of two sockets";
  EXPECT_GT(Price.of(1000, 2000), 700u);
  EXPECT_EQ(Price.of(1000, 1000000) - Price.of(1000, 999000), 1000u);
  // Who has no price pays for everything.
  EXPECT_EQ(GuardPrice().of(1000, 1300), 300u);
  EXPECT_EQ(GuardPrice(Guards, 0).of(1000, 1300), 300u) << "without a clock";
}

/// A published version calls such a guard, too, so it is hardly faster than what evaluates it.
TEST(GuardPriceTest, RangesBesideErrnoAreNotMachineCode) {
  const specrt_polynomial Begin{}, End = constantPolynomial(4);
  GuardList Guards;
  appendDisjoint(Guards, {{SPECRT_BASE_ARGUMENT, 0, 0}, Begin, End},
                 {{SPECRT_BASE_ERRNO, 0, 0}, Begin, End});
  ASSERT_GT(costNs(Guards), 3);
  const GuardPrice Price(Guards, 0.01);
  constexpr uint64_t Ticks = 4000;
  EXPECT_GT(Price.of(0, Ticks), Price.of(0, 0)) << "40 ns are not explained";
}

TEST(TrialTest, DriftFavoursNobody) {
  // Each call takes a little longer than the one before; the candidates are equal.
  auto T = makeTrial(1, 1e-6, /*Varying=*/true);
  specrt_region R = region();
  uint64_t Packed = 5, Ticks = 100000;
  while (!addSample(*T, choose(*T, R, &Packed), Ticks))
    Ticks += 1000;
  EXPECT_EQ(judge(*T).Winner, -1);
}

/// Plays calls whose times and kinds Run gives, for candidate and number of the call.
template <typename F> int playCalls(Trial &T, const F &Run, const specrt_region &R = region()) {
  for (int Call = 1; Call < 1000; ++Call) {
    const uint64_t Packed = 5;
    const Turn Now = chooseCandidate(T, R, &Packed);
    if (Now.Candidate < 0)
      return -1;
    if (addTrialSample(T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                       Run(Now.Candidate, Call)))
      return Call;
  }
  return -1;
}

TEST(TrialTest, CallsOnNewMemoryDoNotCount) {
  // The original has its turn when the arrays are new; afterwards it is the faster one.
  auto T = makeTrial(1, 0.01);
  EXPECT_GT(playCalls(*T,
                      [](int I, int Call) {
                        return Measurement{.Ticks = Call == 1 ? 8300u
                                                    : I == 0  ? 2960u
                                                              : 3298u,
                                           .Cold = Call == 1};
                      }),
            1);
  EXPECT_EQ(judge(*T).Winner, -1);
}

TEST(TrialTest, ALargeGainEndsNoTrialBeforeTheMorePromisingOneCounted) {
  // What the first candidate makes once, on new memory, the second one finds there.
  auto T = makeTrial(3, 0.1);
  EXPECT_EQ(
      playCalls(
          *T,
          [](int I, int Call) {
            return Measurement{.Ticks = I == 0 ? 900u : I == 1 ? 60u : 100u, .Cold = Call == 2};
          }),
      3);
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(TrialTest, WhereAllCallsAreColdTheyCount) {
  auto T = makeTrial(1, 0.01);
  const auto Cold = [](int I, int) { return Measurement{.Ticks = I ? 100u : 200u, .Cold = true}; };
  EXPECT_LE(playCalls(*T, Cold), 6);
  EXPECT_EQ(judge(*T).Winner, 1);
  // Two runs of a program that calls once: the first ran the original, the second the candidate.
  T = makeTrial(1, 0.01);
  T->recallBaseline(200, /*Cold=*/true);
  EXPECT_EQ(playCalls(*T, Cold), 1);
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(TrialTest, AColdBaselineSaysNothingAboutWarmCalls) {
  auto T = makeTrial(1, 0.01);
  T->recallBaseline(8300, /*Cold=*/true);
  EXPECT_GT(playCalls(*T, [](int I, int) { return Measurement{.Ticks = I ? 3298u : 2960u}; }), 1);
  EXPECT_EQ(judge(*T).Winner, -1);
}

TEST(TrialTest, ATrialThatLosesTooMuchEnds) {
  Ledger Run;
  Run.begin(UINT64_MAX); // no time passes
  auto T = makeTrial(4, 0.01);
  T->Payer = std::make_shared<Ledger>(Run);
  const auto Ticks = [](double Ns) { return static_cast<uint64_t>(Ns / nsPerTick()); };
  // The trial ends after the original and the first candidate.
  EXPECT_EQ(play(*T, {Ticks(1e6), Ticks(1.1e6 + SmallLossNs), 50, 50, 50}), 2);
  EXPECT_NEAR(T->Payer->owedNs(), 1e5 + SmallLossNs, 1e3);
  EXPECT_EQ(judge(*T).Winner, -1);
  // Faster candidates cost nothing, whatever is owed already.
  T = makeTrial(4, 0.01);
  T->Payer = std::make_shared<Ledger>(Run);
  T->Payer->carryOver(2 * SmallLossNs);
  EXPECT_GT(play(*T, {100, 90, 80, 70, 60}), 4);
  EXPECT_EQ(judge(*T).Winner, 4);
}

TEST(TrialTest, ACandidateThatHasToLookFirstGetsItsTurnLater) {
  auto T = makeTrial(2, 0.01);
  const specrt_region R = region();
  const uint64_t Packed = 5;
  // The second candidate looks at nothing yet.
  int Runs[3] = {};
  for (int Call = 0; Call < 30; ++Call) {
    const int I = choose(*T, R, &Packed);
    ASSERT_GE(I, 0) << "no call is in vain";
    ++Runs[I];
    EXPECT_FALSE(
        addTrialSample(*T, static_cast<uint32_t>(I), 0, {.Ticks = 100, .IsDeferred = I == 2}));
    if (I == 2)
      T->Candidates[2]->NotBefore = UINT64_MAX;
  }
  EXPECT_EQ(Runs[1], 1);
  EXPECT_EQ(Runs[2], 1);
  EXPECT_EQ(Runs[0], 28) << "the others run what would run without the trial";
  EXPECT_FALSE(T->Done);
  T->Candidates[2]->NotBefore = 0;
  EXPECT_GT(play(*T, {100, 100, 50}), 0);
  EXPECT_EQ(judge(*T).Winner, 2);
}

TEST(TrialTest, WhatIsClearlyBetterServesWhileAnotherHasToLookFirst) {
  for (const bool IsParallel : {false, true})
    for (const uint64_t Better : {100u, 280u}) {
      auto T = makeTrial(2, 0.01);
      specrt_region R = region();
      uint64_t Packed = 5;
      int Code = 0;
      T->Candidates[1]->Body = &Code;
      T->Candidates[1]->Parallel = IsParallel;
      T->Candidates[2]->NotBefore = UINT64_MAX;
      EXPECT_EQ(playWithout(*T, 2, /*OnlySerial=*/false, {300, Better, 0}).Waits, Better == 100);
      EXPECT_EQ(leadingBody(*T, R, &Packed), Better == 100 ? &Code : nullptr);
      if (IsParallel) {
        EXPECT_EQ(leadingBody(*T, R, &Packed, /*OnlySerial=*/true), nullptr);
        EXPECT_EQ(chooseCandidate(*T, R, &Packed, /*OnlySerial=*/true).Candidate, 0);
      }
      T->Candidates[2]->NotBefore = 0;
      EXPECT_EQ(choose(*T, R, &Packed), 2);
    }
}

/// Of two loops it has looked at the rows of one.
TEST(TrialTest, WhatIsClearlyBetterServesBeforeItHasLookedAtAllRows) {
  for (const uint64_t Half : {150u, 280u}) {
    auto T = makeTrial(2, 0.01);
    specrt_region R = region();
    uint64_t Packed = 5;
    int Code = 0;
    T->Candidates[1]->Body = &Code;
    T->Candidates[2]->NotBefore = UINT64_MAX;
    EXPECT_EQ(choose(*T, R, &Packed), 0);
    EXPECT_FALSE(addSample(*T, 0, 300));
    EXPECT_EQ(choose(*T, R, &Packed), 1);
    EXPECT_FALSE(addTrialSample(*T, 1, 0, {.Ticks = Half, .IsDeferred = true}));
    T->Candidates[1]->NotBefore = UINT64_MAX;
    const Turn Now = chooseCandidate(*T, R, &Packed);
    EXPECT_EQ(Now.Candidate, Half == 150 ? -1 : 0);
    EXPECT_EQ(Now.Waits, Half == 150);
    EXPECT_EQ(leadingBody(*T, R, &Packed), Half == 150 ? &Code : nullptr);
    EXPECT_FALSE(T->Done) << "with all rows it may be better still";
    T->Candidates[1]->NotBefore = 0;
    EXPECT_EQ(choose(*T, R, &Packed), 1);
    EXPECT_FALSE(addSample(*T, 1, 400));
    EXPECT_EQ(leadingBody(*T, R, &Packed), nullptr) << "what it took before does not count";
  }
}

TEST(TrialTest, WhatScattersIsNotClaimed) {
  // 4 % faster in the median, on a machine whose times vary by 30 %.
  auto T = makeTrial(1, 1e-3);
  const uint64_t Times[2][4] = {{1000, 1300, 1100, 1200}, {950, 1250, 1000, 1200}};
  for (uint32_t I = 0; I < 2; ++I) {
    std::copy_n(Times[I], 4, T->Candidates[I]->Ticks.begin());
    T->Candidates[I]->NumSamples = 4;
  }
  const Verdict V = judge(*T);
  EXPECT_EQ(V.Winner, -1);
  EXPECT_TRUE(V.IsUnsure);
  EXPECT_THAT(explain(V, *T, region()), HasSubstr("ahead by less than times scatter"));
}

TEST(SamplePeriodTest, ObservationStaysBelowOnePercent) {
  EXPECT_EQ(samplePeriod(1e6), 1u);
  EXPECT_EQ(samplePeriod(15000), 2u);
  EXPECT_EQ(samplePeriod(20000), 16u) << "the operating system is asked";
  EXPECT_EQ(samplePeriod(1000), 64u);
  EXPECT_EQ(samplePeriod(0), 1024u);
}

TEST(FormatTest, Times) {
  EXPECT_EQ(formatNs(0), "0 ns");
  EXPECT_EQ(formatNs(1234), "1.23 us");
  EXPECT_EQ(formatNs(2.5e9), "2.50 s");
}

} // namespace
} // namespace specrt
