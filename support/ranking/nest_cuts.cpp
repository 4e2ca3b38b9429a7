//===- support/ranking/nest_cuts.cpp - where threads cut a nest that they share -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ranking/nest_cuts.h"
#include <algorithm>
#include <cmath>

namespace specrt {
namespace {

/// To take a chunk of ranks and to invert one.
constexpr double ChunkNs = 100;
/// A call for the rest or the beginning of a row.
constexpr double PartialRowNs = 60;
/// The least work of a chunk. A thread waits half as long at the end, and halving it costs two more
/// chunks per thread.
constexpr double LeastChunkNs = 1000;
/// By how much longer the iterations of a partial row take: their number is not known when the code
/// is made, and two threads have its data in their caches.
constexpr double PartialRowLoss = 0.1;

/// Estimates times in numbers of innermost iterations.
class CutModel {
public:
  CutModel(const RankedNest &Nest, unsigned Threads, double NsPerPoint)
      : Nest(Nest), Threads(Threads), PointsPerNs(1 / NsPerPoint),
        PerThread(double(Nest.total()) / Threads),
        LeastRanks(std::max(1.0, LeastChunkNs * PointsPerNs)) {}

  double rows() const;
  double ranks(unsigned Level) const;
  uint64_t leastRanks() const { return uint64_t(std::min(LeastRanks, PerThread + 1)); }

private:
  double largestChunkOfRows() const;

  const RankedNest &Nest;
  const unsigned Threads;
  const double PointsPerNs, PerThread, LeastRanks;
};

/// Returns the work of the largest chunk that a thread may take first (runtime/parallel/loop.h).
double CutModel::largestChunkOfRows() const {
  constexpr uint64_t MostShares = 8;
  const uint64_t Rows = Nest.numRows();
  const uint64_t Shares = Rows / 8 >= Threads ? std::min<uint64_t>(Threads, MostShares) : 1;
  const uint64_t PerShare = (Threads + Shares - 1) / Shares;
  const uint64_t Chunk = std::max<uint64_t>(1, Rows / Shares / (2 * PerShare));
  uint64_t Most = 0;
  for (uint64_t Share = 0; Share < Shares; ++Share) {
    const uint64_t First = Share * Rows / Shares;
    Most = std::max(Most, Nest.rankOfRow(First + Chunk) - Nest.rankOfRow(First));
  }
  return double(Most);
}

double CutModel::rows() const {
  const uint64_t Rows = Nest.numRows(), OfOne = (Rows + Threads - 1) / Threads;
  // One of the threads executes so many rows, of which these have the least work.
  const uint64_t Least =
      std::min(Nest.rankOfRow(OfOne), Nest.total() - Nest.rankOfRow(Rows - OfOne));
  const auto Largest = double(Nest.largestOf(1));
  // At the end a thread waits for half a row of another one.
  return std::max({PerThread + Largest / 2, largestChunkOfRows(), double(Least), Largest});
}

double CutModel::ranks(unsigned Level) const {
  const auto Piece = double(Nest.largestOf(Level)), Row = double(Nest.largestOf(1));
  const double Chunks = 2 + 2 * std::log(std::max(1.0, PerThread / (2 * LeastRanks)));
  double Cost = Chunks * ChunkNs * PointsPerNs;
  if (Level > 1) {
    const double PartialRows = 2 * (Level - 1) * Chunks;
    Cost += PartialRows * PartialRowNs * PointsPerNs;
    Cost += PartialRowLoss * std::min(PerThread, PartialRows * Row / 2);
  }
  return std::max(PerThread + std::max(Piece, LeastRanks) / 2 + Cost, Piece);
}

} // namespace

NestCuts chooseCuts(const RankedNest &Nest, unsigned Threads, unsigned MostLevel,
                    double NsPerPoint) {
  if (Threads < 2 || !(NsPerPoint > 0))
    return {};
  const CutModel Model(Nest, Threads, NsPerPoint);
  NestCuts Best;
  double Least = Model.rows();
  for (unsigned Level = 1; Level <= std::min(MostLevel, Nest.depth()); ++Level)
    if (const double Time = Model.ranks(Level); Time < Least) {
      Least = Time;
      Best = {.Level = Level, .LeastRanks = Model.leastRanks()};
    }
  return Best;
}

NestPoint cutAt(const RankedNest &Nest, uint64_t Rank, unsigned Level) {
  if (Rank == 0)
    return {};
  if (Rank >= Nest.total())
    return {Nest.numRows()};
  NestPoint Point = Nest.at(Rank);
  std::fill(Point.begin() + Level, Point.end(), 0);
  return Point;
}

} // namespace specrt
