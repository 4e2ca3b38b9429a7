//===- bench/fine/clusters.cpp - k-means, point by point ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function works on one point or one cluster, within some tens of nanoseconds.
#include "outcome.h"
#include <limits>

namespace {

/// Coordinates of a point: more than a vector holds, and no multiple of its length.
constexpr int Dimensions = 5;

struct Point {
  double At[Dimensions];
};

struct Cluster {
  Point Centre, Sum;
  double Number;
};

double distance(const Point &A, const Point &B) {
  double Sum = 0;
  for (int I = 0; I < Dimensions; ++I)
    Sum += (A.At[I] - B.At[I]) * (A.At[I] - B.At[I]);
  return Sum;
}

BENCH_KERNEL size_t nearest(const Point &One, const std::vector<Cluster> &Clusters) {
  double Least = std::numeric_limits<double>::max();
  size_t Which = 0;
  for (size_t I = 0; I < Clusters.size(); ++I) {
    const double Off = distance(One, Clusters[I].Centre);
    if (Off < Least) {
      Least = Off;
      Which = I;
    }
  }
  return Which;
}

BENCH_KERNEL void addTo(Cluster &Of, const Point &One) {
  for (int I = 0; I < Dimensions; ++I)
    Of.Sum.At[I] += One.At[I];
  Of.Number += 1.0;
}

/// Returns the square of the distance that the centre moved.
BENCH_KERNEL double moveCentre(Cluster &Of) {
  const Point Before = Of.Centre;
  for (int I = 0; I < Dimensions; ++I) {
    if (Of.Number > 0)
      Of.Centre.At[I] = Of.Sum.At[I] / Of.Number;
    Of.Sum.At[I] = 0;
  }
  Of.Number = 0;
  return distance(Before, Of.Centre);
}

std::vector<Point> makePoints(size_t Number, uint64_t Seed) {
  std::vector<Point> Points(Number);
  for (size_t I = 0; I < Number; ++I)
    bench::fill(Points[I].At, Dimensions, Seed + I);
  return Points;
}

} // namespace

int main(int Argc, char **Argv) {
  const long Number = bench::argument(Argc, Argv, 1, 3000),
             Calls = bench::argument(Argc, Argv, 2, 5000);
  const std::vector<Point> Points = makePoints(Number, 1);
  std::vector<Cluster> Clusters(9);
  for (size_t I = 0; I < Clusters.size(); ++I)
    Clusters[I].Centre = Points[7 * I];
  std::vector<double> Moves;
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    for (const Point &One : Points)
      addTo(Clusters[nearest(One, Clusters)], One);
    double Moved = 0;
    for (Cluster &One : Clusters)
      Moved += moveCentre(One);
    if (Moved == 0) // converged: restart from other points
      for (size_t I = 0; I < Clusters.size(); ++I)
        Clusters[I].Centre = Points[(Call + 11 * I) % Points.size()];
    Moves.push_back(Moved);
  }
  Time.stop();
  Time.print(bench::checksum(Moves));
}
