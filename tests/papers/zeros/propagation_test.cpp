//===- tests/papers/zeros/propagation_test.cpp - predicted and actual nonzeros ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Specializing dense polyhedral programs on sparse inputs", section 6.2: the accuracy of what is
// predicted. Where inputs are positive and only added and multiplied nothing cancels, so that what
// the dense program leaves nonzero must be exactly what was predicted: accuracy 1.
//
//===----------------------------------------------------------------------===//
#include "tests/papers/zeros/dense_kernels.h"

#include <gtest/gtest.h>

using namespace specrt;

namespace {

class Accuracy : public testing::TestWithParam<size_t> {};

TEST_P(Accuracy, IsOneForPositiveInputs) {
  const Kernel K = kernels()[GetParam()];
  const CompiledEquations Of(K.Name);
  ASSERT_TRUE(Of.Scop.Program) << Of.Scop.WithoutProgram;
  const DenseProgram Program = programOf(K, Of);
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    Arrays In = randomArrays(K, Seed);
    const PropagationResult Predicted = propagate(Program, structuresOf(In, K, Program));
    ASSERT_EQ(Predicted.Error, "");
    K.Run(K.Size, K.Steps, In);
    for (size_t I = 0; I < Program.Arrays.size(); ++I)
      if (const auto Actual = In.find(Program.Arrays[I].Name); Actual != In.end())
        EXPECT_EQ(*Predicted.Arrays[I], structureOf(Actual->second, K.Size, Program.Arrays[I].Rank))
            << K.Name << " " << Actual->first << ", seed " << Seed;
  }
}

/// Nonzeros of the lower triangle of Cholesky's factor, for a matrix whose lower triangle is
/// \p Lower and the diagonal, by one sweep.
int64_t fillOf(int32_t Size, const std::vector<std::pair<int32_t, int32_t>> &Lower) {
  const CompiledEquations Of("cholesky");
  Boxes A;
  auto Add = [&](int32_t I, int32_t J) {
    Box &Point = A.emplace_back();
    Point.Sides[0] = {I, I};
    Point.Sides[1] = {J, J};
  };
  for (int32_t I = 0; I < Size; ++I)
    Add(I, I);
  for (const auto &[I, J] : Lower)
    Add(I, J);
  const PropagationResult Found =
      propagate(Of.Scop.Program.value().with(std::array<int64_t, 1>{Size}), {A});
  EXPECT_EQ(Found.Error, "");
  return numPoints(*Found.Arrays[0]);
}

std::vector<std::pair<int32_t, int32_t>> grid(int32_t Edge) {
  std::vector<std::pair<int32_t, int32_t>> Lower;
  for (int32_t I = 0; I < Edge * Edge; ++I) {
    if (I % Edge)
      Lower.emplace_back(I, I - 1);
    if (I >= Edge)
      Lower.emplace_back(I, I - Edge);
  }
  return Lower;
}

/// nnz of the lower triangle of A -> of L.
TEST(ZerosSection54, FillByOneSweep) {
  EXPECT_EQ(fillOf(9, {}) + static_cast<int64_t>(grid(3).size()), 21);
  EXPECT_EQ(fillOf(9, grid(3)), 29);
  EXPECT_EQ(fillOf(16, {}) + static_cast<int64_t>(grid(4).size()), 40);
  EXPECT_EQ(fillOf(16, grid(4)), 67);
  std::vector<std::pair<int32_t, int32_t>> Band, Last, First;
  for (int32_t I = 1; I < 8; ++I) {
    Band.emplace_back(I, I - 1);
    First.emplace_back(I, 0);
    Last.emplace_back(7, I - 1);
  }
  EXPECT_EQ(fillOf(8, Band), 15);
  EXPECT_EQ(fillOf(8, Last), 15);
  EXPECT_EQ(fillOf(8, First), 36);
}

INSTANTIATE_TEST_SUITE_P(ZerosSection62, Accuracy, testing::Range<size_t>(0, kernels().size()),
                         [](const auto &Of) { return kernels()[Of.param].Name; });

} // namespace
