//===- tests/profiler/plan_test.cpp - plans from profiles -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/plans/plan.h"

#include "profiler/json/json_reader.h"
#include "profiler/observations/time_profile.h"
#include "tests/profiler/test_region.h"
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I1 = SPECRT_KIND_I1, I32 = SPECRT_KIND_I32,
                  I64 = SPECRT_KIND_I64, F64 = SPECRT_KIND_F64;

/// void f(double *A, int n, int k, double alpha)
struct Kernel : TestRegion {
  Kernel()
      : TestRegion({Pointer, I32, I32, F64},
                   {access(0, polynomial({term(8, {1})}), SPECRT_ACCESS_WRITE),
                    access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)}),
        Profile(get()) {}
  void call(int N, int K, double Alpha = 1, uint64_t Ns = 1000, uint64_t A = 0x10040) {
    uint64_t Packed[] = {A, static_cast<uint32_t>(N), static_cast<uint32_t>(K), packed(Alpha)};
    Profile.record(Packed, Ns);
  }
  std::vector<SpeculationPlan> plans(unsigned Max = 4) {
    return specrt::plans(Profile, get(), Max);
  }
  RegionProfile Profile;
};

bool isConstant(const SpeculationPlan &P, unsigned Argument, uint64_t Value) {
  return (P.Assumed.Facts[Argument].flags & SPECRT_FACT_CONSTANT) &&
         P.Assumed.Facts[Argument].value == Value;
}

TEST(Plan, NothingWithoutSamples) {
  Kernel K;
  EXPECT_TRUE(K.plans().empty());
  K.call(10, 20);
  EXPECT_TRUE(K.plans(0).empty());
  TestRegion Other({I32});
  EXPECT_TRUE(specrt::plans(K.Profile, Other.get(), 4).empty());
}

TEST(Plan, OneSampleSuffices) {
  Kernel K;
  K.call(1000, 1100, 0.5, 1000000);
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u);
  const SpeculationPlan &P = Plans[0];
  EXPECT_EQ(P.Share, 1);
  EXPECT_EQ(P.MeanNs, 1e6);
  EXPECT_TRUE(isConstant(P, 1, 1000));
  EXPECT_TRUE(isConstant(P, 2, 1100));
  EXPECT_TRUE(isConstant(P, 3, packed(0.5)));
  EXPECT_EQ(P.Assumed.Facts[0].flags, unsigned{SPECRT_FACT_ALIGNED});
  EXPECT_EQ(P.Assumed.Facts[0].alignment, 16u);
  EXPECT_EQ(P.Assumed.id().text(), "1=0x3e8,2=0x44c,3=0x3fe0000000000000");
  EXPECT_EQ(P.Assumed.Overlaps, (std::vector<uint8_t>{0, 1, 1, 0}));
}

TEST(Plan, NumbersBecomeConstantsWhereArithmeticGetsSimpler) {
  for (double Alpha : {0.0, -0.0, 1.0, -1.0, 0.25, 1024.0}) {
    Kernel K;
    K.call(1000, 1100, Alpha);
    EXPECT_TRUE(isConstant(K.plans().at(0), 3, packed(Alpha))) << Alpha;
  }
  for (double Alpha : {6292.97725, 1.5, 1e-3, double(INFINITY), double(NAN)}) {
    Kernel K;
    K.call(1000, 1100, Alpha);
    EXPECT_FALSE(K.plans().at(0).Assumed.Facts[3].flags & SPECRT_FACT_CONSTANT) << Alpha;
  }
}

TEST(Plan, TuplesThatDifferInSuchNumbersAreOnePlan) {
  Kernel K;
  for (int I = 0; I < 10; ++I) {
    K.call(1000, 1100, 1.5);
    K.call(1000, 1100, 1.7);
  }
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_NEAR(Plans[0].Share, 1, 1e-9);
}

TEST(Plan, RecurringTuplesByTheirTime) {
  Kernel K;
  for (int I = 0; I < 900; ++I)
    K.call(10, 10, 1, 100);
  for (int I = 0; I < 10; ++I)
    K.call(500, 500, 1, 100000);
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u); // the small calls are most calls, but 8 % of the time
  EXPECT_TRUE(isConstant(Plans[0], 1, 500));
  EXPECT_NEAR(Plans[0].Share, 0.917, 0.001);
}

