//===- tests/profiler/access_profile_test.cpp - overlaps and trip counts --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/values/access_profile.h"

#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <random>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I64 = SPECRT_KIND_I64;

/// void f(double *A, const double *B, long n): A[0, 8n) written, B[0, 8n) read, one loop.
TestRegion copyKernel() {
  return TestRegion({Pointer, Pointer, I64},
                    {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                     access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)},
                    {{12, 1, polynomial({term(1, {2})})}});
}

void observe(AccessProfile &P, TestRegion &R, std::vector<uint64_t> Packed) {
  P.record(R.get(), Packed.data(), true);
}

TEST(AccessProfile, HalvesOfOneBufferAreDisjoint) {
  TestRegion R = copyKernel();
  AccessProfile P(R.get());
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

TEST(AccessProfile, CountsTrips) {
  TestRegion R = copyKernel();
  AccessProfile P(R.get());
  for (uint64_t N : {10u, 30u})
    observe(P, R, {0x1000, 0x9000, N});
  P.repeat();
  observe(P, R, {0x1000, 0x9000, static_cast<uint64_t>(-5)});
  const LoopProfile &L = P.loops()[0];
  EXPECT_EQ(L.Line, 12u);
  EXPECT_EQ(L.Count, 4u);
  EXPECT_EQ(L.Min, 0);
  EXPECT_EQ(L.Max, 30);
  EXPECT_DOUBLE_EQ(L.mean(), 70.0 / 4);
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 4u);
}

TEST(AccessProfile, TripCountsThatNoLoopReachesAreUnknown) {
  TestRegion R = copyKernel();
  AccessProfile P(R.get());
  for (uint64_t N : {uint64_t{7}, static_cast<uint64_t>(INT64_MAX), (uint64_t{1} << 60) + 1})
    observe(P, R, {0x1000, 0x9000, N});
  EXPECT_EQ(P.loops()[0].Count, 1u);
  EXPECT_EQ(P.loops()[0].Max, 7);
}

TEST(AccessProfile, NeverFollowsPointers) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)});
  R.Accesses[1].range.base.kind = SPECRT_BASE_LOADED;
  AccessProfile P(R.get());
  observe(P, R, {0x1000, 0x10 /* would fault */, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
}

TEST(AccessProfile, UnknownRangesAndReadsOnly) {
  TestRegion R({Pointer, Pointer, I64},
               {access(0, unknown(), SPECRT_ACCESS_WRITE),
                access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ),
                access(1, polynomial({term(4, {2})}), SPECRT_ACCESS_READ)});
  AccessProfile P(R.get());
  ASSERT_EQ(P.pairs().size(), 2u); // two reads need no comparison
  observe(P, R, {0x1000, 0x9000, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
  observe(P, R, {0x1000, 0x9000, 0}); // but nothing overlaps an empty range
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 1u);
}

TEST(AccessProfile, SymbolsHaveAddresses) {
  static double Global[100];
  TestRegion R({Pointer, I64}, {access(0, polynomial({term(8, {1})}), SPECRT_ACCESS_READ),
                                access(0, polynomial({term(800)}), SPECRT_ACCESS_WRITE)});
  R.Symbols.push_back({"Global", Global});
  R.Accesses[1].range.base.kind = SPECRT_BASE_SYMBOL;
  AccessProfile P(R.get());
  observe(P, R, {reinterpret_cast<uint64_t>(Global + 50), 1});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Overlapping], 1u);
  observe(P, R, {reinterpret_cast<uint64_t>(Global + 100), 1});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Disjoint], 1u);
}

TEST(AccessProfile, RangesAcrossTheAddressSpacesEndAreUnknown) {
  TestRegion R = copyKernel();
  AccessProfile P(R.get());
  observe(P, R, {UINT64_MAX - 8, 0x1000, 100});
  EXPECT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 1u);
}

TEST(AccessProfile, AgreesWithAMarkedMemory) {
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
    AccessProfile P(R.get());
    observe(P, R,
            {static_cast<uint64_t>(A), static_cast<uint64_t>(B), static_cast<uint64_t>(N),
             static_cast<uint64_t>(M)});
    ASSERT_EQ(P.pairs()[0].Counts[PairProfile::Overlapping], Overlap ? 1u : 0u)
        << A << " " << B << " " << N << " " << M;
    ASSERT_EQ(P.pairs()[0].Counts[PairProfile::Unknown], 0u);
  }
}

TEST(AccessProfile, EvaluatesManyChangingCallsSparsely) {
  TestRegion R = copyKernel();
  AccessProfile P(R.get());
  constexpr uint64_t Calls = AccessProfile::DenseEvaluations + 8 * AccessProfile::SparsePeriod;
  for (uint64_t I = 0; I < Calls; ++I) {
    observe(P, R, {0x100000, 0x200000, I});
    P.repeat();
  }
  EXPECT_EQ(P.loops()[0].Count, 2 * (AccessProfile::DenseEvaluations + 8));
  EXPECT_EQ(P.loops()[0].Max, static_cast<int64_t>(Calls) - 1);
}

TEST(AccessProfile, MoreAccessesThanTheLimit) {
  std::vector<specrt_access> Accesses(50, access(0, polynomial({term(8)}), SPECRT_ACCESS_WRITE));
  TestRegion R({Pointer}, Accesses);
  AccessProfile P(R.get());
  observe(P, R, {0x1000});
  EXPECT_EQ(P.pairs().size(), 32u * 31 / 2);
  std::vector<uint8_t> Matrix = P.overlapMatrix();
  ASSERT_EQ(Matrix.size(), 2500u);
  EXPECT_EQ(Matrix[1], 1);
  EXPECT_EQ(Matrix[49], 0);
}

} // namespace
