//===- bench/pipeline/red_black.cpp - two sweeps of red-black relaxation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smoother of a multigrid method: red points of a grid, black ones, and both again, each from
// its four neighbours. A row of one colour can follow the last colour at a distance of one row.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void smooth(long n, long m, double *u, const double *f) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1 + i % 2; j < m - 1; j += 2)
      u[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                             u[i * m + j + 1] - f[i * m + j]);
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1 + (i + 1) % 2; j < m - 1; j += 2)
      u[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                             u[i * m + j + 1] - f[i * m + j]);
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1 + i % 2; j < m - 1; j += 2)
      u[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                             u[i * m + j + 1] - f[i * m + j]);
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1 + (i + 1) % 2; j < m - 1; j += 2)
      u[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] +
                             u[i * m + j + 1] - f[i * m + j]);
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 3000), calls = bench::argument(argc, argv, 2, 60);
  std::vector<double> u = bench::numbers(size_t(n * n), 1);
  const std::vector<double> f = bench::numbers(size_t(n * n), 2);
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    smooth(n, n, u.data(), f.data());
  watch.stop();
  watch.print(bench::checksum(u));
}
