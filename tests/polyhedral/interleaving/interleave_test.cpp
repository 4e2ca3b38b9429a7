//===- tests/polyhedral/interleaving/interleave_test.cpp - nests that take turns ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of all arrays after each nest are compared with those after the original, byte by
// byte, and so is the memory around the arrays. Parallel loops run in reversed order.
//
//===----------------------------------------------------------------------===//
#include "analysis/pipeline_positions.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace specrt;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Made : ComparedRun {
  PolyhedralResult Result;
};

Made make(const char *Name, const Sizes &S, unsigned Threads = 1,
          std::vector<GivenPositions> Given = {}) {
  NestCompiler Compiler(SPECRT_NESTS_IN_TURN_IR, Name);
  if (!Given.empty())
    placePipeline(Compiler.canonical(), Given);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::Pipeline);
  Options.Parallel = Threads > 1;
  Options.Target.L1Bytes = 4 * 1024;
  Options.Target.L2Bytes = 32 * 1024;
  Options.Target.Threads = Threads;
  Made All;
  All.Result = Compiler.specialize(S, Options);
  static_cast<ComparedRun &>(All) =
      compareRun(originalNest(SPECRT_NESTS_IN_TURN_IR, Name), Compiler.compile(), S);
  return All;
}

constexpr Sizes Grid = {101, 60, 9};

TEST(Interleaving, SecondNestsStayAsFarBehindAsNeeded) {
  const Made Stages = make("two_stages", Grid);
  EXPECT_THAT(Stages.Result.Notes, HasSubstr("2 nests in turn"));
  EXPECT_THAT(Stages.Result.Notes, HasSubstr("at [0,0] [4,0]")) << "iteration 0 is row 2";
  EXPECT_TRUE(Stages.IsRight) << Stages.Result.Notes;
  const Made Colours = make("red_black", Grid);
  EXPECT_THAT(Colours.Result.Notes, HasSubstr("at [0,0] [1,1]"));
  EXPECT_TRUE(Colours.IsRight) << Colours.Result.Notes;
  const Made Board = make("checkerboard", Grid);
  EXPECT_THAT(Board.Result.Notes, ContainsRegex("at \\[0(,0)?\\] \\[1(,[0-9])?\\]"));
  EXPECT_TRUE(Board.IsRight) << Board.Result.Notes;
}