TEST(Plan, RunningCounterIsDroppedAndBounded) {
  Kernel K;
  for (int I = 0; I < 38; ++I)
    K.call(100, I);
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u);
  const SpeculationPlan &P = Plans[0];
  EXPECT_EQ(P.Assumed.id().text(), "1=0x64");
  EXPECT_EQ(P.Share, 1);
  EXPECT_EQ(P.Assumed.Facts[2].flags, unsigned{SPECRT_FACT_RANGE});
  EXPECT_EQ(P.Assumed.Facts[2].low, 0);
  EXPECT_EQ(P.Assumed.Facts[2].high, 100); // up to n, where the counter ends
  EXPECT_EQ(P.Assumed.Facts[3].flags, 0u); // alpha is constant only as part of a recurring tuple
}

TEST(Plan, RangesHoldWhatWasSeen) {
  std::mt19937_64 Random(9);
  for (int Case = 0; Case < 2000; ++Case) {
    TestRegion R({I64, I32, I64});
    RegionProfile P(R.get());
    std::vector<std::vector<uint64_t>> Calls;
    for (uint64_t I = 0; I < 40; ++I) {
      uint64_t Wide = Random() >> (Random() % 64), Narrow = Random() >> (Random() % 64);
      Calls.push_back({Wide, static_cast<uint32_t>(Narrow), I});
      P.record(Calls.back().data(), 10);
    }
    auto Plans = specrt::plans(P, R.get(), 4);
    ASSERT_EQ(Plans.size(), 1u);
    ASSERT_EQ(Plans[0].Assumed.id().text(), "any");
    for (const auto &C : Calls) {
      const auto &Facts = Plans[0].Assumed.Facts;
      int64_t Values[] = {static_cast<int64_t>(C[0]), static_cast<int32_t>(C[1]),
                          static_cast<int64_t>(C[2])};
      for (int A = 0; A < 3; ++A)
        if (Facts[A].flags & SPECRT_FACT_RANGE) {
          ASSERT_LE(Facts[A].low, Values[A]);
          ASSERT_GE(Facts[A].high, Values[A]);
        }
      ASSERT_TRUE(Facts[1].low >= INT32_MIN && Facts[1].high <= INT32_MAX);
    }
    EXPECT_EQ(Plans[0].Assumed.Facts[2].low, 0);
    EXPECT_EQ(Plans[0].Assumed.Facts[2].high, 127); // two times 39, and what its bits hold
  }
}

TEST(Plan, TwoDifferentCallsDoNotRecur) {
  Kernel K;
  K.call(10, 20);
  K.call(30, 40);
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Assumed.id().text(), "any");
}

/// The counter of an outer loop has each value in some calls in a row, and data repeat by chance.
TEST(Plan, TwoCallsInARowDoNotRecur) {
  Kernel K;
  for (int N : {161, 161, 162})
    K.call(N, 640, 1, 1000);
  for (const SpeculationPlan &P : K.plans())
    EXPECT_FALSE(isConstant(P, 1, 161)) << P.Assumed.id().text();
  Kernel All;
  for (int Call = 0; Call < 2; ++Call)
    All.call(161, 640);
  EXPECT_TRUE(isConstant(All.plans().at(0), 1, 161)) << "all calls that there were";
  Kernel Thrice;
  for (int N : {161, 161, 161, 162, 163})
    Thrice.call(N, 640);
  EXPECT_TRUE(isConstant(Thrice.plans().at(0), 1, 161));
}

