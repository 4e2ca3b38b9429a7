//===- bench/irregular/plane_pointers.cpp - a stencil on pointers to pointers to rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <utility>

namespace {

class Grid {
public:
  explicit Grid(long N) : Values(bench::numbers(N * N * N, 1)), Rows(N * N), Planes(N) {
    for (long I = 0; I < N * N; ++I)
      Rows[I] = &Values[I * N];
    for (long I = 0; I < N; ++I)
      Planes[I] = &Rows[I * N];
  }
  double ***planes() { return Planes.data(); }
  const std::vector<double> &values() const { return Values; }

private:
  std::vector<double> Values;
  std::vector<double *> Rows;
  std::vector<double **> Planes;
};

BENCH_KERNEL void relax(double ***To, double ***From, long N) {
  for (long I = 1; I < N - 1; ++I)
    for (long J = 1; J < N - 1; ++J)
      for (long K = 1; K < N - 1; ++K)
        To[I][J][K] =
            0.4 * From[I][J][K] + 0.1 * (From[I - 1][J][K] + From[I + 1][J][K] + From[I][J - 1][K] +
                                         From[I][J + 1][K] + From[I][J][K - 1] + From[I][J][K + 1]);
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 64), Steps = bench::argument(Argc, Argv, 2, 6000);
  Grid A(N), B(N);
  bench::Stopwatch Time;
  for (long Step = 0; Step < Steps; ++Step) {
    relax(B.planes(), A.planes(), N);
    std::swap(A, B);
  }
  Time.stop();
  Time.print(bench::checksum(A.values()));
}
