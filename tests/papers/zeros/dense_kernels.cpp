//===- tests/papers/zeros/dense_kernels.cpp - kernels of zeros.c, to be run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/papers/zeros/dense_kernels.h"
#include "tests/polyhedral/nest_compiler.h"

#include <random>

namespace specrt {
namespace {

template <typename F> F *compiled(const char *Name) {
  return nestAs<F>(originalNest(SPECRT_ZEROS_IR, Name));
}
double *data(Arrays &In, const char *Name) { return In.at(Name).data(); }

size_t power(long Base, unsigned Exponent) {
  size_t Result = 1;
  for (unsigned I = 0; I < Exponent; ++I)
    Result *= static_cast<size_t>(Base);
  return Result;
}

} // namespace

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

Arrays randomArrays(const Kernel &K, unsigned Seed) {
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
DenseProgram programOf(const Kernel &K, const CompiledEquations &Of) {
  std::vector<int64_t> Sizes;
  for (const std::string &Parameter : Of.Scop.Program.value().Parameters)
    Sizes.push_back(Parameter == "T" ? K.Steps : K.Size);
  return Of.Scop.Program->with(Sizes);
}

std::vector<ArrayStructure> structuresOf(const Arrays &In, const Kernel &K,
                                         const DenseProgram &Program) {
  std::vector<ArrayStructure> Structures;
  for (const DenseArray &Array : Program.Arrays)
    Structures.push_back(In.contains(Array.Name)
                             ? structureOf(In.at(Array.Name), K.Size, Array.Rank)
                             : ArrayStructure());
  return Structures;
}

} // namespace specrt
