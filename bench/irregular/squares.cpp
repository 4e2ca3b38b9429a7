//===- bench/irregular/squares.cpp - sums at the squares of their numbers -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores result i at index i * i, as when levels of a transform with 2 i + 1 terms lie one after
// the other and their first terms are computed.
#include "outcome.h"

namespace {

[[gnu::noinline]] void sums(long N, long M, const double *B, const double *X, double *A) {
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < M; ++J)
      A[I * I] += B[I * M + J] * X[J];
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 600), M = bench::argument(Argc, Argv, 2, 1200),
             Passes = bench::argument(Argc, Argv, 3, 3000);
  const std::vector<double> B = bench::numbers(size_t(N * M), 1), X = bench::numbers(size_t(M), 2);
  std::vector<double> A(size_t(N * N));
  bench::Stopwatch Time;
  for (long P = 0; P < Passes; ++P)
    sums(N, M, B.data(), X.data(), A.data());
  Time.stop();
  Time.print(bench::checksum(A));
}
