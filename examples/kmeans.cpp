//===- examples/kmeans.cpp - clusters of points, over std::vector<std::array> ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements Lloyd's algorithm. The data of a point decide which cluster is nearest to it, and
// hence which sums it is added to, so no polyhedral schedule exists for such a nest.
//
// The lesson: threads share the search for the nearest centres, which is most of the work. The
// sums are added up in the order of the points, so they keep their bits (docs/sharing.md).
#include "support.h"
#include <array>

using namespace example;

namespace {

using Point = std::array<double, 4>;

double distance(const Point &A, const Point &B) {
  double Sum = 0.0;
  for (size_t D = 0; D < A.size(); ++D)
    Sum += (A[D] - B[D]) * (A[D] - B[D]);
  return Sum;
}

size_t nearest(const Point &P, const std::vector<Point> &Centres) {
  size_t Best = 0;
  for (size_t C = 1; C < Centres.size(); ++C)
    if (distance(P, Centres[C]) < distance(P, Centres[Best]))
      Best = C;
  return Best;
}

/// Returns the mean of the points that are nearest to each centre; a centre without points stays.
EXAMPLE_KERNEL std::vector<Point> improve(const std::vector<Point> &Points,
                                          const std::vector<Point> &Centres) {
  std::vector<Point> Means(Centres.size(), Point{});
  std::vector<long> Members(Centres.size(), 0);
  for (const Point &P : Points) {
    const size_t C = nearest(P, Centres);
    ++Members[C];
    for (size_t D = 0; D < P.size(); ++D)
      Means[C][D] += P[D];
  }
  for (size_t C = 0; C < Means.size(); ++C)
    for (size_t D = 0; D < Means[C].size(); ++D)
      Means[C][D] = Members[C] ? Means[C][D] / static_cast<double>(Members[C]) : Centres[C][D];
  return Means;
}

} // namespace

int main(int Argc, char **Argv) {
  long Count = 200000, Clusters = 16, Iterations = 30;
  std::string Output;
  CommandLine Line("kmeans", "clusters of points in four dimensions");
  Line.positional("points", "points", Count, 1, 10000000);
  Line.positional("clusters", "clusters", Clusters, 1, 1000);
  Line.positional("iterations", "iterations", Iterations, 1, 100000);
  Line.option("output", "file for the centres as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Clusters > Count)
    fail("clusters must not be more than points");

  Random Numbers(3);
  std::vector<Point> Points(Count);
  for (Point &P : Points)
    for (double &X : P)
      X = Numbers.next();
  std::vector<Point> Centres(Points.begin(), Points.begin() + Clusters);

  Stopwatch Watch;
  Watch.start();
  for (long I = 0; I < Iterations; ++I)
    Centres = improve(Points, Centres);
  Watch.stop();

  Checksum Sum;
  Sum.add(Centres);
  writeFile(Output, "", Centres.data(), Centres.size() * sizeof(Point));
  std::printf("first centre=%.17g\n", Centres[0][0]);
  report(Sum, Watch);
}
