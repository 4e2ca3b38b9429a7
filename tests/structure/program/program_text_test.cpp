//===- tests/structure/program/program_text_test.cpp - programs as text ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/program/program_text.h"
#include "structure/propagation/propagation.h"
#include <gtest/gtest.h>
#include <random>

using namespace specrt;

namespace {

AffineValue affine(int64_t Constant, std::vector<int64_t> Loops) {
  return {Constant, std::move(Loops), {}};
}

/// for (i < 8) for (k <= i) y[i] += A[8 * i + k] * x[k]
DenseProgram triangle() {
  DenseProgram P;
  P.Arrays = {{"y of mine", 1, {affine(-1, {})}, false},
              {"A", 1, {affine(-1, {})}, false},
              {"x", 1, {affine(-1, {})}, false}};
  DenseStatement S;
  S.Name = "S1";
  S.Depth = 2;
  S.Domain = {{affine(0, {1, 0}), affine(7, {-1, 0}), affine(0, {0, 1}), affine(0, {1, -1})}};
  S.Write = {0, {affine(0, {1})}};
  S.Reads = {{1, {affine(0, {8, 1})}}, {2, {affine(0, {0, 1})}}, S.Write};
  const unsigned A = S.Value.read(0), X = S.Value.read(1);
  S.Value.apply(DenseOp::MultiplyAdd, A, X, S.Value.read(2));
  P.Statements = {S};
  P.Items = {{true, 0, {{true, 0, {{false, 0, {}}}}}}};
  return P;
}

TEST(ProgramText, IsReadAgain) {
  const DenseProgram P = triangle();
  const std::string Text = programText(P);
  const std::optional<DenseProgram> Again = readProgram(Text);
  ASSERT_TRUE(Again);
  EXPECT_EQ(programText(*Again), Text);
  EXPECT_EQ(Again->statementText(0), P.statementText(0));
  for (const DenseProgram *Of : {&P, &*Again}) {
    const PropagationResult Found = propagate(*Of, {Boxes(), Boxes{{{{{17, 19}}}}}, {}});
    ASSERT_EQ(Found.Error, "");
    EXPECT_EQ(numPoints(*Found.Arrays[0]), 1); // row 2
  }
}

TEST(ProgramText, TrustsNothing) {
  const std::string Text = programText(triangle());
  for (size_t Size = 0; Size < Text.size(); ++Size)
    EXPECT_FALSE(readProgram(Text.substr(0, Size))) << Size;
  EXPECT_FALSE(readProgram(Text + " 1"));
  DenseProgram Deeper = triangle();
  Deeper.Statements[0].Reads[0].Subscripts[0].Loops = {8, 1, 1};
  EXPECT_FALSE(readProgram(programText(Deeper))) << "there are two loops around it";
  std::mt19937 Random(5);
  unsigned Read = 0;
  for (int Round = 0; Round < 20'000; ++Round) {
    std::string Damaged = Text;
    for (int I = 0; I < 3; ++I)
      Damaged[Random() % Damaged.size()] = " 0123456789-:"[Random() % 13];
    if (const std::optional<DenseProgram> P = readProgram(Damaged)) {
      ++Read;
      EXPECT_TRUE(readProgram(programText(*P)));
    }
  }
  EXPECT_GT(Read, 0U) << "some damage is none";
}

} // namespace
