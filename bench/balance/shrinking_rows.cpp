//===- bench/balance/shrinking_rows.cpp - an upper triangle whose rows are scaled ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that get shorter, each of which reads a factor first.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void scale(long n, const double *factor, const double *from, double *to) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    const double f = factor[i];
    for (long j = i; j < n; ++j) {
      const double u = from[i * n + j];
      to[i * n + j] = (f + u) / (1 + u * u) + u / (2 + f * f + u);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 1400), calls = bench::argument(argc, argv, 2, 3500);
  const std::vector<double> factor = bench::numbers(size_t(n), 1),
                            from = bench::numbers(size_t(n * n), 2);
  std::vector<double> to(from.size());
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    scale(n, factor.data(), from.data(), to.data());
  watch.stop();
  watch.print(bench::checksum(to));
}
