//===- bench/pipeline/guarded.cpp - rows with a line of their own, if a flag is set ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row with a positive weight computes a line of coefficients, and every row uses the line.
// Other rows use the line of the last row before them that has computed one. So rows are
// independent only if all weights are positive. In every 50th call one weight is not; the fourth
// argument changes this number.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void smooth(long n, long m, const double *__restrict weight,
                         const double *__restrict a, double *__restrict line,
                         double *__restrict out) {
  for (long i = 0; i < n; ++i) {
    if (weight[i] > 0)
      for (long j = 0; j < m; ++j) {
        const double x = weight[i] * a[i * m + j];
        line[j] = (1 + x) / (2 + x * x) + 0.25 * x / (3 + x);
      }
    for (long j = 1; j < m - 1; ++j) {
      const double slope = line[j + 1] - line[j - 1];
      out[i * m + j] = (line[j - 1] + 2 * line[j] + line[j + 1]) / (4 + slope * slope);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 600), m = bench::argument(argc, argv, 2, 1000);
  const long calls = bench::argument(argc, argv, 3, 2000);
  const long period = bench::argument(argc, argv, 4, 50);
  const std::vector<double> a = bench::numbers(size_t(n * m), 1);
  std::vector<double> line(static_cast<size_t>(m)), out(size_t(n * m)), sums(size_t(n * m));
  std::vector<double> weight = bench::numbers(size_t(n), 2);
  for (double &Each : weight)
    Each = 1.5 + Each / 2;
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call) {
    double &Some = weight[size_t(call * 7 % n)];
    const double Before = Some;
    if (call % period == period - 1)
      Some = -1;
    smooth(n, m, weight.data(), a.data(), line.data(), out.data());
    Some = Before;
    if (call % 100 == 99)
      for (size_t i = 0; i < sums.size(); ++i)
        sums[i] += out[i] + line[i % size_t(m)];
  }
  watch.stop();
  watch.print(bench::checksum(sums));
}
