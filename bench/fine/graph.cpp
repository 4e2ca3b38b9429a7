//===- bench/fine/graph.cpp - breadth-first search, shortest paths, ranks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A point has eight neighbours on average, so the loops over them take ten to fifty nanoseconds.
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace {

struct Graph {
  std::vector<int> Start, Neighbours; // of point P, from Start[P] to Start[P + 1]
  std::vector<double> Lengths;
  int points() const { return static_cast<int>(Start.size()) - 1; }
};

/// Makes a random graph in which most neighbours are near.
Graph makeGraph(int Points, int Degree) {
  const std::vector<double> Random = bench::numbers(2 * static_cast<size_t>(Points) * Degree, 1);
  std::vector<std::vector<int>> Of(Points);
  for (size_t Edge = 0; Edge < static_cast<size_t>(Points) * Degree / 2; ++Edge) {
    const int From = static_cast<int>(Edge % Points);
    const double Far = Random[2 * Edge] * Random[2 * Edge] * Random[2 * Edge];
    const int To = (From + 1 + static_cast<int>(std::fabs(Far) * (Points - 2))) % Points;
    Of[From].push_back(To);
    Of[To].push_back(From);
  }
  Graph Result;
  Result.Start.push_back(0);
  for (const std::vector<int> &Neighbours : Of) {
    Result.Neighbours.insert(Result.Neighbours.end(), Neighbours.begin(), Neighbours.end());
    Result.Start.push_back(static_cast<int>(Result.Neighbours.size()));
  }
  for (size_t I = 0; I < Result.Neighbours.size(); ++I)
    Result.Lengths.push_back(1.0 + 0.5 * Random[I]);
  return Result;
}

/// Appends the neighbours that have no level yet.
BENCH_KERNEL void visit(const Graph &Of, int Point, int Level, std::vector<int> &Levels,
                        std::vector<int> &Next) {
  for (int Edge = Of.Start[Point]; Edge < Of.Start[Point + 1]; ++Edge) {
    const int Other = Of.Neighbours[Edge];
    if (Levels[Other] < 0) {
      Levels[Other] = Level;
      Next.push_back(Other);
    }
  }
}

std::vector<int> levels(const Graph &Of, int Source) {
  std::vector<int> Levels(Of.points(), -1), Now = {Source}, Next;
  Levels[Source] = 0;
  for (int Level = 1; !Now.empty(); ++Level) {
    Next.clear();
    for (const int Point : Now)
      visit(Of, Point, Level, Levels, Next);
    Now.swap(Next);
  }
  return Levels;
}

/// Shortens paths to the neighbours of a point; appends the neighbours that it improved.
BENCH_KERNEL void relax(const Graph &Of, int Point, std::vector<double> &Distances,
                        std::vector<int> &Changed) {
  const double Here = Distances[Point];
  for (int Edge = Of.Start[Point]; Edge < Of.Start[Point + 1]; ++Edge) {
    const double Through = Here + Of.Lengths[Edge];
    if (Through < Distances[Of.Neighbours[Edge]]) {
      Distances[Of.Neighbours[Edge]] = Through;
      Changed.push_back(Of.Neighbours[Edge]);
    }
  }
}

std::vector<double> distances(const Graph &Of, int Source) {
  std::vector<double> Distances(Of.points(), std::numeric_limits<double>::infinity());
  std::vector<int> Now = {Source}, Next;
  Distances[Source] = 0;
  while (!Now.empty()) {
    Next.clear();
    for (const int Point : Now)
      relax(Of, Point, Distances, Next);
    std::ranges::sort(Next);
    Next.erase(std::ranges::unique(Next).begin(), Next.end());
    Now.swap(Next);
  }
  return Distances;
}

/// Returns the sum of the shares of a point's neighbours.
BENCH_KERNEL double inflow(const Graph &Of, int Point, const std::vector<double> &Shares) {
  double Sum = 0;
  for (int Edge = Of.Start[Point]; Edge < Of.Start[Point + 1]; ++Edge)
    Sum += Shares[Of.Neighbours[Edge]];
  return Sum;
}

void rank(const Graph &Of, std::vector<double> &Ranks) {
  std::vector<double> Shares(Ranks.size());
  for (int Point = 0; Point < Of.points(); ++Point)
    Shares[Point] = Ranks[Point] / std::max(Of.Start[Point + 1] - Of.Start[Point], 1);
  for (int Point = 0; Point < Of.points(); ++Point)
    Ranks[Point] = 0.15 + 0.85 * inflow(Of, Point, Shares);
}

} // namespace

int main(int Argc, char **Argv) {
  const long Points = bench::argument(Argc, Argv, 1, 20000),
             Calls = bench::argument(Argc, Argv, 2, 50);
  const Graph Of = makeGraph(static_cast<int>(Points), 8);
  std::vector<double> Ranks(Points, 1.0);
  uint64_t Seen = 0;
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    const int Source = static_cast<int>(Call * 37 % Points);
    Seen = 3 * Seen + bench::checksum(levels(Of, Source));
    Seen = 3 * Seen + bench::checksum(distances(Of, Source));
    rank(Of, Ranks);
  }
  Time.stop();
  Time.print(Seen ^ bench::checksum(Ranks));
}
