//===- bench/programs/first_touch.cpp - a result in memory that has not been used yet ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residual of a Poisson equation on a large grid. Its first call writes to fresh pages and
// takes two or three times as long as all others.
#include "outcome.h"
#include <memory>

namespace {

/// Computes R = V - A U, where A is the Laplacian with seven points.
void residual(double *R, const double *U, const double *V, long N, double Scale) {
  for (long I = 1; I < N - 1; ++I)
    for (long J = 1; J < N - 1; ++J)
      for (long K = 1; K < N - 1; ++K) {
        const long P = (I * N + J) * N + K;
        R[P] = V[P] - Scale * (U[P - N * N] + U[P + N * N] + U[P - N] + U[P + N] + U[P - 1] +
                               U[P + 1] - 6.0 * U[P]);
      }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 200), Calls = bench::argument(Argc, Argv, 2, 80);
  const std::vector<double> U = bench::numbers(N * N * N, 1), V = bench::numbers(N * N * N, 2);
  std::unique_ptr<double[]> R(new double[N * N * N]);
  bench::Stopwatch Time;
  uint64_t Seen = 0;
  for (long C = 0; C < Calls; ++C) {
    residual(R.get(), U.data(), V.data(), N, 0.5);
    Seen ^= bench::checksum(&R[N * N + N + 1], 1);
  }
  Time.stop();
  Time.print(Seen ^ bench::checksum(&R[N * N + N + 1], N - 2));
}
