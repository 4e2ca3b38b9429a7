//===- bench/pipeline/filter.cpp - a filter in two stages ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smooths pictures along rows, then halves the number of rows. The array between the stages is as
// large as a picture, of which the second stage needs three rows at a time.
#include "outcome.h"

#include <vector>

namespace {

BENCH_KERNEL void smooth(long pictures, long n, long m, const float *in, float *between,
                         float *out) {
  for (long p = 0; p < pictures; ++p) {
    for (long i = 0; i < n; ++i)
      for (long j = 1; j < m - 1; ++j)
        between[i * m + j] = 0.25F * in[(p * n + i) * m + j - 1] + 0.5F * in[(p * n + i) * m + j] +
                             0.25F * in[(p * n + i) * m + j + 1];
    for (long i = 0; i < n / 2 - 1; ++i)
      for (long j = 1; j < m - 1; ++j)
        out[(p * (n / 2) + i) * m + j] = 0.25F * between[2 * i * m + j] +
                                         0.5F * between[(2 * i + 1) * m + j] +
                                         0.25F * between[(2 * i + 2) * m + j];
  }
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 4000), calls = bench::argument(argc, argv, 2, 40),
             pictures = bench::argument(argc, argv, 3, 6);
  std::vector<float> in(size_t(pictures * n * n)), between(size_t(n * n)), out(in.size());
  bench::fill(in.data(), in.size(), 1);
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    smooth(pictures, n, n, in.data(), between.data(), out.data());
  watch.stop();
  watch.print(bench::checksum(out) ^ bench::checksum(between));
}
