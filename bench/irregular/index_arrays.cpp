//===- bench/irregular/index_arrays.cpp - rings whose neighbours are listed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works like code for unstructured meshes that runs on a regular one, for several fields: the lists
// are affine except where the ring is closed.
#include "outcome.h"

namespace {

BENCH_KERNEL void relax(double *To, const double *From, const int *Left, const int *Right, long N,
                        long Fields) {
  for (long F = 0; F < Fields; ++F)
    for (long I = 0; I < N; ++I)
      To[F * N + I] =
          0.5 * From[F * N + I] + 0.25 * (From[F * N + Left[I]] + From[F * N + Right[I]]);
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 2000), Fields = bench::argument(Argc, Argv, 2, 32);
  const long Steps = bench::argument(Argc, Argv, 3, 30000);
  std::vector<double> A = bench::numbers(N * Fields, 1), B(N * Fields);
  std::vector<int> Left(N), Right(N);
  for (long I = 0; I < N; ++I) {
    Left[I] = static_cast<int>(I == 0 ? N - 1 : I - 1);
    Right[I] = static_cast<int>(I == N - 1 ? 0 : I + 1);
  }
  bench::Stopwatch Time;
  for (long Step = 0; Step < Steps; ++Step) {
    relax(B.data(), A.data(), Left.data(), Right.data(), N, Fields);
    A.swap(B);
  }
  Time.stop();
  Time.print(bench::checksum(A));
}
