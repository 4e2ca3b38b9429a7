//===- bench/zeros/zeros.cpp - dense arrays that are mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace bench {
namespace {

using Random = std::mt19937_64;

double uniform(Random &Engine) { return static_cast<double>(Engine() >> 11) * 0x1p-53; }

/// Decides whether element (I, K) is in the pattern.
class Pattern {
public:
  explicit Pattern(const ZerosCase &C) : C(C) {
    const auto N = static_cast<double>(C.N);
    Width = std::max<long>(1, std::lround(C.Density * N / 2));
    // Some first rows and columns, and the diagonal.
    Head = std::max<long>(1, std::lround(N * (1 - std::sqrt(std::max(0.0, 1 - C.Density)))));
  }
  bool has(long I, long K, Random &Engine) {
    if (C.Density >= 1)
      return true;
    if (C.Pattern == "banded")
      return std::labs(I - K) <= Width;
    if (C.Pattern == "block")
      return hash(I / 8, K / 8) < C.Density;
    if (C.Pattern == "diagonal")
      return I == K || uniform(Engine) < C.Density - 1.0 / static_cast<double>(C.N);
    if (C.Pattern == "arrow")
      return I == K || I < Head || K < Head;
    return uniform(Engine) < C.Density;
  }

private:
  static double hash(long I, long K) {
    Random Engine(static_cast<uint64_t>(I * 1000003 + K));
    return uniform(Engine);
  }

  const ZerosCase &C;
  long Width, Head;
};

} // namespace

ZerosCase zerosCase(int Argc, char **Argv, long N) {
  if (Argc != 4) {
    std::fprintf(stderr, "usage: %s PATTERN PERCENT CALLS\n", Argv[0]);
    std::exit(2);
  }
  return {Argv[1], std::atof(Argv[2]) / 100, std::atol(Argv[3]), N};
}

std::vector<double> matrixOf(const ZerosCase &Case) {
  const auto N = static_cast<size_t>(Case.N);
  std::vector<double> A(N * N);
  Random Engine(5);
  Pattern Of(Case);
  for (long I = 0; I < Case.N; ++I)
    for (long K = 0; K < Case.N; ++K)
      if (Of.has(I, K, Engine))
        A[static_cast<size_t>(I) * N + static_cast<size_t>(K)] =
            (uniform(Engine) - 0.4) / static_cast<double>(Case.N);
  return A;
}

} // namespace bench
