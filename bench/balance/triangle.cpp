//===- bench/balance/triangle.cpp - pairs of points, each pair once ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The potential of each pair of points, in the lower triangle of a matrix. The last row has as many
// elements as there are rows.
#include "outcome.h"

#include <cmath>
#include <vector>

namespace {

BENCH_KERNEL void potentials(long n, const double *x, const double *y, const double *z,
                             double *out) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double square = dx * dx + dy * dy + dz * dz + 0.01;
      const double inverse = 1 / square, sixth = inverse * inverse * inverse;
      out[i * n + j] = sixth * (sixth - 0.5) / (1 + square) + inverse / (2 + square);
    }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 1200), calls = bench::argument(argc, argv, 2, 4000);
  const std::vector<double> x = bench::numbers(size_t(n), 1), y = bench::numbers(size_t(n), 2),
                            z = bench::numbers(size_t(n), 3);
  std::vector<double> out(size_t(n * n));
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    potentials(n, x.data(), y.data(), z.data(), out.data());
  watch.stop();
  watch.print(bench::checksum(out));
}
