//===- tests/papers/zeros/propagation_test.cpp - predicted and actual nonzeros ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Specializing dense polyhedral programs on sparse inputs", section 6.2: the accuracy of what is
// predicted. Where inputs are positive and only added and multiplied nothing cancels, so that what
// the dense program leaves nonzero must be exactly what was predicted: accuracy 1.
//
//===----------------------------------------------------------------------===//
#include "structure/propagation/propagation.h"
#include "tests/papers/zeros/compiled_equations.h"
#include "tests/polyhedral/nest_compiler.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace specrt;

namespace {

using Arrays = std::map<std::string, std::vector<double>>;

/// A kernel of zeros.c on arrays of n^rank elements.
struct Kernel {
  const char *Name;
  std::map<std::string, unsigned> Ranks; ///< of its arrays
  long Size, Steps;
  bool FullDiagonal; ///< divisors are not zero
  std::function<void(long N, long T, Arrays &)> Run;
};

template <typename F> F *compiled(const char *Name) {
  return nestAs<F>(originalNest(SPECRT_ZEROS_IR, Name));
}
double *data(Arrays &In, const char *Name) { return In.at(Name).data(); }

std::vector<Kernel> kernels() {
  using Stencil = void(long, long, double *, double *);
  return {
      {"spmv",
       {{"A", 2}, {"x", 1}, {"y", 1}},
       40,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, double *, double *, double *)>("spmv")(N, data(In, "y"), data(In, "A"),
                                                                    data(In, "x"));
       }},
      {"spmm",
       {{"A", 2}, {"B", 2}, {"C", 2}},
       25,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, long, double *, double *, double *)>("spmm")(
             N, N, data(In, "C"), data(In, "A"), data(In, "B"));
       }},
      {"spgemm",
       {{"A", 2}, {"B", 2}, {"C", 2}},
       25,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, double, double, double *, double *, double *)>("spgemm")(
             N, 1.5, 2.5, data(In, "C"), data(In, "A"), data(In, "B"));
       }},
      {"gemm",
       {{"A", 2}, {"B", 2}, {"C", 2}},
       25,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, double *, double *, double *)>("gemm")(N, data(In, "C"), data(In, "A"),
                                                                    data(In, "B"));
       }},
      {"jacobi_1d",
       {{"A", 1}, {"B", 1}},
       300,
       5,
       false,
       [](long N, long T, Arrays &In) {
         compiled<Stencil>("jacobi_1d")(T, N, data(In, "A"), data(In, "B"));
       }},
      {"jacobi_2d",
       {{"A", 2}, {"B", 2}},
       30,
       3,
       false,
       [](long N, long T, Arrays &In) {
         compiled<Stencil>("jacobi_2d")(T, N, data(In, "A"), data(In, "B"));
       }},
      {"heat_3d",
       {{"A", 3}, {"B", 3}},
       12,
       2,
       false,
       [](long N, long T, Arrays &In) {
         compiled<Stencil>("heat_3d")(T, N, data(In, "A"), data(In, "B"));
       }},
      {"seidel_1d",
       {{"A", 1}},
       100,
       2,
       false,
       [](long N, long T, Arrays &In) {
         compiled<void(long, long, double *)>("seidel_1d")(T, N, data(In, "A"));
       }},
      {"seidel_2d",
       {{"A", 2}},
       20,
       2,
       false,
       [](long N, long T, Arrays &In) {
         compiled<void(long, long, double *)>("seidel_2d")(T, N, data(In, "A"));
       }},
      {"syrk",
       {{"A", 2}, {"C", 2}},
       25,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, double, double, double *, double *)>("syrk")(
             N, 1.5, 2.5, data(In, "C"), data(In, "A"));
       }},
      {"syr2k",
       {{"A", 2}, {"B", 2}, {"C", 2}},
       25,
       0,
       false,
       [](long N, long, Arrays &In) {
         compiled<void(long, double, double, double *, double *, double *)>("syr2k")(
             N, 1.5, 2.5, data(In, "C"), data(In, "A"), data(In, "B"));
       }},
      {"trisolv",
       {{"L", 2}, {"x", 1}, {"b", 1}},
       40,
       0,
       true,
       [](long N, long, Arrays &In) {
         compiled<void(long, double *, double *, double *)>("trisolv")(
             N, data(In, "L"), data(In, "x"), data(In, "b"));
       }},
      {"lu",
       {{"A", 2}},
       30,
       0,
       true,
       [](long N, long, Arrays &In) { compiled<void(long, double *)>("lu")(N, data(In, "A")); }},
      {"cholesky",
       {{"A", 2}},
       30,
       0,
       true,
       [](long N, long, Arrays &In) {
         compiled<void(long, double *)>("cholesky")(N, data(In, "A"));
       }},
  };
}

size_t power(long Base, unsigned Exponent) {
  size_t Result = 1;
  for (unsigned I = 0; I < Exponent; ++I)
    Result *= static_cast<size_t>(Base);
  return Result;
}

Boxes structureOf(const std::vector<double> &Values, long N, unsigned Rank) {
  Boxes All;
  for (size_t I = 0; I < Values.size(); ++I) {
    if (Values[I] == 0)
      continue;
    Box &Point = All.emplace_back();
    size_t Rest = I;
    for (unsigned D = Rank; D-- > 0; Rest /= static_cast<size_t>(N)) {
      const auto At = static_cast<int32_t>(Rest % static_cast<size_t>(N));
      Point.Sides[D] = {At, At};
    }
  }
  return inSlabs(std::move(All));
}

class Accuracy : public testing::TestWithParam<size_t> {
protected:
  Arrays randomArrays(const Kernel &K, unsigned Seed) const {
    std::mt19937 Random(Seed);
    std::uniform_real_distribution<double> Value(0.5, 1.5);
    const unsigned Every = Seed % 3 == 0 ? 3 : Seed % 3 == 1 ? 12 : 40;
    Arrays All;
    for (const auto &[Name, Rank] : K.Ranks) {
      std::vector<double> &Values = All[Name];
      Values.resize(power(K.Size, Rank));
      for (double &V : Values)
        V = Random() % Every ? 0 : Value(Random);
      for (size_t I = 0; K.FullDiagonal && Rank == 2 && I < static_cast<size_t>(K.Size); ++I)
        Values[I * static_cast<size_t>(K.Size) + I] = Value(Random);
    }
    return All;
  }
};

TEST_P(Accuracy, IsOneForPositiveInputs) {
  const Kernel K = kernels()[GetParam()];
  const CompiledEquations Of(K.Name);
  ASSERT_TRUE(Of.Scop.Program) << Of.Scop.WithoutProgram;
  std::vector<int64_t> Sizes;
  for (const std::string &Parameter : Of.Scop.Program->Parameters)
    Sizes.push_back(Parameter == "T" ? K.Steps : K.Size);
  const DenseProgram Program = Of.Scop.Program->with(Sizes);
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    Arrays In = randomArrays(K, Seed);
    std::vector<ArrayStructure> Inputs;
    for (const DenseArray &Array : Program.Arrays)
      Inputs.push_back(In.contains(Array.Name) ? structureOf(In.at(Array.Name), K.Size, Array.Rank)
                                               : ArrayStructure());
    const PropagationResult Predicted = propagate(Program, Inputs);
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
