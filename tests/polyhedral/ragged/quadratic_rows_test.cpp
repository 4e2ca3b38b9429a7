//===- tests/polyhedral/ragged/quadratic_rows_test.cpp - which arrays have such rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/merged_values.h"
#include "specializer/polyhedral/ragged/quadratic_rows.h"
#include "tests/polyhedral/nest_compiler.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;

namespace {

/// Row arrays of a nest with these sizes.
std::vector<RaggedArray> rowsOf(const char *Nest, const Sizes &S, unsigned NumKnown = 3) {
  NestCompiler Compiler(SPECRT_RAGGED_NESTS_IR, Nest);
  Function &F = Compiler.withSizes(S, NumKnown);
  FunctionAnalysisManager &FAM = Compiler.functions();
  if (computeMergedValues(F, FAM.getResult<DominatorTreeAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  std::vector<RaggedArray> Rows;
  for (RaggedArray &Array : findQuadraticRows(F, FAM.getResult<ScalarEvolutionAnalysis>(F),
                                              FAM.getResult<LoopAnalysis>(F))) {
    Array.Accesses.clear();
    Array.Base = nullptr; // ends with the compiler
    Rows.push_back(std::move(Array));
  }
  return Rows;
}

constexpr Sizes Some = {30, 20, 10};

TEST(QuadraticRows, ATriangleGrowsByOne) {
  for (const char *Nest :
       {"lower_times", "lower_times_int", "times_vector", "rank_update", "from_the_right",
        "transposed_times", "running_offset", "every_other_row", "some_of_them", "backwards"}) {
    std::vector<RaggedArray> Rows = rowsOf(Nest, Some);
    ASSERT_EQ(Rows.size(), 1u) << Nest;
    EXPECT_EQ(Rows[0].ElementBytes, 8) << Nest;
    EXPECT_EQ(std::abs(Rows[0].Curvature), std::string(Nest) == "every_other_row" ? 4 : 1) << Nest;
    // Columns 0 to 29, and a margin on both sides.
    EXPECT_GE(Rows[0].Pitch, 30 + 2 * ColumnMargin) << Nest;
  }
}
TEST(QuadraticRows, FromBelowItShrinks) {
  std::vector<RaggedArray> Rows = rowsOf("upper_times", Some);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Curvature, -1);
}
TEST(QuadraticRows, SquaresAreTwiceAsFarApart) {
  for (const char *Nest : {"squares", "rows_of_squares", "gathered_squares"}) {
    std::vector<RaggedArray> Rows = rowsOf(Nest, Some);
    ASSERT_EQ(Rows.size(), 1u) << Nest;
    EXPECT_EQ(Rows[0].Curvature, 2) << Nest;
    EXPECT_EQ(Rows[0].Slope, 1) << Nest;
  }
}
TEST(QuadraticRows, AllAccessesOfAnArrayCount) {
  for (const char *Nest : {"factorisation", "both_halves", "solve", "triangle_of_numbers",
                           "steps_in_a_triangle", "next_row"})
    EXPECT_EQ(rowsOf(Nest, Some).size(), 1u) << Nest;
}
TEST(QuadraticRows, RowsThatOverlapAreNone) {
  EXPECT_TRUE(rowsOf("overlapping_rows", Some).empty());
  EXPECT_TRUE(rowsOf("one_too_many", Some).empty()) << "by one element";
}
TEST(QuadraticRows, OtherAccessesForbidThem) {
  EXPECT_TRUE(rowsOf("two_functions", Some).empty());
  EXPECT_TRUE(rowsOf("also_flat", Some).empty());
  EXPECT_TRUE(rowsOf("by_turns", Some).empty()) << "through a pointer to this array or another";
}
TEST(QuadraticRows, OtherFunctionsAreNone) { EXPECT_TRUE(rowsOf("cubes", {64, 1, 1}).empty()); }
TEST(QuadraticRows, SizesMustBeKnown) {
  EXPECT_TRUE(rowsOf("lower_times", Some, /*NumKnown=*/0).empty());
  EXPECT_EQ(rowsOf("lower_times", Some, /*NumKnown=*/1).size(), 1u) << "those of the rows";
}
TEST(QuadraticRows, OneRowIsNotCurved) {
  EXPECT_TRUE(rowsOf("lower_times", {1, 20, 10}).empty());
  EXPECT_TRUE(rowsOf("lower_times", {2, 20, 10}).empty());
}

TEST(QuadraticRows, WhatIsModelledIsNoCause) {
  NestCompiler AsWritten(SPECRT_RAGGED_NESTS_IR, "times_vector"),
      Compiler(SPECRT_RAGGED_NESTS_IR, "times_vector");
  auto IsSubscript = [](const RejectionCause &Cause) { return Cause.Kind == "non-affine access"; };
  std::vector<RejectionCause> Causes = AsWritten.causes();
  ASSERT_TRUE(any_of(Causes, IsSubscript));
  PolyhedralResult Result = Compiler.specialize({90, 80, 70}, {});
  ASSERT_EQ(Result.NumGenerated, 1u) << Result.Notes;
  ASSERT_EQ(Result.Modelled.size(), 1u);
  EXPECT_EQ(Result.Modelled[0].Line, 48u);
  std::vector<RejectionCause> Others = Causes;
  for (ModelledSubscript &Elsewhere : Result.Modelled)
    ++Elsewhere.Line;
  removeAnswered(Others, Result.Modelled);
  EXPECT_EQ(Others.size(), Causes.size());
  for (ModelledSubscript &Known : Result.Modelled)
    --Known.Line;
  removeAnswered(Causes, Result.Modelled);
  EXPECT_FALSE(any_of(Causes, IsSubscript));
}

} // namespace
