//===- bench/balance/tetrahedron.cpp - triples, each triple once ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weight of each triple i >= j >= k, in a corner of a cube. Half of the work is in the last fifth
// of the planes.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void weights(long n, const double *a, double *out) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j)
      for (long k = 0; k <= j; ++k) {
        const double sum = a[i] + a[j] + a[k], product = a[i] * a[j] * a[k];
        out[(i * n + j) * n + k] =
            (1 + product) / (4 + sum * sum) + product / (2 + product * product);
      }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 200), calls = bench::argument(argc, argv, 2, 2500);
  const std::vector<double> a = bench::numbers(size_t(n), 1);
  std::vector<double> out(size_t(n * n * n));
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    weights(n, a.data(), out.data());
  watch.stop();
  watch.print(bench::checksum(out));
}
