//===- bench/programs/sizes.cpp - three sizes in turn, each worth a version of its own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"

namespace {

constexpr long Sizes[] = {56, 72, 88};

/// Computes y = A x for an N x N matrix and each of some vectors.
void apply(double *Y, const double *A, const double *X, long N, long Vectors) {
  for (long V = 0; V < Vectors; ++V)
    for (long I = 0; I < N; ++I) {
      double Sum = 0.0;
      for (long J = 0; J < N; ++J)
        Sum += A[I * N + J] * X[V * N + J];
      Y[V * N + I] = Sum;
    }
}

} // namespace

int main(int Argc, char **Argv) {
  const long Calls = bench::argument(Argc, Argv, 1, 6000),
             Vectors = bench::argument(Argc, Argv, 2, 24);
  const std::vector<double> A = bench::numbers(88 * 88, 1), X = bench::numbers(88 * Vectors, 2);
  std::vector<double> Y(88 * Vectors);
  bench::Stopwatch Time;
  uint64_t Seen = 0;
  for (long C = 0; C < Calls; ++C) {
    apply(Y.data(), A.data(), X.data(), Sizes[C % 3], Vectors);
    Seen ^= bench::checksum(&Y[C % 56], 1);
  }
  Time.stop();
  Time.print(Seen ^ bench::checksum(Y));
}
