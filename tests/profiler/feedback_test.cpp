//===- tests/profiler/feedback_test.cpp - what is said of loops -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/feedback/advice.h"
#include "profiler/feedback/feedback_json.h"
#include "profiler/feedback/nest_json.h"
#include "profiler/feedback/recorded_nest.h"
#include "profiler/feedback/verdicts.h"
#include "profiler/json/json_reader.h"
#include "profiler/observations/folded_streams.h"
#include "tests/profiler/test_region.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace specrt;
using nlohmann::json;

namespace {

/// Two loops around a store of line 5 to an array a of doubles, and a load of it.
Nest twoLoops(std::vector<Distance> Distances, uint32_t Level) {
  Nest N;
  N.From = Nest::Recording;
  N.Loops = {{.Line = 3, .Depth = 1, .Trips = 10}, {.Line = 4, .Depth = 2, .Trips = 20}};
  N.Accesses.push_back({.Line = 5,
                        .Width = 8,
                        .IsWrite = true,
                        .Array = "a",
                        .Loops = {0, 1},
                        .Strides = {160, 8},
                        .Points = 200});
  N.Dependences.push_back({.Name = "a",
                           .FromLine = 5,
                           .ToLine = 5,
                           .Loops = {0, 1},
                           .Level = Level,
                           .Distances = std::move(Distances)});
  return N;
}

TEST(Feedback, WhatALoopCarriesIsNotParallel) {
  const Nest N = twoLoops({{1, 1}, {0, 0}}, 0);
  const LoopVerdicts Outer = judge(N, 0), Inner = judge(N, 1);
  EXPECT_EQ(Outer.Parallel.Is, LoopAnswer::No);
  EXPECT_EQ(Outer.Parallel.Because, "line 5 -> line 5 through a, distance (1, 0)");
  EXPECT_EQ(Inner.Parallel.Is, LoopAnswer::Yes);
  EXPECT_EQ(Inner.Vectorisable.Is, LoopAnswer::Yes);
  EXPECT_EQ(Outer.Tilable.Is, LoopAnswer::Yes);
  EXPECT_EQ(Inner.Tilable.Because, "with loop 1");
}

TEST(Feedback, VectorsFitBetweenIterationsThatAreFarApart) {
  EXPECT_EQ(judge(twoLoops({{0, 0}, {3, 3}}, 1), 1).Vectorisable.Is, LoopAnswer::No);
  EXPECT_EQ(judge(twoLoops({{0, 0}, {4, 9}}, 1), 1).Vectorisable.Is, LoopAnswer::Yes);
  EXPECT_EQ(judge(twoLoops({{0, 0}, {4, 9}}, 1), 1).Parallel.Is, LoopAnswer::No);
  EXPECT_EQ(judge(twoLoops({{0, 0}, {std::nullopt, 9}}, 1), 1).Vectorisable.Is, LoopAnswer::No);
}

TEST(Feedback, WhatRunsBackwardsIsSkewed) {
  const Nest N = twoLoops({{1, 1}, {-2, -2}}, 0);
  EXPECT_EQ(judge(N, 0).Tilable.Is, LoopAnswer::No);
  EXPECT_EQ(judge(N, 1).Tilable.Because,
            "line 5 -> line 5 through a, distance (1, -2) goes backwards along loop 2");
  const std::vector<std::string> Advice = adviceFor(N);
  ASSERT_FALSE(Advice.empty());
  EXPECT_EQ(Advice[0], "loop 2 runs against loop 1 (line 5 -> line 5 through a, distance (1, -2)): "
                       "skew it, that is, add 2 times the counter of loop 1 to its own; then both "
                       "can be tiled");
}

TEST(Feedback, AnInterchangeThatADependenceForbidsIsNotAdvised) {
  Nest N = twoLoops({{1, 1}, {-1, -1}}, 0);
  N.Accesses[0].Strides = {8, 160};
  EXPECT_EQ(
      adviceFor(N)[0],
      "line 5 (a) has stride 1 along loop 1, 20 along loop 2, but line 5 -> line 5 through a, "
      "distance (1, -1) forbids to interchange them");
  N.Dependences.clear();
  EXPECT_EQ(adviceFor(N)[0],
            "line 5 (a) has stride 1 along loop 1, 20 along loop 2: interchange them");
}

TEST(Feedback, CountersAreInNobodysWayAndSumsAreTold) {
  Nest N = twoLoops({{0, 0}, {1, 1}}, 1);
  N.Dependences[0].What = NestDependence::Value;
  N.Dependences[0].Role = SPECRT_CARRIED_COUNTER;
  EXPECT_EQ(judge(N, 1).Parallel.Is, LoopAnswer::Yes);
  N.Dependences[0].Role = SPECRT_CARRIED_SUM;
  N.Dependences[0].Name = "s";
  EXPECT_EQ(judge(N, 1).Parallel.Because, "it carries the sum in s (line 5)");
  EXPECT_EQ(judge(N, 1).Vectorisable.Is, LoopAnswer::Yes) << "of integers";
  EXPECT_EQ(feedbackJson(N)["dependences"][0]["role"], "reduction");
  N.Dependences[0].IsFloat = true;
  EXPECT_EQ(judge(N, 1).Vectorisable.Is, LoopAnswer::No);
  EXPECT_EQ(feedbackJson(N)["dependences"][0]["role"], "ordered-reduction");
}

TEST(Feedback, DirectionsHaveSigns) {
  NestDependence D;
  D.Distances = {{2, 2}, {1, 5}, {-3, -1}, {0, 4}, {-1, 1}, {std::nullopt, 3}};
  EXPECT_EQ(distanceText(D), "(2, +, -, 0+, *, *)");
}

TEST(Feedback, IsWrittenAndRead) {
  Nest N = twoLoops({{1, 1}, {std::nullopt, 7}}, 0);
  N.Accesses[0].Strides[1] = std::nullopt;
  N.Domain = {.Outer = 0, .Inner = 1, .Rows = {{0, 0, 19}, {1, 2, 19}}};
  N.Unknown = {1};
  N.DependencePieces = 3;
  specrt_test::TestRegion R({SPECRT_KIND_I64}, {}, {});
  NestProfile First(R.get()), Second(R.get());
  First.set(N);
  JsonReader In;
  Second.readJson(In, json::parse(First.toJson().dump()));
  EXPECT_TRUE(In.good());
  EXPECT_EQ(Second.toJson(), First.toJson());
  EXPECT_EQ(feedbackJson(Second.get()), feedbackJson(N));
  Second.clear();
  EXPECT_TRUE(Second.isEmpty());
}

/// Whatever a damaged file says, words can be made of what is read.
TEST(Feedback, DamagedNestsAreRefusedOrHarmless) {
  Nest N = twoLoops({{1, 1}, {0, 3}}, 0);
  N.Domain = {.Outer = 0, .Inner = 1, .Rows = {{0, 0, 19}}};
  const std::string Text = toJson(N).dump();
  std::mt19937 Random(1);
  const std::string Letters = "0123456789-,[]n\"";
  int Refused = 0;
  for (int Round = 0; Round < 20000; ++Round) {
    std::string Bad = Text;
    for (int Changes = 1 + int(Random() % 3); Changes > 0; --Changes)
      Bad[Random() % Bad.size()] = Letters[Random() % Letters.size()];
    const json Json = json::parse(Bad, nullptr, false);
    if (Json.is_discarded())
      continue;
    JsonReader In;
    feedbackJson(readNest(In, Json));
    Refused += !In.good();
  }
  EXPECT_GT(Refused, 1000);
}

constexpr uint64_t mark(uint64_t Loop, uint64_t Iteration) {
  return (SPECRT_LOOP_MARK + Loop) << SPECRT_RECORDED_ADDRESS_BITS | Iteration;
}
constexpr uint64_t access(uint64_t Index, uint64_t Address) {
  return Index << SPECRT_RECORDED_ADDRESS_BITS | Address;
}

/// a[i] = a[i - 1] in iterations First to Last - 1.
void addChain(std::vector<uint64_t> &Words, uint64_t First, uint64_t Last) {
  for (uint64_t I = First; I < Last; ++I)
    Words.insert(Words.end(), {mark(0, I), access(0, 800 + 8 * I), access(1, 808 + 8 * I)});
}

Nest nestOf(const std::vector<uint64_t> &Words) {
  specrt_recorded_access Load{}, Store{};
  Load.width = Store.width = 8;
  Load.depth = Store.depth = 1;
  Load.line = Store.line = 7;
  Store.flags = SPECRT_RECORDED_WRITE;
  const std::vector<specrt_recorded_access> Accesses = {Load, Store};
  const std::vector<specrt_recorded_loop> Loops = {{.line = 6, .depth = 1}};
  return recordedNest({.Words = Words, .Accesses = Accesses, .Loops = Loops, .Carried = {}},
                      {.CountExactPieces = true});
}

TEST(RecordedNest, HasStridesAndDistances) {
  std::vector<uint64_t> Words;
  addChain(Words, 0, 50);
  const Nest N = nestOf(Words);
  ASSERT_EQ(N.Accesses.size(), 2u);
  EXPECT_EQ(N.Accesses[0].Strides[0], Stride(8));
  EXPECT_EQ(N.Accesses[0].Points, 50u);
  ASSERT_EQ(N.Dependences.size(), 1u);
  EXPECT_EQ(distanceText(N.Dependences[0]), "(1)");
  EXPECT_EQ(N.DependencePieces, 1u);
  EXPECT_EQ(N.ExactPieces, 1u);
  EXPECT_EQ(judge(N, 0).Parallel.Is, LoopAnswer::No);
}

TEST(RecordedNest, ForgetsWhatIsBehindAGap) {
  std::vector<uint64_t> Words;
  addChain(Words, 0, 3);
  // Iteration 9 reads what iteration 8 wrote, which nobody saw; not what an earlier one wrote.
  Words.insert(Words.end(), {mark(0, 9), access(0, 808), mark(0, 10), access(0, 2000)});
  const Nest N = nestOf(Words);
  ASSERT_EQ(N.Dependences.size(), 1u);
  EXPECT_EQ(distanceText(N.Dependences[0]), "(1)");
}

TEST(RecordedNest, OneIterationSaysNothing) {
  std::vector<uint64_t> Words;
  addChain(Words, 0, 1);
  EXPECT_EQ(judge(nestOf(Words), 0).Parallel.Is, LoopAnswer::Unknown);
}

} // namespace
