//===- tests/polyhedral/distribution/distributed_loops_test.cpp - loops in two parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests run the iterations of parallel loops one by one in reversed order. So a value that the
// first loop keeps in the wrong place, or an iteration of the second loop that runs early, changes
// the result.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

/// The result of sharing the loops of a nest, and of one run of its code.
struct Made : ComparedRun {
  SharedLoops Shared;
};

Made make(const char *Name, const Sizes &S, unsigned NumKnown = 3) {
  NestCompiler Compiler(SPECRT_DISTRIBUTED_NESTS_IR, Name);
  Made All;
  All.Shared = Compiler.share(S, NumKnown).Shared;
  static_cast<ComparedRun &>(All) =
      compareRun(originalNest(SPECRT_DISTRIBUTED_NESTS_IR, Name), Compiler.compile(), S);
  return All;
}

class DistributedNests : public testing::TestWithParam<const char *> {};

TEST_P(DistributedNests, KeepTheOrderOfUpdates) {
  for (const unsigned NumKnown : {3U, 0U}) {
    SCOPED_TRACE(NumKnown);
    const Made All = make(GetParam(), {40, 12, 9}, NumKnown);
    EXPECT_EQ(All.Shared.Distributed, 1u);
    EXPECT_GE(All.NumReversed, 1);
    EXPECT_TRUE(All.IsRight);
  }
}

INSTANTIATE_TEST_SUITE_P(, DistributedNests,
                         testing::Values("nearest_centre", "best_so_far", "sums_of_series",
                                         "kinds_of_values", "scattered_steps", "scattered_blocks",
                                         "forces_of_pairs", "forces_of_lists", "distances_of_pairs",
                                         "forces_of_cells", "members_of_pairs", "rows_of_branches"),
                         [](const auto &Info) { return std::string(Info.param); });

/// A strip of one value has 32768 iterations.
TEST(DistributedLoops, ManyIterationsAreSplitIntoStrips) {
  for (const char *Name : {"nearest_centre", "sums_of_series", "forces_of_pairs"})
    for (const unsigned NumKnown : {3U, 0U}) {
      SCOPED_TRACE(Name);
      const Made All = make(Name, {70000, 3, 2}, NumKnown);
      EXPECT_EQ(All.Shared.Distributed, 1u);
      EXPECT_EQ(All.Shared.Outermost, All.Shared.All);
      EXPECT_GE(All.NumReversed, 3);
      EXPECT_TRUE(All.IsRight);
    }
}

/// 720,000 pairs with two words each do not fit into the memory of two threads at once.
TEST(DistributedLoops, ValuesOfInnerLoopsAreKeptInStrips) {
  for (const unsigned NumKnown : {3U, 0U}) {
    const Made All = make("distances_of_pairs", {1200, 1, 1}, NumKnown);
    EXPECT_EQ(All.Shared.Distributed, 1u);
    EXPECT_GE(All.NumReversed, 5);
    EXPECT_TRUE(All.IsRight);
  }
}

/// The arrays may overlap. What an iteration writes could choose memory that is never read.
TEST(DistributedLoops, ChosenAddressesAreReadAnyway) {
  for (const char *Name : {"next_of_chosen", "first_is_chosen"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {40, 12, 9});
    EXPECT_EQ(All.Shared.Distributed, 0u);
    EXPECT_TRUE(All.IsRight);
  }
}

/// The values of one iteration do not fit. Were its length known, the inner loop would be split.
TEST(DistributedLoops, LongInnerLoopsRunAsWritten) {
  const Made All = make("forces_of_rows", {5, 3, 300000}, /*NumKnown=*/0);
  EXPECT_EQ(All.Shared.Distributed, 1u);
  EXPECT_EQ(All.NumReversed, 0);
  EXPECT_TRUE(All.IsRight);
}

TEST(DistributedLoops, MembersOfStructuresAreApart) {
  const Made All = make("members_of_others", {40, 12, 9});
  EXPECT_EQ(All.Shared.Distributed, 0u);
  EXPECT_EQ(All.Shared.Outermost, 1u);
  EXPECT_GE(All.NumReversed, 1);
  EXPECT_TRUE(All.IsRight);
  EXPECT_TRUE(make("members_that_meet", {40, 12, 9}).IsRight);
}

/// The first loop reads what the second one would write, which its addresses show.
TEST(DistributedLoops, MemoryThatIsReadAndWrittenIsUpdatedAsWritten) {
  const Made All = make("moves_of_pairs", {40, 12, 9});
  EXPECT_EQ(All.Shared.Distributed, 1u);
  EXPECT_TRUE(All.IsRight);
}

TEST(DistributedLoops, WithoutMemoryForValuesTheLoopRunsAsWritten) {
  for (const char *Name : {"nearest_centre", "forces_of_lists"}) {
    SCOPED_TRACE(Name);
    const NoScratch None;
    const Made All = make(Name, {40, 12, 9});
    EXPECT_EQ(All.Shared.Distributed, 1u);
    EXPECT_TRUE(NoScratch::wasAsked());
    EXPECT_EQ(All.NumReversed, 0);
    EXPECT_TRUE(All.IsRight);
  }
}

/// How often a loop of constant length starts is not known if the length of a loop around it is
/// not. The time of a call says nothing about one start then.
TEST(DistributedLoops, ShortLoopsInLoopsOfUnknownLengthAreNotShared) {
  const Made Unknown = make("short_steps", {400, 12, 9}, /*NumKnown=*/0);
  EXPECT_EQ(Unknown.Shared.All, 0u);
  EXPECT_TRUE(Unknown.IsRight);
  EXPECT_EQ(make("short_steps", {400, 12, 9}, /*NumKnown=*/1).Shared.All, 1u);
}

TEST(DistributedLoops, ChainsAndCheapTermsAreNotSplit) {
  for (const char *Name : {"chained", "cheap_terms"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {40, 12, 9});
    EXPECT_EQ(All.Shared.Distributed, 0u);
    EXPECT_TRUE(All.IsRight);
  }
}

} // namespace