TEST(Interleaving, GrainsFollowFromSpeeds) {
  const Made All = make("half_rows", Grid);
  EXPECT_THAT(All.Result.Notes, HasSubstr("at [0,0] [2+2k,0]"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

TEST(Interleaving, TakesAllNestsThatItCan) {
  const Made All = make("three_stages", Grid);
  EXPECT_THAT(All.Result.Notes, HasSubstr("3 nests in turn"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

TEST(Interleaving, RowsOfABlockRunInParallel) {
  for (const char *Name : {"two_stages", "red_black", "checkerboard", "three_stages", "pictures"}) {
    const Made All = make(Name, Grid, 2);
    EXPECT_GT(All.NumReversed, 0) << Name << All.Result.Notes;
    EXPECT_TRUE(All.IsRight) << Name << All.Result.Notes;
  }
}

TEST(Interleaving, LongRowsAreCut) {
  const Made All = make("two_stages", {40, 300, 1});
  EXPECT_THAT(All.Result.Notes, ContainsRegex("blocks of [0-9]+ x [0-9]+ points"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// The array between two stages holds the rows of a block.
TEST(Interleaving, ArraysBetweenNestsBecomeSmall) {
  const Made All = make("pictures", Grid);
  EXPECT_THAT(All.Result.Notes, ContainsRegex("2 nests in turn.*: 48.5 KB -> [0-9.]+ KB"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// Kernels hold the addresses of their operands.
TEST(Interleaving, OperandsOfKernelsKeepTheirPlaces) {
  for (const unsigned Threads : {1U, 2U}) {
    const Made All = make("products_of_pictures", Grid, Threads);
    EXPECT_GT(All.Result.NumKernels, 0u) << All.Result.Notes;
    EXPECT_THAT(All.Result.Notes, Not(HasSubstr(" -> ")));
    EXPECT_THAT(All.Result.Notes, Not(HasSubstr("private")));
    EXPECT_TRUE(All.IsRight) << All.Result.Notes;
  }
}

/// Threads share the rows of a block: a piece for each of two threads has half as many rows.
TEST(Interleaving, KernelsAreCutWithinBlocks) {
  NestCompiler Compiler(SPECRT_NESTS_IN_TURN_IR, "products_of_pictures");
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::Pipeline);
  Options.Parallel = true;
  Options.Target.L1Bytes = 4 * 1024;
  Options.Target.L2Bytes = 32 * 1024;
  Options.Target.Threads = 2;
  std::string Code;
  llvm::raw_string_ostream Stream(Code);
  Options.Dump = &Stream;
  const PolyhedralResult Result = Compiler.specialize(Grid, Options);
  EXPECT_THAT(Result.Notes, HasSubstr("in blocks of 30 rows"));
  EXPECT_THAT(Code, ContainsRegex("min\\(100, 15 \\* c[0-9] \\+ 14\\)")) << Code;
}

TEST(Interleaving, SaysWhyNot) {
  EXPECT_THAT(make("transposed", Grid).Result.Notes, HasSubstr("half done"));
  EXPECT_THAT(make("strangers", Grid).Result.Notes, HasSubstr("nothing in common"));
  EXPECT_THAT(make("two_stages", {11, 12, 1}).Result.Notes, HasSubstr("first cache"));
}

GivenPositions at(int64_t Outer, int64_t Inner) {
  return {GivenPosition{Outer, std::nullopt}, GivenPosition{Inner, std::nullopt}};
}

TEST(Interleaving, LegalOffsetsAreTaken) {
  const Made All = make("red_black", Grid, 1, {at(0, 0), at(3, 1)});
  EXPECT_THAT(All.Result.Notes, HasSubstr("at [0,0] [3,1]"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// The offsets of figure 7 of the paper are illegal.
TEST(Interleaving, IllegalOffsetsAreRefused) {
  const Made All = make("red_black", Grid, 1, {at(0, 0), at(0, 1)});
  EXPECT_EQ(All.Result.NumGenerated, 0u);
  EXPECT_THAT(All.Result.Notes, HasSubstr("illegal offsets [0,0] [0,1]: nest 2 would "));
  EXPECT_THAT(All.Result.Notes, HasSubstr("the least legal offsets are [0,0] [1,0]"));
}

/// Two of the three nests could take turns, but not as the program says.
TEST(Interleaving, GivenPositionsAreOfAllNests) {
  const Made All = make("three_nests", Grid, 1, {at(0, 0), at(2, 0), at(5, 0)});
  EXPECT_THAT(All.Result.Notes, HasSubstr("3 nests in turn"));
  EXPECT_THAT(All.Result.Notes, HasSubstr("at [0,0] [2,0] [5,0]"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
  const Made None = make("three_nests", Grid, 1, {at(0, 0), at(2, 0), at(3, 0)});
  EXPECT_EQ(None.Result.NumGenerated, 0u);
  EXPECT_THAT(None.Result.Notes, HasSubstr("illegal offsets [0,0] [2,0] [3,0]: nest 3 would "));
}

TEST(Interleaving, SaysWhichGivenPositionsAreNotUsed) {
  const Made Two = make("two_stages", Grid, 1, {at(0, 0), at(9, 0), at(20, 0)});
  EXPECT_THAT(Two.Result.Notes, HasSubstr("at [0,0] [4,0]"));
  EXPECT_THAT(Two.Result.Notes,
              HasSubstr("the offsets and grains that the program gives for 3 nests are not used, "
                        "because the model has 2 nests in a sequence of 2"));
  EXPECT_TRUE(Two.IsRight) << Two.Result.Notes;
  const GivenPositions Nothing;
  EXPECT_THAT(make("two_stages", Grid, 1, {Nothing, Nothing, Nothing}).Result.Notes,
              Not(HasSubstr("not used")));
}

/// Only the distance of nests counts.
TEST(Interleaving, GivenOffsetsMayAllBeLarge) {
  const Made All = make("two_stages", Grid, 1, {at(60, 0), at(64, 0)});
  EXPECT_THAT(All.Result.Notes, HasSubstr("at [60,0] [64,0]"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// 9 KB, of which each thread gets a part that its first cache of 4 KB holds.
TEST(Interleaving, FirstCachesOfAllThreadsCount) {
  constexpr Sizes Small = {24, 16, 1};
  EXPECT_THAT(make("two_stages", Small, 1).Result.Notes, HasSubstr("2 nests in turn"));
  EXPECT_THAT(make("two_stages", Small, 4).Result.Notes, HasSubstr("first cache"));
}

TEST(Interleaving, SaysThatTheSearchWasTooLong) {
  NestCompiler Compiler(SPECRT_NESTS_IN_TURN_IR, "two_stages");
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::Pipeline);
  Options.Target.L1Bytes = 4 * 1024;
  Options.Target.L2Bytes = 32 * 1024;
  Options.MaxTilingOperations = 500;
  const PolyhedralResult Result = Compiler.specialize(Grid, Options);
  EXPECT_EQ(Result.NumGenerated, 0u);
  EXPECT_THAT(Result.Notes, HasSubstr("the search for blocks exceeded its limit"));
}

} // namespace
