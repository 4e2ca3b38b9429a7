//===- tests/profiler/alias_profile_test.cpp - which accesses overlap ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/alias_profile.h"

#include "profiler/json/json_reader.h"
#include "profiler/plans/assumptions.h"
#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I64 = SPECRT_KIND_I64;

/// void f(double *A, const double *B, long n): A[0, 8n) written, B[0, 8n) read.
TestRegion copyKernel() {
  return TestRegion({Pointer, Pointer, I64},
                    {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                     access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)});
}

void observe(AliasProfile &P, TestRegion &R, std::vector<uint64_t> Packed) {
  P.record(sampled(R, Packed));
}

TEST(AliasProfile, HalvesOfOneBufferAreDisjoint) {
  TestRegion R = copyKernel();
  AliasProfile P(R.get());
  ASSERT_EQ(P.pairs().size(), 1u);
  observe(P, R, {0x1000, 0x1000 + 800, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 1u);
  EXPECT_EQ(P.overlapMatrix(), (std::vector<uint8_t>{0, 0, 0, 0}));
  observe(P, R, {0x1000, 0x1000 + 792, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Overlapping], 1u);
  EXPECT_EQ(P.overlapMatrix(), (std::vector<uint8_t>{0, 1, 1, 0}));
  observe(P, R, {0x1000, 0x1000, 0}); // empty ranges
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 2u);
}

TEST(AliasProfile, NeverFollowsPointers) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)});
  R.Accesses[1].range.base.kind = SPECRT_BASE_LOADED;
  AliasProfile P(R.get());
  observe(P, R, {0x1000, 0x10 /* would fault */, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
}

TEST(AliasProfile, UnknownRangesAndReadsOnly) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, unknown(), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ),
                access(1, polynomial({term(4, {2})}), SPECRT_ACCESS_READ)});
  AliasProfile P(R.get());
  ASSERT_EQ(P.pairs().size(), 2u); // two reads need no comparison
  observe(P, R, {0x1000, 0x9000, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
  observe(P, R, {0x1000, 0x9000, 0}); // but nothing overlaps an empty range
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 1u);
}

TEST(AliasProfile, SymbolsHaveAddresses) {
  static double Global[100];
  TestRegion R({Pointer, I64}, {access(0, polynomial({term(8, {1})}), SPECRT_ACCESS_READ),
                                access(0, polynomial({term(800)}), SPECRT_ACCESS_WRITE)});
  R.Symbols.push_back({"Global", Global});
  R.Accesses[1].range.base.kind = SPECRT_BASE_SYMBOL;
  AliasProfile P(R.get());
  observe(P, R, {reinterpret_cast<uint64_t>(Global + 50), 1});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Overlapping], 1u);
  observe(P, R, {reinterpret_cast<uint64_t>(Global + 100), 1});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 1u);
}

TEST(AliasProfile, ArgumentsThatAreTheSameAddress) {
  TestRegion R = copyKernel();
  R.Accesses[0].range.end.num_terms = SPECRT_UNKNOWN;
  AliasProfile P(R.get());
  for (int I = 0; I < 19; ++I)
    observe(P, R, {0x1000, 0x1000, 100});
  EXPECT_EQ(P.overlapMatrix()[1], 2);
  observe(P, R, {0x1000, 0x9000, 100});
  EXPECT_EQ(P.overlapMatrix()[1], 2) << "95 % of the time";
  observe(P, R, {0x1000, 0x9000, 100});
  EXPECT_EQ(P.overlapMatrix()[1], 1) << "too many calls would miss the guards of all versions";
  for (int I = 0; I < 18; ++I)
    observe(P, R, {0x1000, 0x9000, 100});
  EXPECT_EQ(P.overlapMatrix()[1], 0);
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 20u);
}

/// A version is for calls in which arguments are the same address, whichever of their elements
/// these calls access.
TEST(AliasProfile, AllAccessesToTheSameArgumentsCount) {
  TestRegion R({Pointer, Pointer, I64}, {access(0, polynomial({term(8)}), SPECRT_ACCESS_WRITE),
                                         access(1, polynomial({term(8)}), SPECRT_ACCESS_READ),
                                         access(1, polynomial({term(16)}), SPECRT_ACCESS_READ)});
  R.Accesses[2].range.begin = polynomial({term(8, {2})});
  const auto MatrixAfter = [&](uint64_t FirstElement) {
    AliasProfile P(R.get());
    observe(P, R, {0x1000, 0x1000, FirstElement});
    return P.overlapMatrix();
  };
  const std::vector<uint8_t> All = {0, 2, 2, 2, 0, 0, 2, 0, 0};
  EXPECT_EQ(MatrixAfter(0), All);
  EXPECT_EQ(MatrixAfter(1), All) << "the second pair is apart";
  Assumptions Overlapping, Apart;
  Overlapping.Overlaps = MatrixAfter(0);
  Apart.Overlaps = MatrixAfter(1);
  EXPECT_EQ(Overlapping.id(), Apart.id());
}

