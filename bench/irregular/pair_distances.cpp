//===- bench/irregular/pair_distances.cpp - a histogram of all distances ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the pairs of points by their distance in a periodic box. Which number an iteration
// increments follows from what it computes.
#include "outcome.h"
#include <cmath>

namespace {

BENCH_KERNEL void count(long *Pairs, long Bins, double Width, const double *X, const double *Y,
                        const double *Z, long Points, double Box) {
  for (long I = 0; I < Points - 1; ++I)
    for (long J = I + 1; J < Points; ++J) {
      double DX = X[I] - X[J], DY = Y[I] - Y[J], DZ = Z[I] - Z[J];
      DX -= Box * std::rint(DX / Box);
      DY -= Box * std::rint(DY / Box);
      DZ -= Box * std::rint(DZ / Box);
      const long Bin = static_cast<long>(std::sqrt(DX * DX + DY * DY + DZ * DZ) / Width);
      if (Bin < Bins)
        Pairs[Bin] += 2;
    }
}

} // namespace

int main(int Argc, char **Argv) {
  const long Points = bench::argument(Argc, Argv, 1, 2000);
  const long Calls = bench::argument(Argc, Argv, 2, 60);
  constexpr long Bins = 200;
  std::vector<double> X = bench::numbers(Points, 1), Y = bench::numbers(Points, 2);
  const std::vector<double> Z = bench::numbers(Points, 3);
  std::vector<long> Pairs(Bins);
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    count(Pairs.data(), Bins, 0.005, X.data(), Y.data(), Z.data(), Points, 2.0);
    X[Call % Points] = -Y[Call % Points];
  }
  Time.stop();
  Time.print(bench::checksum(std::vector<double>(Pairs.begin(), Pairs.end())));
}