/// A version for 161 met no call, and now it is 84 for a while.
TEST(Plan, ValuesThatDidNotComeBackAreLeftOpen) {
  Kernel K;
  for (int Call = 0; Call < 9; ++Call)
    K.call(161, 640);
  const Assumptions Failed = K.plans().at(0).Assumed;
  Kernel Later;
  for (int Call = 0; Call < 9; ++Call)
    Later.call(Call < 8 ? 84 : 85, 640);
  ASSERT_TRUE(isConstant(Later.plans().at(0), 1, 84));
  for (const SpeculationPlan &P : specrt::plans(Later.Profile, Later.get(), 4, {&Failed, 1})) {
    EXPECT_FALSE(P.Assumed.Facts[1].flags & SPECRT_FACT_CONSTANT) << P.Assumed.id().text();
    EXPECT_TRUE(isConstant(P, 2, 640)) << "it came back";
  }
  // Since then all calls have one value: the program has begun something else.
  Kernel Other;
  for (int Call = 0; Call < 9; ++Call)
    Other.call(500, 640);
  std::vector<Assumptions> All = {Failed};
  EXPECT_TRUE(isConstant(specrt::plans(Other.Profile, Other.get(), 4, All).at(0), 1, 500));
  // A slow counter has one value in all calls, and then another one.
  Kernel Next;
  for (int Call = 0; Call < 9; ++Call)
    Next.call(142, 640);
  All.push_back(Next.plans().at(0).Assumed);
  for (const SpeculationPlan &P : specrt::plans(Other.Profile, Other.get(), 4, All))
    EXPECT_FALSE(P.Assumed.Facts[1].flags & SPECRT_FACT_CONSTANT) << P.Assumed.id().text();
}

TEST(Plan, WhatVersionsForSingleValuesLeaveGetsOneForAll) {
  // Two thirds of the time in calls with one value, the rest in three others.
  Kernel K;
  for (int I = 0; I < 400; ++I)
    I % 5 < 2 ? K.call(10, 7, 1, 3000) : K.call(100 + I % 5, 7, 1, 1000);
  EXPECT_EQ(K.plans(4).size(), 4u) << "there is a version for each";
  const auto Plans = K.plans(2);
  ASSERT_EQ(Plans.size(), 2u);
  EXPECT_TRUE(isConstant(Plans[0], 1, 10));
  EXPECT_EQ(Plans[1].Assumed.id().text(), "2=0x7") << "for all values of n";
  EXPECT_TRUE(isConstant(K.plans(1).at(0), 1, 10));
}

TEST(Plan, ConstantsMustOccurTogether) {
  // n == 1 in just over half of the calls, k == 1 in just over half, together hardly ever.
  Kernel K;
  for (int I = 0; I < 2000; ++I) {
    bool First = I % 2;
    K.call(First || I % 50 == 0 ? 1 : 100 + I, First && I % 50 != 1 ? 5000 + I : 1);
  }
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 1u);
  int Constants = 0;
  for (const specrt_fact &F : Plans[0].Assumed.Facts)
    Constants += (F.flags & SPECRT_FACT_CONSTANT) != 0;
  EXPECT_EQ(Constants, 1);
  EXPECT_GT(Plans[0].Share, 0.25);
}

TEST(Plan, SeveralTuplesAndThePartialPlan) {
  Kernel K;
  for (int I = 0; I < 300; ++I) {
    K.call(100, 7);
    K.call(100, 8);
    K.call(100, 1000 + I);
  }
  auto Plans = K.plans();
  ASSERT_EQ(Plans.size(), 3u);
  EXPECT_EQ(Plans[0].Assumed.id().text(), "1=0x64"); // no tuple has half of the time
  EXPECT_EQ(Plans[1].Assumed.id().text(), "1=0x64,2=0x7,3=0x3ff0000000000000");
  EXPECT_EQ(Plans[2].Assumed.id().text(), "1=0x64,2=0x8,3=0x3ff0000000000000");
  EXPECT_EQ(K.plans(2).size(), 2u);
}

