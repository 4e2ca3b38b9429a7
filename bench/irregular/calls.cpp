//===- bench/irregular/calls.cpp - a nest whose operation is in another file ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"

double combine(double A, double B); // calls_operation.cpp

namespace {

/// Computes all shortest paths of a weighted graph, if the operation is addition.
BENCH_KERNEL void closure(double *Distance, long N) {
  for (long K = 0; K < N; ++K)
    for (long I = 0; I < N; ++I)
      for (long J = 0; J < N; ++J) {
        double Through = combine(Distance[I * N + K], Distance[K * N + J]);
        if (Through < Distance[I * N + J])
          Distance[I * N + J] = Through;
      }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 200), Calls = bench::argument(Argc, Argv, 2, 150);
  const std::vector<double> Weights = bench::numbers(N * N, 1);
  std::vector<double> Distance(N * N);
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    for (long I = 0; I < N * N; ++I)
      Distance[I] = 2.0 + Weights[(I + Call) % (N * N)];
    closure(Distance.data(), N);
  }
  Time.stop();
  Time.print(bench::checksum(Distance));
}
