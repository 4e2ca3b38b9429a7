//===- bench/propagation.cpp - times of propagating zeros of large matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reproduces table 1 of "Specializing dense polyhedral programs on sparse inputs": square matrices
// of n rows with r regions of nonzeros at random places, of 1 to 10 rows and columns (the paper
// gives no size), through the kernels of its section 6.1, from compiled C. Stencils run one step,
// that is, two sweeps. Also prints the accuracy: the ratio of predicted to actual nonzeros of all
// kernels, for small dense arrays.
//
//===----------------------------------------------------------------------===//
#include "tests/papers/zeros/dense_kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace specrt;

namespace {

constexpr int64_t Steps = 1;
constexpr std::pair<int64_t, unsigned> Rows[] = {{3000, 100},    {15000, 500},    {30000, 1000},
                                                 {60000, 2000},  {90000, 3000},   {120000, 4000},
                                                 {150000, 5000}, {300000, 10000}, {600000, 20000}};

/// A kernel and its given arrays. Arrays that it fills are empty, other ones are dense.
struct Row {
  const char *Kernel;
  std::vector<std::string> Given, Empty;
};
const Row Kernels[] = {{"spmm", {"A"}, {"C"}},      {"spgemm", {"A", "B"}, {"C"}},
                       {"jacobi_1d", {"A"}, {"B"}}, {"jacobi_2d", {"A"}, {"B"}},
                       {"syrk", {"A"}, {"C"}},      {"syr2k", {"A", "B"}, {"C"}}};

bool contains(const std::vector<std::string> &Where, const std::string &What) {
  return std::find(Where.begin(), Where.end(), What) != Where.end();
}

Boxes regions(int64_t Size, unsigned Number, unsigned Rank, std::mt19937 &Random) {
  Boxes All(Number);
  for (Box &Region : All) {
    const auto Edge = static_cast<int32_t>(Random() % 10);
    for (unsigned D = 0; D < Rank; ++D) {
      const auto At = static_cast<int32_t>(Random() % static_cast<uint64_t>(Size - Edge));
      Region.Sides[D] = {At, At + Edge};
    }
  }
  return All;
}

/// Returns the median time of \p Repetitions in ms, and the nonzeros of all known arrays.
std::pair<double, int64_t> measure(const CompiledEquations &Of, const Row &Kernel, int64_t Size,
                                   unsigned NumRegions, unsigned Repetitions) {
  std::vector<int64_t> Sizes;
  for (const std::string &Parameter : Of.Scop.Program.value().Parameters)
    Sizes.push_back(Parameter == "T" ? Steps : Size);
  const DenseProgram Program = Of.Scop.Program->with(Sizes);
  std::mt19937 Random(static_cast<unsigned>(Size));
  std::vector<ArrayStructure> Inputs;
  for (const DenseArray &Array : Program.Arrays)
    if (contains(Kernel.Given, Array.Name))
      Inputs.emplace_back(regions(Size, NumRegions, Array.Rank, Random));
    else
      Inputs.push_back(contains(Kernel.Empty, Array.Name) ? ArrayStructure(Boxes())
                                                          : ArrayStructure());
  std::vector<double> Times;
  int64_t Nonzeros = 0;
  for (unsigned I = 0; I < Repetitions; ++I) {
    const auto Begin = std::chrono::steady_clock::now();
    const PropagationResult Result = propagate(Program, Inputs);
    const std::chrono::duration<double, std::milli> Time = std::chrono::steady_clock::now() - Begin;
    Times.push_back(Time.count());
    if (!Result.Error.empty()) {
      (void)std::fprintf(stderr, "error: %s: %s\n", Kernel.Kernel, Result.Error.c_str());
      std::exit(1);
    }
    Nonzeros = 0;
    for (const ArrayStructure &Array : Result.Arrays)
      Nonzeros += Array ? numPoints(*Array) : 0;
  }
  std::nth_element(Times.begin(), Times.begin() + Repetitions / 2, Times.end());
  return {Times[Repetitions / 2], Nonzeros};
}

double accuracy() {
  int64_t Predicted = 0, Actual = 0;
  for (const Kernel &K : kernels()) {
    const CompiledEquations Of(K.Name);
    const DenseProgram Program = programOf(K, Of);
    for (unsigned Seed = 0; Seed < 6; ++Seed) {
      Arrays In = randomArrays(K, Seed);
      const PropagationResult Result = propagate(Program, structuresOf(In, K, Program));
      K.Run(K.Size, K.Steps, In);
      for (size_t I = 0; I < Program.Arrays.size(); ++I)
        if (const auto Found = In.find(Program.Arrays[I].Name); Found != In.end()) {
          Predicted += numPoints(*Result.Arrays[I]);
          Actual += numPoints(structureOf(Found->second, K.Size, Program.Arrays[I].Rank));
        }
    }
  }
  return static_cast<double>(Predicted) / static_cast<double>(Actual);
}

} // namespace

/// usage: bench-propagation [REPETITIONS]
int main(int Argc, char **Argv) {
  const unsigned Repetitions =
      Argc > 1 ? static_cast<unsigned>(std::max(1L, std::strtol(Argv[1], nullptr, 10))) : 5;
  std::printf("  ms (million nonzeros)\n  %-10s", "n");
  for (const Row &Kernel : Kernels)
    std::printf(" %18s", Kernel.Kernel);
  std::vector<CompiledEquations> Compiled;
  for (const Row &Kernel : Kernels)
    Compiled.emplace_back(Kernel.Kernel);
  double Most = 0;
  for (const auto &[Size, NumRegions] : Rows) {
    std::printf("\n  %-10ld", static_cast<long>(Size));
    for (size_t K = 0; K < Compiled.size(); ++K) {
      const auto [Time, Nonzeros] = measure(Compiled[K], Kernels[K], Size, NumRegions, Repetitions);
      std::printf(" %9.2f (%6.1f)", Time, static_cast<double>(Nonzeros) / 1e6);
      Most = std::max(Most, Time);
    }
  }
  std::printf("\nmax_ms=%.2f accuracy=%.6f\n", Most, accuracy());
}
