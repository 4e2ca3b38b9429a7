//===- bench/balance/few_planes.cpp - three planes of five long rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rational function at the points of a coarse grid whose rows are long. Neither the planes nor
// the rows of a plane are enough for many threads.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void evaluate(long planes, long rows, long n, const double *at, const double *from,
                           double *to) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < planes; ++i)
    for (long j = 0; j < rows; ++j)
      for (long k = 0; k < n; ++k) {
        const double u = from[(i * rows + j) * n + k], v = u / (3 + u * at[j]);
        const double w = v / (2 + v * v);
        to[(i * rows + j) * n + k] = (v + at[i]) / (4 + v * v) + u / (2 + v * u) +
                                     0.2 * u / (5 + w * w) - 0.1 * v / (6 + u * w);
      }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 16000),
             calls = bench::argument(argc, argv, 2, 6000);
  const long planes = bench::argument(argc, argv, 3, 3), rows = bench::argument(argc, argv, 4, 5);
  const std::vector<double> at = bench::numbers(size_t(planes + rows), 1),
                            from = bench::numbers(size_t(planes * rows * n), 2);
  std::vector<double> to(from.size());
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    evaluate(planes, rows, n, at.data(), from.data(), to.data());
  watch.stop();
  watch.print(bench::checksum(to));
}
