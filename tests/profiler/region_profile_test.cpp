//===- tests/profiler/region_profile_test.cpp - a region's profile --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/alias_profile.h"
#include "profiler/observations/input_values.h"
#include "profiler/observations/region_profile.h"
#include "profiler/observations/time_profile.h"
#include "profiler/observations/trip_counts.h"
#include "profiler/observations/tuple_profile.h"

#include "tests/profiler/test_region.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I32 = SPECRT_KIND_I32, F64 = SPECRT_KIND_F64;

struct Gemm : TestRegion {
  Gemm()
      : TestRegion({Pointer, Pointer, I32, I32, F64},
                   {access(0, polynomial({term(8, {2, 3})}), SPECRT_ACCESS_WRITE),
                    access(1, polynomial({term(8, {2, 3})}), SPECRT_ACCESS_READ)},
                   {{5, 1, polynomial({term(1, {2})})}, {6, 2, polynomial({term(1, {3})})}}) {}
};

std::vector<uint64_t> call(uint64_t N, uint64_t M, double Alpha = 1) {
  return {0x10000, 0x90000, N, M, packed(Alpha)};
}

TEST(RegionProfile, CountsCallsAndTimes) {
  Gemm R;
  RegionProfile P(R.get());
  for (uint64_t Ns : {100u, 300u, 0u})
    P.record(call(10, 20).data(), Ns);
  P.addUnsampledCalls(7);
  EXPECT_EQ(P.calls(), 10u);
  EXPECT_EQ(P.sampledCalls(), 3u);
  EXPECT_EQ(P.get<TimeProfile>().totalNs(), 400u);
  EXPECT_EQ(P.get<TimeProfile>().minNs(), 0u);
  EXPECT_EQ(P.get<TimeProfile>().histogram()[0], 1u);
  EXPECT_EQ(P.get<TimeProfile>().histogram()[6], 1u);
  EXPECT_EQ(P.get<TimeProfile>().histogram()[8], 1u);
  EXPECT_NEAR(P.get<TimeProfile>().meanNs(), 133.3, 0.1);
}

TEST(RegionProfile, TuplesLeaveOutPointers) {
  Gemm R;
  RegionProfile P(R.get());
  std::vector<uint64_t> A = call(10, 20), B = call(10, 20);
  B[0] += 64;
  P.record(A.data(), 5);
  P.record(B.data(), 3);
  EXPECT_EQ(P.get<TupleProfile>().inputs(), (std::vector<uint32_t>{2, 3, 4}));
  EXPECT_EQ(P.get<TupleProfile>().entries()[0].Count, 2u);
  EXPECT_EQ(P.get<TupleProfile>().entries()[0].TotalNs, 8u);
  EXPECT_EQ(P.get<TupleProfile>().entries()[0].MinNs, 3u);
  EXPECT_EQ(P.get<TupleProfile>().values(0)[1], 20u);
}

TEST(RegionProfile, RegionWithoutArguments) {
  TestRegion R({});
  RegionProfile P(R.get());
  uint64_t None = 0;
  P.record(&None, 5);
  P.record(&None, 5);
  EXPECT_EQ(P.sampledCalls(), 2u);
  EXPECT_EQ(P.get<TupleProfile>().entries()[0].Count, 2u);
}

using Tuples = std::map<std::vector<uint64_t>, std::pair<uint64_t, uint64_t>>; // count, ns

void expectTupleBounds(const TupleProfile &T, const Tuples &Exact) {
  uint64_t Smallest = UINT64_MAX;
  std::map<std::vector<uint64_t>, unsigned> Table;
  for (unsigned I = 0; I < TupleProfile::Capacity; ++I) {
    const TupleCount &E = T.entries()[I];
    Smallest = std::min(Smallest, E.Count);
    if (E.Count == 0)
      continue;
    std::vector<uint64_t> Key(T.values(I), T.values(I) + T.inputs().size());
    ASSERT_TRUE(Table.emplace(Key, I).second) << "tuple listed twice";
    ASSERT_TRUE(Exact.count(Key));
    auto [Count, Ns] = Exact.at(Key);
    ASSERT_LE(Count, E.Count);
    ASSERT_LE(E.Count - E.Error, Count);
    ASSERT_LE(E.TotalNs, Ns);
    ASSERT_LE(E.MinNs, E.TotalNs);
  }
  for (const auto &[Key, Value] : Exact)
    if (!Table.count(Key))
      ASSERT_LE(Value.first, Smallest) << "a frequent tuple is missing";
}

