//===- bench/irregular/search.cpp - a sum that ends where its terms become small ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <cmath>

namespace {

/// Adds rows up to the first one whose factor is small.
BENCH_KERNEL void accumulate(double *Sum, const double *Factors, const double *Rows, long Terms,
                             long N) {
  for (long K = 0; K < Terms && std::fabs(Factors[K]) > 1e-9; ++K)
    for (long J = 0; J < N; ++J)
      Sum[J] += Factors[K] * Rows[K * N + J];
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 6000), Terms = bench::argument(Argc, Argv, 2, 300);
  const long Calls = bench::argument(Argc, Argv, 3, 3000);
  const std::vector<double> Rows = bench::numbers(Terms * N, 1);
  std::vector<double> Factors(Terms), Sum(N);
  for (long K = 0; K < Terms; ++K)
    Factors[K] = std::pow(0.9, static_cast<double>(K));
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call)
    accumulate(Sum.data(), Factors.data(), Rows.data(), Terms, N);
  Time.stop();
  Time.print(bench::checksum(Sum));
}
