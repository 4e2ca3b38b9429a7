//===- tests/runtime/zeros/zero_prediction_test.cpp - where loops leave zeros, by lists ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/zero_prediction.h"
#include "structure/program/program_text.h"
#include <gtest/gtest.h>

using namespace specrt;

namespace {

constexpr int64_t N = 8;

AffineValue affine(int64_t Constant, std::vector<int64_t> Loops) {
  return {Constant, std::move(Loops), {}};
}

std::vector<AffineValue> upTo(unsigned Depth) {
  std::vector<AffineValue> Where;
  for (unsigned K = 0; K < Depth; ++K) {
    std::vector<int64_t> Up(Depth), Down(Depth);
    Up[K] = 1;
    Down[K] = -1;
    Where.push_back(affine(0, Up));
    Where.push_back(affine(N - 1, Down));
  }
  return Where;
}

/// for i: [y[i] = 0;] for k: y[i] += A[8 * i + k] * x[k]
DenseProgram product(bool IsCleared) {
  DenseProgram P;
  P.Arrays = {{"y", 1, {affine(-1, {})}, false},
              {"A", 1, {affine(-1, {})}, false},
              {"x", 1, {affine(-1, {})}, false}};
  const DenseAccess Y{0, {affine(0, {1})}};
  DenseStatement Sum;
  Sum.Name = "S1";
  Sum.Depth = 2;
  Sum.Domain = {upTo(2)};
  Sum.Write = Y;
  Sum.Reads = {{1, {affine(0, {N, 1})}}, {2, {affine(0, {0, 1})}}, Y};
  const unsigned A = Sum.Value.read(0), X = Sum.Value.read(1), Old = Sum.Value.read(2);
  Sum.Value.apply(DenseOp::Add, Old, Sum.Value.apply(DenseOp::Multiply, A, X));
  P.Statements = {Sum};
  const DenseItem Inner{true, 0, {{false, 0, {}}}};
  if (!IsCleared) {
    P.Items = {{true, 0, {Inner}}};
    return P;
  }
  DenseStatement Clear;
  Clear.Name = "S2";
  Clear.Depth = 1;
  Clear.Domain = {upTo(1)};
  Clear.Write = Y;
  Clear.Value.constant(0);
  P.Statements.push_back(Clear);
  P.Items = {{true, 0, {{false, 1, {}}, Inner}}};
  return P;
}

/// Rows 1 and 6 have nonzeros.
struct SomeList {
  const uint64_t Starts[N + 1] = {0, 0, 3, 3, 3, 3, 3, 4, 4};
  const uint32_t Positions[4] = {2, 3, 7, 0};
  specrt_zeros_list List{Starts, Positions, nullptr};

  ListedPattern of(const char *Array, int64_t Pitch = N) const {
    ListedPattern Of{.Array = Array, .Walk = {}, .List = &List, .Rows = N, .Listed = 4};
    Of.Walk.kind = SPECRT_ZEROS_DOUBLE;
    Of.Walk.num_loops = 2;
    Of.Walk.loops[0] = {8 * Pitch, N, {}};
    Of.Walk.loops[1] = {8, N, {}};
    return Of;
  }
};

ZeroPrediction predict(const DenseProgram &P, const ListedPattern &List) {
  return predictZeros(programText(P), {List}, 1000);
}

TEST(ZeroPrediction, CountsWhatMayBeNonzero) {
  const SomeList Some;
  for (const bool IsCleared : {false, true}) {
    const ZeroPrediction Found = predict(product(IsCleared), Some.of("A"));
    ASSERT_EQ(Found.Why, "");
    ASSERT_EQ(Found.Arrays.size(), 1U);
    EXPECT_EQ(Found.Arrays[0].Array, "y");
    EXPECT_EQ(Found.Arrays[0].Elements, uint64_t{N});
    EXPECT_EQ(Found.Arrays[0].Nonzero, 2U);
    EXPECT_EQ(Found.Arrays[0].IfZeroBefore, !IsCleared);
  }
}

/// y[i] += A[8 * i + k] * A[8 * k + i]
TEST(ZeroPrediction, KnowsAllReadsOfAnArray) {
  DenseProgram P = product(true);
  P.Statements[0].Reads[1] = {1, {affine(0, {1, N})}};
  const SomeList Some;
  const ZeroPrediction Found = predict(P, Some.of("A"));
  ASSERT_EQ(Found.Why, "");
  EXPECT_EQ(Found.Arrays[0].Nonzero, 0U) << "no element meets one across the diagonal";
  P.Statements[0].Reads[1] = {1, {affine(N, {1, N})}};
  EXPECT_NE(predict(P, Some.of("A")).Why, "") << "the list does not know the last row";
}

TEST(ZeroPrediction, SaysWhyNot) {
  const SomeList Some;
  EXPECT_NE(predict(product(false), Some.of("A", N + 1)).Why, "") << "rows of another length";
  EXPECT_NE(predict(product(false), Some.of("x")).Why, "") << "not a matrix";
  EXPECT_NE(predict(product(false), Some.of("unknown")).Why, "");
  EXPECT_NE(predictZeros("", {Some.of("A")}, 1000).Why, "");
  EXPECT_NE(predictZeros(programText(product(false)), {Some.of("A")}, 0).Why, "");
  DenseProgram Open = product(false);
  Open.Parameters = {"n"};
  EXPECT_NE(predict(Open, Some.of("A")).Why, "");
  ListedPattern Short = Some.of("A");
  Short.Walk.loops[1].trips = N - 1;
  EXPECT_NE(predict(product(false), Short).Why, "") << "other iterations";
}

} // namespace