TEST(RegionProfile, TuplesKeepTheirPromiseMergedOrNot) {
  std::mt19937_64 Random(21);
  for (int Case = 0; Case < 200; ++Case) {
    Gemm R;
    RegionProfile Merged(R.get());
    Tuples Exact;
    uint64_t Calls = 0;
    for (int Part = 0; Part < 3; ++Part) {
      RegionProfile P(R.get());
      Tuples Own;
      for (uint64_t I = 0, N = Random() % 600; I < N; ++I, ++Calls) {
        uint64_t Width = Random() % 3 ? 4 : 40;
        auto C = call(Random() % Width, Random() % Width, static_cast<double>(Random() % 2));
        uint64_t Ns = 1 + Random() % 1000;
        P.record(C.data(), Ns);
        for (Tuples *T : {&Own, &Exact}) {
          auto &Entry = (*T)[{C[2], C[3], C[4]}];
          ++Entry.first;
          Entry.second += Ns;
        }
      }
      expectTupleBounds(P.get<TupleProfile>(), Own);
      ASSERT_TRUE(Merged.merge(P));
    }
    expectTupleBounds(Merged.get<TupleProfile>(), Exact);
    ASSERT_EQ(Merged.sampledCalls(), Calls);
  }
}

TEST(RegionProfile, MergesOnlyWhatFits) {
  Gemm A;
  TestRegion B({Pointer, I32});
  RegionProfile P(A.get()), Q(B.get());
  EXPECT_FALSE(P.merge(Q));
  EXPECT_EQ(P.calls(), 0u);
}

TEST(RegionProfile, ClearForgetsEverything) {
  Gemm R;
  RegionProfile P(R.get());
  P.record(call(10, 20).data(), 5);
  P.record(call(11, 20).data(), 5);
  P.clear();
  EXPECT_EQ(P.calls(), 0u);
  EXPECT_EQ(P.get<TupleProfile>().entries()[0].Count, 0u);
  P.record(call(12, 20).data(), 7);
  EXPECT_EQ(P.get<InputValues>()[2].min(), 12);
  EXPECT_EQ(P.get<TimeProfile>().minNs(), 7u);
  EXPECT_EQ(P.get<TripCounts>().loops()[0].Min, 12);
  EXPECT_EQ(P.get<TripCounts>().loops()[0].Count, 1u);
}

TEST(RegionProfile, EqualCallsCountLikeDifferentOnes) {
  Gemm R;
  RegionProfile P(R.get()), Q(R.get());
  // The same multiset of calls, once with and once without consecutive equal ones.
  for (int I = 0; I < 20; ++I)
    P.record(call(I < 10 ? 1 : 2, 20).data(), 5);
  for (int I = 0; I < 20; ++I)
    Q.record(call(I % 2 ? 1 : 2, 20).data(), 5);
  auto Sorted = [](RegionProfile &X) {
    std::vector<std::pair<uint64_t, uint64_t>> V;
    for (const ValueCount &E : X.get<InputValues>()[2].values())
      V.emplace_back(E.Value, E.Count);
    std::sort(V.begin(), V.end());
    return V;
  };
  EXPECT_EQ(Sorted(P), Sorted(Q));
  EXPECT_EQ(P.get<TripCounts>().loops()[0].Sum, Q.get<TripCounts>().loops()[0].Sum);
  EXPECT_EQ(P.get<AliasProfile>().pairs()[0].Counts[PairProfile::Disjoint],
            Q.get<AliasProfile>().pairs()[0].Counts[PairProfile::Disjoint]);
}

TEST(RegionProfile, ReportsTheCostOfRecording) {
  TestRegion R({Pointer, Pointer, Pointer, I32, I32, I32, F64, F64},
               {access(0, polynomial({term(8, {3, 4})}), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {3, 5})}), SPECRT_ACCESS_READ),
                access(2, polynomial({term(8, {4, 5})}), SPECRT_ACCESS_READ)},
               {{5, 1, polynomial({term(1, {3})})}});
  auto Measure = [&](const char *What, auto Change) {
    RegionProfile P(R.get());
    std::vector<uint64_t> C = {0x10000, 0x90000, 0xa0000, 100, 200, 300, packed(1), packed(2)};
    constexpr uint64_t Rounds = 50, Calls = 4000;
    double Best = 1e9; // the least disturbed round
    for (uint64_t Round = 0, I = 0; Round < Rounds; ++Round) {
      auto Begin = std::chrono::steady_clock::now();
      for (uint64_t End = I + Calls; I < End; ++I) {
        Change(C, I);
        P.record(C.data(), 1000 + I % 8);
      }
      std::chrono::duration<double, std::nano> Time = std::chrono::steady_clock::now() - Begin;
      Best = std::min(Best, Time.count() / Calls);
    }
    std::printf("recording a call with 8 arguments, %s: %.1f ns\n", What, Best);
    EXPECT_EQ(P.sampledCalls(), Rounds * Calls);
  };
  Measure("all equal", [](auto &, uint64_t) {});
  Measure("one changes", [](auto &C, uint64_t I) { C[4] = I; });
  Measure("two tuples alternate", [](auto &C, uint64_t I) { C[3] = C[4] = 100 + I % 2; });
  Measure("all change", [](auto &C, uint64_t I) {
    for (uint64_t &V : C)
      V += 8 * (1 + I % 3);
  });
}

} // namespace
