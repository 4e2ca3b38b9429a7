//===- tests/profiler/streams_test.cpp - recordings as observations -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_reader.h"
#include "profiler/observations/folded_streams.h"
#include "profiler/plans/plan.h"
#include "profiler/streams/recorded_words.h"
#include "tests/profiler/test_region.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint64_t mark(uint64_t Loop, uint64_t Iteration) {
  return (SPECRT_LOOP_MARK + Loop) << SPECRT_RECORDED_ADDRESS_BITS | Iteration;
}
constexpr uint64_t access(uint64_t Index, uint64_t Address) {
  return Index << SPECRT_RECORDED_ADDRESS_BITS | Address;
}

/// Access 4 reads indices in the outer loop, access 6 writes in the inner one.
std::vector<specrt_recorded_access> table() {
  specrt_recorded_access Index{}, Store{};
  Index.number = 4;
  Index.flags = SPECRT_RECORDED_VALUE;
  Index.width = 8;
  Index.depth = 1;
  Store.number = 6;
  Store.flags = SPECRT_RECORDED_WRITE;
  Store.width = 4;
  Store.depth = 2;
  Store.loops[1] = 1;
  return {Index, Store};
}

TEST(RecordedWords, BelongToIterations) {
  const std::vector<uint64_t> Words = {mark(0, 5),     access(0, 800), 17,
                                       mark(1, 0),     access(1, 96),  mark(1, 1),
                                       access(1, 100), mark(0, 6),     access(0, 808)}; // cut off
  const auto Table = table();
  RecordedWords Reader(Words, Table);
  RecordedPoint P{};
  ASSERT_TRUE(Reader.next(P));
  EXPECT_EQ(P.Access, 0u);
  EXPECT_EQ(P.At[0], 5);
  EXPECT_EQ(P.Address, 800u);
  EXPECT_EQ(P.Value, 17);
  ASSERT_TRUE(Reader.next(P));
  EXPECT_EQ(P.At[1], 0);
  ASSERT_TRUE(Reader.next(P));
  EXPECT_EQ(P.Access, 1u);
  EXPECT_EQ(P.At[0], 5);
  EXPECT_EQ(P.At[1], 1);
  EXPECT_EQ(P.Address, 100u);
  EXPECT_FALSE(Reader.next(P));
}

std::vector<uint64_t> recorded(uint64_t Base, int64_t Step) {
  std::vector<uint64_t> Words;
  for (uint64_t I = 0; I < 10; ++I)
    Words.insert(Words.end(), {mark(0, I), access(0, Base + 8 * I),
                               static_cast<uint64_t>(Step * static_cast<int64_t>(I)), mark(1, 0),
                               access(1, 2000 + 4 * I)});
  return Words;
}

CallStreams shown(uint64_t Base, int64_t Step, uint64_t N) {
  return {.Accesses = streamsOf(recorded(Base, Step), table()),
          .Arguments = {Base, N},
          .CallMs = 1,
          .WindowMs = 0.5,
          .Words = 50};
}

TestRegion region() { return TestRegion({SPECRT_KIND_POINTER, SPECRT_KIND_I64}, {}, {}); }

TEST(FoldedStreams, TellWhatLoadsRead) {
  TestRegion R = region();
  FoldedStreams F(R.get());
  EXPECT_TRUE(F.isEmpty());
  F.addCall(shown(800, 3, 10));
  EXPECT_FALSE(F.isEmpty());
  ASSERT_EQ(F.sequences().size(), 1u);
  EXPECT_EQ(F.sequences().front().text(), "4:0+10@0*3,");
  EXPECT_EQ(F.latest().Accesses.at(1).Points, 10u);
}

TEST(FoldedStreams, AreWrittenAndRead) {
  TestRegion R = region();
  FoldedStreams F(R.get()), Read(R.get());
  F.addCall(shown(800, 3, 10));
  JsonReader In;
  Read.readJson(In, nlohmann::json::parse(F.toJson().dump()));
  EXPECT_TRUE(In.good());
  EXPECT_EQ(Read.toJson(), F.toJson());
  EXPECT_EQ(Read.sequences(), F.sequences());
  F.clear();
  EXPECT_TRUE(F.isEmpty());
  EXPECT_EQ(F.toJson(), FoldedStreams(R.get()).toJson());
}

TEST(FoldedStreams, DamagedOnesAreRefused) {
  TestRegion R = region();
  FoldedStreams F(R.get());
  F.addCall(shown(800, 3, 10));
  nlohmann::json Good = F.toJson();
  for (const char *Member : {"calls", "accesses", "arguments", "call_ms"}) {
    nlohmann::json Bad = Good;
    Bad.erase(Member);
    FoldedStreams Read(R.get());
    JsonReader In;
    Read.readJson(In, Bad);
    EXPECT_FALSE(In.good()) << Member;
  }
  Good["accesses"][0]["elements"]["pieces"][0][1] = -1;
  FoldedStreams Read(R.get());
  JsonReader In;
  Read.readJson(In, Good);
  EXPECT_FALSE(In.good());
}

TEST(FoldedStreams, WhatChangesFromCallToCallIsNotBelieved) {
  TestRegion R = region();
  FoldedStreams Known(R.get());
  for (int64_t Step = 1; Step <= 3; ++Step) {
    FoldedStreams Newer(R.get());
    Newer.addCall(shown(800, Step, 10));
    Known.merge(Newer);
  }
  EXPECT_EQ(Known.calls(), 3u);
  EXPECT_TRUE(Known.sequences().empty());
}

TEST(FoldedStreams, OtherSizesAreNoContradiction) {
  TestRegion R = region();
  FoldedStreams Known(R.get());
  for (uint64_t N = 10; N < 14; ++N) {
    FoldedStreams Newer(R.get());
    Newer.addCall(shown(800, static_cast<int64_t>(N), N));
    Known.merge(Newer);
  }
  EXPECT_EQ(Known.sequences().size(), 1u);
}

TEST(FoldedStreams, PlansForOtherIntegersDoNotUseThem) {
  TestRegion R = region();
  FoldedStreams F(R.get());
  F.addCall(shown(800, 3, 10));
  auto PlanFor = [](uint64_t N) {
    SpeculationPlan Plan;
    Plan.Assumed.Facts.resize(2);
    makeConstant(Plan.Assumed.Facts[1], SPECRT_KIND_I64, N);
    return Plan;
  };
  const auto Plans = withSequences({PlanFor(10), PlanFor(11)}, F, R.get());
  ASSERT_EQ(Plans.size(), 3u);
  EXPECT_EQ(Plans[0].Assumed.Sequences, F.sequences());
  EXPECT_TRUE(Plans[1].Assumed.Sequences.empty());
  EXPECT_EQ(Plans[1].Assumed.Facts[1].value, 10u);
  EXPECT_TRUE(Plans[2].Assumed.Sequences.empty());
  EXPECT_NE(Plans[0].Assumed.id(), Plans[1].Assumed.id());
  EXPECT_NE(Plans[0].Assumed.text(), Plans[1].Assumed.text());
}

} // namespace