/// Before there was a version for all sizes, each was seen too rarely to recur.
TEST(Plan, CallsOfAVersionTellWhichSizeDeservesItsOwn) {
  Kernel K;
  for (const int N : {10, 20, 40, 80})
    for (int I = 0; I < 2; ++I)
      K.call(N, N, 1, uint64_t{10} * N * N);
  EXPECT_FALSE(isConstant(K.plans().at(0), 1, 80));
  RegionProfile Served(K.get());
  for (const int N : {10, 20, 40, 80})
    for (int I = 0; I < 20; ++I) {
      const uint64_t Packed[] = {0x10040, static_cast<uint32_t>(N), static_cast<uint32_t>(N),
                                 packed(1)};
      Served.record(Packed, uint64_t{10} * N * N, {}, /*IsEstimate=*/true);
    }
  ASSERT_TRUE(K.Profile.merge(Served));
  const SpeculationPlan First = K.plans().at(0);
  EXPECT_TRUE(isConstant(First, 1, 80));
  EXPECT_NEAR(First.Share, 6400.0 / 8500, 0.01);
  EXPECT_NEAR(First.CallShare, 0.25, 0.01);
  const auto &Times = K.Profile.get<TimeProfile>();
  EXPECT_EQ(Times.calls(), 8U) << "only the original is timed";
  EXPECT_EQ(Times.totalNs(), 170'000U);
}

/// A transform that is out of place in one direction and in place in the other.
TEST(Plan, CallsInPlaceHaveAPlanOfTheirOwn) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)});
  for (const int64_t Sizes : {1, 2}) { // all calls have the same size, or those in place their own
    RegionProfile Profile(R.get());
    for (int Call = 0; Call < 20; ++Call) {
      const bool IsInPlace = Call % 4 != 0;
      const uint64_t Packed[] = {0x10000, IsInPlace ? 0x10000U : 0x90000U,
                                 IsInPlace ? 100U * static_cast<unsigned>(Sizes) : 100U};
      Profile.record(Packed, 1000);
    }
    RegionProfile Read(R.get());
    JsonReader In;
    Read.readJson(In, nlohmann::json::parse(Profile.toJson().dump()));
    EXPECT_TRUE(In.good());
    for (const RegionProfile *Of : {&Profile, &Read}) {
      const auto Plans = specrt::plans(*Of, R.get(), 4);
      ASSERT_EQ(Plans.size(), 2U) << Sizes;
      EXPECT_EQ(Plans[0].Assumed.Overlaps, (std::vector<uint8_t>{0, 2, 2, 0}));
      EXPECT_NEAR(Plans[0].Share, 0.75, 1e-9);
      EXPECT_EQ(Plans[1].Assumed.Overlaps, (std::vector<uint8_t>{0, 0, 0, 0}));
      EXPECT_NE(Plans[0].Assumed.id(), Plans[1].Assumed.id());
    }
  }
}

TEST(Plan, ServesMostIfItsCallsTakeHalfOfTheTime) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)});
  RegionProfile Profile(R.get());
  const uint64_t Long[] = {0x10000, 0x90000, 1000};
  Profile.record(Long, 20000);
  const Assumptions OfLong = specrt::plans(Profile, R.get(), 1).at(0).Assumed;
  const uint64_t Short[] = {0x10000, 0x90000, 10}, InPlace[] = {0x10000, 0x10000, 1000};
  Profile.record(Short, 1000); // as many calls, but little time
  EXPECT_TRUE(servesMost(OfLong, Profile, R.get()));
  Profile.record(InPlace, 20000); // the same constants, but another overlap
  EXPECT_FALSE(servesMost(OfLong, Profile, R.get()));
  Profile.record(Long, 20000);
  EXPECT_TRUE(servesMost(OfLong, Profile, R.get()));
}

TEST(Plan, AlignmentOnlyIfAlways) {
  Kernel K;
  for (uint64_t A : {0x1000u, 0x1010u})
    K.call(10, 20, 1, 10, A);
  EXPECT_EQ(K.plans()[0].Assumed.Facts[0].alignment, 16u);
  K.call(10, 20, 1, 10, 0x1008);
  EXPECT_EQ(K.plans()[0].Assumed.Facts[0].flags, 0u);
}

TEST(Plan, NegativeConstantsAndFlags) {
  TestRegion R({I1, I32});
  RegionProfile P(R.get());
  uint64_t Packed[] = {1, static_cast<uint32_t>(-3)};
  P.record(Packed, 0);
  P.record(Packed, 0); // without times shares are of calls
  auto Plans = specrt::plans(P, R.get(), 4);
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Assumed.id().text(), "0=0x1,1=0xfffffffd");
  EXPECT_EQ(Plans[0].Assumed.Facts[1].value, 0xfffffffdu);
  EXPECT_EQ(Plans[0].Assumed.Facts[1].low, -3);
  EXPECT_EQ(Plans[0].Share, 1);
}

TEST(Plan, RegionOfPointersOnly) {
  TestRegion R({Pointer});
  RegionProfile P(R.get());
  uint64_t Packed[] = {0x1000};
  P.record(Packed, 10);
  auto Plans = specrt::plans(P, R.get(), 4);
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Assumed.id().text(), "any");
}

} // namespace
