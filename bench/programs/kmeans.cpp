//===- bench/programs/kmeans.cpp - Lloyd's algorithm on points in a few dimensions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <algorithm>

namespace {

struct Clusters {
  long Count, Dimensions;
  std::vector<double> Centres, Sums;
  std::vector<long> Members;
};

long nearest(const double *Point, const Clusters &C) {
  long Best = 0;
  double BestDistance = 1e300;
  for (long K = 0; K < C.Count; ++K) {
    double Distance = 0.0;
    for (long D = 0; D < C.Dimensions; ++D) {
      const double Difference = Point[D] - C.Centres[K * C.Dimensions + D];
      Distance += Difference * Difference;
    }
    if (Distance < BestDistance) {
      BestDistance = Distance;
      Best = K;
    }
  }
  return Best;
}

/// Returns the sum of the squared distances that centres move.
double iterate(Clusters &C, const std::vector<double> &Points) {
  std::fill(C.Sums.begin(), C.Sums.end(), 0.0);
  std::fill(C.Members.begin(), C.Members.end(), 0);
  const long N = static_cast<long>(Points.size()) / C.Dimensions;
  for (long P = 0; P < N; ++P) {
    const double *Point = &Points[P * C.Dimensions];
    const long K = nearest(Point, C);
    ++C.Members[K];
    for (long D = 0; D < C.Dimensions; ++D)
      C.Sums[K * C.Dimensions + D] += Point[D];
  }
  double Moved = 0.0;
  for (long K = 0; K < C.Count; ++K)
    for (long D = 0; D < C.Dimensions && C.Members[K] > 0; ++D) {
      const double Mean = C.Sums[K * C.Dimensions + D] / static_cast<double>(C.Members[K]);
      const double Step = Mean - C.Centres[K * C.Dimensions + D];
      Moved += Step * Step;
      C.Centres[K * C.Dimensions + D] = Mean;
    }
  return Moved;
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 120000), Count = bench::argument(Argc, Argv, 2, 12);
  const long Dimensions = bench::argument(Argc, Argv, 3, 6),
             Most = bench::argument(Argc, Argv, 4, 40);
  const std::vector<double> Points = bench::numbers(N * Dimensions, 1);
  Clusters C{
      Count, Dimensions, {}, std::vector<double>(Count * Dimensions), std::vector<long>(Count)};
  C.Centres.assign(Points.begin(), Points.begin() + Count * Dimensions);
  bench::Stopwatch Time;
  for (long I = 0; I < Most && iterate(C, Points) > 1e-12; ++I)
    ;
  Time.stop();
  Time.print(bench::checksum(C.Centres));
}