TEST(AliasProfile, IsReadWithItsTimes) {
  TestRegion R = copyKernel();
  AliasProfile P(R.get()), Read(R.get());
  observe(P, R, {0x1000, 0x1000, 100});
  nlohmann::json Stored = P.toJson();
  specrt::JsonReader In;
  Read.readJson(In, Stored);
  EXPECT_TRUE(In.good());
  EXPECT_EQ(Read.overlapMatrix(), P.overlapMatrix());
  Stored[0].erase("same_ns");
  Read.readJson(In, Stored);
  EXPECT_FALSE(In.good());
}

/// Few long calls outweigh many short ones, as for the finest and the coarser grids of a solver.
TEST(AliasProfile, LongCallsSayWhetherArraysOverlap) {
  TestRegion R = copyKernel();
  const uint64_t InPlace[] = {0x1000, 0x1000, 10}, Apart[] = {0x1000, 0x9000, 500};
  for (const bool LongOnesAreInPlace : {false, true}) {
    AliasProfile P(R.get());
    for (int I = 0; I < 6; ++I)
      P.record({R.get(), LongOnesAreInPlace ? Apart : InPlace, 10, false, true});
    P.record({R.get(), LongOnesAreInPlace ? InPlace : Apart, 5000, false, true});
    EXPECT_EQ(P.overlapMatrix()[1], LongOnesAreInPlace ? 2 : 0);
  }
}

TEST(AliasProfile, RangesAcrossTheAddressSpacesEndAreUnknown) {
  TestRegion R = copyKernel();
  AliasProfile P(R.get());
  observe(P, R, {UINT64_MAX - 8, 0x1000, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
}

TEST(AliasProfile, AgreesWithAMarkedMemory) {
  std::mt19937_64 Random(5);
  for (int Case = 0; Case < 5000; ++Case) {
    TestRegion R({Pointer, Pointer, I64, I64},
                 {access(0, polynomial({term(2, {2}), term(1)}), SPECRT_ACCESS_WRITE),
                  access(1, polynomial({term(1, {2, 3})}), SPECRT_ACCESS_READ)});
    R.Accesses[0].range.begin = polynomial({term(-1, {3})});
    int64_t N = static_cast<int64_t>(Random() % 12), M = static_cast<int64_t>(Random() % 6);
    int64_t A = 100 + static_cast<int64_t>(Random() % 60);
    int64_t B = 100 + static_cast<int64_t>(Random() % 60);
    std::vector<bool> Mark(512);
    for (int64_t I = A - M; I < A + 2 * N + 1; ++I)
      Mark[static_cast<size_t>(I)] = true;
    bool Overlap = false;
    for (int64_t I = B; I < B + N * M; ++I)
      Overlap |= Mark[static_cast<size_t>(I)];
    AliasProfile P(R.get());
    observe(P, R,
            {static_cast<uint64_t>(A), static_cast<uint64_t>(B), static_cast<uint64_t>(N),
             static_cast<uint64_t>(M)});
    const auto Shared = A == B ? PairProfile::Same : PairProfile::Overlapping;
    ASSERT_EQ(P.pairs()[0].Counts[Shared], Overlap ? 1u : 0u)
        << A << " " << B << " " << N << " " << M;
    ASSERT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 0u);
  }
}

TEST(AliasProfile, MoreAccessesThanTheLimit) {
  std::vector<specrt_access> Accesses(50, access(0, polynomial({term(8)}), SPECRT_ACCESS_WRITE));
  TestRegion R({Pointer}, Accesses);
  AliasProfile P(R.get());
  observe(P, R, {0x1000});
  EXPECT_EQ(P.pairs().size(), 32u * 31 / 2);
  std::vector<uint8_t> Matrix = P.overlapMatrix();
  ASSERT_EQ(Matrix.size(), 2500u);
  EXPECT_EQ(Matrix[1], 1);
  EXPECT_EQ(Matrix[49], 0);
}

} // namespace
