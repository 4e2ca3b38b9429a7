//===- bench/programs/reduction.cpp - moments of samples, summed up by all threads ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples are small integers, so that sums are exact in whatever order threads add them up.
#include "outcome.h"
#include <algorithm>
#include <cmath>

namespace {

struct Moments {
  double Count = 0, Sum = 0, Squares = 0, Largest = 0;
};

/// Returns the moments of the samples above a threshold.
Moments momentsAbove(const double *Samples, long N, double Threshold) {
  double Count = 0, Sum = 0, Squares = 0, Largest = 0;
#pragma omp parallel for reduction(+ : Count, Sum, Squares) reduction(max : Largest)
  for (long I = 0; I < N; ++I) {
    const double X = Samples[I] > Threshold ? Samples[I] - Threshold : 0.0;
    Count += X > 0.0 ? 1.0 : 0.0;
    Sum += X;
    Squares += X * X;
    Largest = std::max(Largest, X);
  }
  return {Count, Sum, Squares, Largest};
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 3000000),
             Passes = bench::argument(Argc, Argv, 2, 80);
  std::vector<double> Samples = bench::numbers(N, 1);
  for (double &Sample : Samples)
    Sample = std::floor(1000.0 * Sample);
  std::vector<double> Results;
  bench::Stopwatch Time;
  for (long P = 0; P < Passes; ++P) {
    const Moments M = momentsAbove(Samples.data(), N, static_cast<double>(10 * P - 500));
    Results.insert(Results.end(), {M.Count, M.Sum, M.Squares, M.Largest});
  }
  Time.stop();
  Time.print(bench::checksum(Results));
}
