//===- bench/balance/few_rows.cpp - three long rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a reaction of three components, one row each, at many points.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void react(long rows, long n, const double *rate, const double *from, double *to) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < n; ++j) {
      const double u = from[i * n + j], v = u / (3 + u), w = v / (2 + v * v);
      to[i * n + j] = u + rate[i] * u * (1 - u) / (1 + u * u) - 0.1 * w / (4 + u * v) +
                      0.2 * u / (5 + w * w) - 0.1 * v / (6 + u * w);
    }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 80000),
             calls = bench::argument(argc, argv, 2, 6000);
  const long rows = bench::argument(argc, argv, 3, 3);
  const std::vector<double> rate = bench::numbers(size_t(rows), 2),
                            from = bench::numbers(size_t(rows * n), 1);
  std::vector<double> to(from.size());
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    react(rows, n, rate.data(), from.data(), to.data());
  watch.stop();
  watch.print(bench::checksum(to));
}
