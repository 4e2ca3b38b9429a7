//===- tests/profiler/trip_counts_test.cpp - how often loops run ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/trip_counts.h"

#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>

using namespace specrt;
using namespace specrt_test;

namespace {

/// void f(long n): one loop.
struct Loop : TestRegion {
  Loop() : TestRegion({SPECRT_KIND_I64}, {}, {{12, 1, polynomial({term(1, {0})})}}) {}
};

void observe(TripCounts &P, TestRegion &R, uint64_t N) {
  std::vector<uint64_t> Packed = {N};
  P.record(sampled(R, Packed));
}

/// The call before once more.
void repeat(TripCounts &P, TestRegion &R) {
  std::vector<uint64_t> Packed = {0}; // not looked at
  SampledCall Call = sampled(R, Packed);
  Call.SameInputs = true;
  P.record(Call);
}

TEST(TripCounts, CountsTrips) {
  Loop R;
  TripCounts P(R.get());
  for (uint64_t N : {10u, 30u})
    observe(P, R, N);
  repeat(P, R);
  observe(P, R, static_cast<uint64_t>(-5));
  const LoopProfile &L = P.loops()[0];
  EXPECT_EQ(L.Line, 12u);
  EXPECT_EQ(L.Count, 4u);
  EXPECT_EQ(L.Min, 0);
  EXPECT_EQ(L.Max, 30);
  EXPECT_DOUBLE_EQ(L.mean(), 70.0 / 4);
}

TEST(TripCounts, CountsThatNoLoopReachesAreUnknown) {
  Loop R;
  TripCounts P(R.get());
  for (uint64_t N : {uint64_t{7}, static_cast<uint64_t>(INT64_MAX), (uint64_t{1} << 60) + 1})
    observe(P, R, N);
  EXPECT_EQ(P.loops()[0].Count, 1u);
  EXPECT_EQ(P.loops()[0].Max, 7);
}

TEST(TripCounts, EvaluatesManyChangingCallsSparsely) {
  Loop R;
  TripCounts P(R.get());
  constexpr uint64_t Calls =
      EvaluationRhythm::DenseEvaluations + 8 * EvaluationRhythm::SparsePeriod;
  for (uint64_t I = 0; I < Calls; ++I) {
    observe(P, R, I);
    repeat(P, R);
  }
  EXPECT_EQ(P.loops()[0].Count, 2 * (EvaluationRhythm::DenseEvaluations + 8));
  EXPECT_EQ(P.loops()[0].Max, static_cast<int64_t>(Calls) - 1);
}

} // namespace
