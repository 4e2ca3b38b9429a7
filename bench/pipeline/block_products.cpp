//===- bench/pipeline/block_products.cpp - a block update and a block product ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = A + U V' and Z = Z + A' Y for blocks of two columns, as in block reductions to condensed
// form. The product reads the matrix that the update has written, which no cache holds.
#include "outcome.h"
#include "specrt/pipeline.hpp"

#include <vector>

namespace {

BENCH_KERNEL void reduce(long n, long m, double *a, const double *u, const double *v,
                         const double *y, double *z) {
  using specrt::range;
  specrt::pipeline(specrt::nest(range(n), range(m),
                                [=](long i, long k) {
                                  a[i * m + k] += u[2 * i] * v[k] + u[2 * i + 1] * v[m + k];
                                }),
                   specrt::nest(range(n), range(m), [=](long i, long k) {
                     z[k] += a[i * m + k] * y[2 * i];
                     z[m + k] += a[i * m + k] * y[2 * i + 1];
                   }));
}

} // namespace

int main(int argc, char **argv) {
  const long n = bench::argument(argc, argv, 1, 4000), calls = bench::argument(argc, argv, 2, 60);
  std::vector<double> a = bench::numbers(size_t(n * n), 1), z(size_t(2 * n));
  const std::vector<double> u = bench::numbers(size_t(2 * n), 2),
                            v = bench::numbers(size_t(2 * n), 3),
                            y = bench::numbers(size_t(2 * n), 4);
  bench::Stopwatch watch;
  for (long call = 0; call < calls; ++call)
    reduce(n, n, a.data(), u.data(), v.data(), y.data(), z.data());
  watch.stop();
  watch.print(bench::checksum(a) ^ bench::checksum(z));
}
