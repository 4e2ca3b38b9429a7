//===- bench/irregular/packed.cpp - products with a packed triangle -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C += A B, where A is a lower triangle. Only its lower half is stored, row by row.
#include "outcome.h"

namespace {

[[gnu::noinline]] void multiply(long N, const double *A, const double *B, double *C) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K <= I; ++K)
      for (long J = 0; J < N; ++J)
        C[I * N + J] += A[I * (I + 1) / 2 + K] * B[K * N + J];
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 900), Passes = bench::argument(Argc, Argv, 2, 30);
  const std::vector<double> A = bench::numbers(size_t(N * (N + 1) / 2), 1),
                            B = bench::numbers(size_t(N * N), 2);
  std::vector<double> C(size_t(N * N));
  bench::Stopwatch Time;
  for (long P = 0; P < Passes; ++P)
    multiply(N, A.data(), B.data(), C.data());
  Time.stop();
  Time.print(bench::checksum(C));
}
