//===- tests/profiler/value_profile_test.cpp - values of one argument -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/value_profile.h"

#include "specrt/abi.h"
#include "tests/profiler/test_region.h"
#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace specrt;
using specrt_test::packed;

namespace {

using Counts = std::map<uint64_t, uint64_t>;

/// What Space-Saving promises about the table.
void expectBounds(const ValueProfile &P, const Counts &Exact) {
  uint64_t Calls = 0, Smallest = UINT64_MAX;
  std::map<uint64_t, ValueCount> Table;
  for (const auto &[Value, Count] : Exact)
    Calls += Count;
  ASSERT_EQ(P.calls(), Calls);
  for (const ValueCount &E : P.values()) {
    Smallest = std::min(Smallest, E.Count);
    if (E.Count == 0)
      continue;
    ASSERT_TRUE(Table.emplace(E.Value, E).second) << "value listed twice";
    uint64_t True = Exact.count(E.Value) ? Exact.at(E.Value) : 0;
    ASSERT_LE(True, E.Count);
    ASSERT_LE(E.Count - E.Error, True);
  }
  for (const auto &[Value, Count] : Exact)
    if (!Table.count(Value))
      ASSERT_LE(Count, Smallest) << "a frequent value is missing";
}

TEST(ValueProfile, OneValue) {
  ValueProfile P(SPECRT_KIND_I32);
  for (int I = 0; I < 5; ++I)
    P.record(1000);
  EXPECT_EQ(P.top().Value, 1000u);
  EXPECT_EQ(P.top().Count, 5u);
  EXPECT_EQ(P.top().Error, 0u);
  EXPECT_EQ(P.min(), 1000);
  EXPECT_EQ(P.max(), 1000);
}

TEST(ValueProfile, SignedBounds) {
  ValueProfile P(SPECRT_KIND_I32);
  for (int V : {-10, 2, 14, 26})
    P.record(static_cast<uint32_t>(V));
  EXPECT_EQ(P.min(), -10);
  EXPECT_EQ(P.max(), 26);
  EXPECT_EQ(P.packedBound(P.min()), 0xfffffff6u);
}

TEST(ValueProfile, OrdersFloatingPoint) {
  ValueProfile P(SPECRT_KIND_F64), F(SPECRT_KIND_F32);
  for (double V : {1.5, -2.0, 0.0, -3.5, 1e300}) {
    P.record(packed(V));
    F.record(std::bit_cast<uint32_t>(static_cast<float>(V / 1e200)));
  }
  EXPECT_EQ(std::bit_cast<double>(P.packedBound(P.min())), -3.5);
  EXPECT_EQ(std::bit_cast<double>(P.packedBound(P.max())), 1e300);
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(F.packedBound(F.max()))),
            std::numeric_limits<float>::infinity());
}

TEST(ValueProfile, AlignmentOfAllAddresses) {
  ValueProfile P(SPECRT_KIND_POINTER);
  EXPECT_EQ(P.alignment(), 1u);
  P.record(0x7f0000100000);
  EXPECT_EQ(P.alignment(), ValueProfile::MaxAlignment);
  P.record(0x7f0000100040);
  EXPECT_EQ(P.alignment(), 64u);
  P.record(0x7f0000100048);
  EXPECT_EQ(P.alignment(), 8u);
}

/// A stream where some values recur and most do not.
uint64_t draw(std::mt19937_64 &Random) {
  uint64_t Width = Random() % 4;
  return Random() % (Width == 0 ? 3 : Width == 1 ? 12 : 500);
}

TEST(ValueProfile, KeepsItsPromiseOnRandomStreams) {
  std::mt19937_64 Random(11);
  for (int Stream = 0; Stream < 300; ++Stream) {
    ValueProfile P(SPECRT_KIND_I64);
    Counts Exact;
    for (uint64_t I = 0, N = 1 + Random() % 2000; I < N; ++I) {
      uint64_t V = draw(Random);
      P.record(V);
      ++Exact[V];
    }
    expectBounds(P, Exact);
  }
}

TEST(ValueProfile, KeepsItsPromiseAfterMerging) {
  std::mt19937_64 Random(12);
  for (int Case = 0; Case < 300; ++Case) {
    ValueProfile Merged(SPECRT_KIND_I64);
    Counts Exact;
    int64_t Low = INT64_MAX, High = INT64_MIN;
    for (int Part = 0; Part < 4; ++Part) {
      ValueProfile P(SPECRT_KIND_I64);
      uint64_t Step = 1 + Random() % 4, Shift = Random() % 50;
      for (uint64_t I = 0, N = Random() % 500; I < N; ++I) {
        uint64_t V = Shift + Step * draw(Random);
        P.record(V);
        ++Exact[V];
        Low = std::min(Low, static_cast<int64_t>(V));
        High = std::max(High, static_cast<int64_t>(V));
      }
      Merged.merge(P);
    }
    expectBounds(Merged, Exact);
    if (Exact.empty())
      continue;
    EXPECT_EQ(Merged.min(), Low);
    EXPECT_EQ(Merged.max(), High);
  }
}

TEST(ValueProfile, RecordsOnAfterMerging) {
  ValueProfile A(SPECRT_KIND_I64), B(SPECRT_KIND_I64);
  A.record(1);
  for (int I = 0; I < 3; ++I)
    B.record(2);
  A.merge(B);
  A.record(1);
  A.record(2);
  expectBounds(A, {{1, 2}, {2, 4}});
}

} // namespace
