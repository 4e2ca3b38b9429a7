//===- tests/polyhedral/collapsed/collapsed_loops_test.cpp - loops that threads share --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Innermost iterations run one by one, in parts of rows, the last one first.
//
//===----------------------------------------------------------------------===//
#include "specializer/loops/shareable_loops.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

/// The result of sharing the loops of a nest, and of one run of its code.
struct Collapsed {
  SharingOutcome Outcome;
  bool IsRight = false;
  int NumParts = 0; ///< parts of rows that ran
};

/// The nests of which threads share the outermost loop with those inside.
class CollapsedNests : public testing::TestWithParam<const char *> {};

/// Compiles for \p Threads threads. Innermost iterations run in reversed order, in parts of rows.
Collapsed collapse(const char *Name, const Sizes &S, unsigned NumKnown, unsigned Threads = 16) {
  NestCompiler Compiler(SPECRT_COLLAPSED_NESTS_IR, Name);
  Collapsed All;
  All.Outcome = Compiler.share(S, NumKnown, /*NsPerCall=*/1e9, Threads);
  const int Before = LoopEntries::numPartsOfRows();
  All.IsRight =
      haveSameResults(originalNest(SPECRT_COLLAPSED_NESTS_IR, Name), Compiler.compile(), S);
  All.NumParts = LoopEntries::numPartsOfRows() - Before;
  return All;
}

TEST_P(CollapsedNests, RunInAnyOrder) {
  for (const unsigned NumKnown : {3U, 0U})
    for (const Sizes &S : {Sizes{24, 20, 16}, Sizes{17, 24, 20}}) {
      SCOPED_TRACE(testing::Message() << NumKnown << " sizes are known, " << S[0]);
      const Collapsed All = collapse(GetParam(), S, NumKnown);
      EXPECT_EQ(All.Outcome.Shared.Collapsed, 1u) << All.Outcome.Note;
      EXPECT_GE(All.NumParts, 2);
      EXPECT_TRUE(All.IsRight);
    }
}

TEST_P(CollapsedNests, HaveRowsWithoutElements) {
  for (const Sizes &S : {Sizes{1, 9, 1}, Sizes{0, 9, 1}, Sizes{2, 9, 2}, Sizes{2, 9, 0}})
    EXPECT_TRUE(collapse(GetParam(), S, /*NumKnown=*/0).IsRight) << S[0];
}

INSTANTIATE_TEST_SUITE_P(, CollapsedNests,
                         testing::Values("lower_triangle", "shrinking_rows", "few_long_rows",
                                         "scaled_triangle", "tetrahedron", "few_planes_and_rows",
                                         "triangle_of_sums", "counted_triangle",
                                         "triangle_of_ints"),
                         [](const auto &Info) { return std::string(Info.param); });

TEST(CollapsedLoops, CollapsedLoopsMayCountDown) {
  const Collapsed All = collapse("descending_triangle", {24, 20, 16}, /*NumKnown=*/3);
  EXPECT_EQ(All.Outcome.Shared.Collapsed, 1u);
  EXPECT_GE(All.NumParts, 2);
  EXPECT_TRUE(All.IsRight);
}

/// Rows stay whole if only whole rows may be executed.
TEST(CollapsedLoops, RowsThatMustStayWholeAreNotCut) {
  for (const char *Name :
       {"counted_rows_of_triangle", "triangle_with_diagonal", "triangle_scaled_by_itself",
        "triangle_of_recurrences", "triangle_onto_diagonal", "triangle_with_line",
        "triangle_of_pairs", "triangle_of_strides", "triangle_of_strides_in_line",
        "triangle_that_counts_rows"})
    for (const unsigned NumKnown : {3U, 0U}) {
      SCOPED_TRACE(testing::Message() << Name << ", " << NumKnown << " sizes are known");
      const Collapsed All = collapse(Name, {24, 20, 16}, NumKnown);
      EXPECT_EQ(All.Outcome.Shared.Collapsed, 0u);
      EXPECT_EQ(All.NumParts, 0);
      EXPECT_TRUE(All.IsRight);
    }
}

} // namespace
