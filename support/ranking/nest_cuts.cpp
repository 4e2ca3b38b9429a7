//===- support/ranking/nest_cuts.cpp - chooses how threads share a nest ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ranking/nest_cuts.h"
#include "support/ranking/guided_chunks.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace specrt {
namespace {

/// The time to take a chunk of ranks and to find its ends. bench-balance measures 40 to 55 ns for
/// two loops and 380 ns for a tetrahedron (Zen 5).
constexpr double ChunkNs = 100;
/// The time to call the function for a part of a row. An estimate: it was not measured.
constexpr double PartialRowNs = 60;
/// The least work of a chunk. A thread waits half as long at the end, and halving it costs two more
/// chunks per thread.
constexpr double LeastChunkNs = 1000;
/// The time to simulate one chunk of rows. An estimate: it was not measured.
constexpr double SimulatedChunkNs = 25;
/// The share by which iterations of partial rows are slower: the compiler does not know their
/// number, and two threads cache their data. An estimate: it was not measured.
constexpr double PartialRowLoss = 0.1;

/// Estimates times in numbers of innermost iterations.
class CutModel {
public:
  CutModel(const RankedNest &Nest, unsigned Threads, double NsPerPoint)
      : Nest(Nest), Threads(Threads), PointsPerNs(1 / NsPerPoint),
        PerThread(double(Nest.total()) / Threads),
        LeastRanks(std::max(1.0, LeastChunkNs * PointsPerNs)) {}

  double rows(CutTime When) const;
  double ranks(unsigned Level) const;
  uint64_t leastRanks() const { return uint64_t(std::min(LeastRanks, PerThread + 1)); }

private:
  static constexpr unsigned MostSimulated = 64; ///< threads

  bool isSimulationCheap() const;
  double simulatedRows() const;

  const RankedNest &Nest;
  const unsigned Threads;
  const double PointsPerNs, PerThread, LeastRanks;
};

/// Returns the time if each thread always takes the next chunk of rows as soon as it has finished
/// one.
double CutModel::simulatedRows() const {
  const GuidedChunks Chunks(Nest.numRows(), Threads);
  std::array<uint64_t, GuidedChunks::MaxShares> Next;
  for (unsigned Share = 0; Share < Chunks.numShares(); ++Share)
    Next[Share] = Chunks.begin(Share);
  std::array<std::pair<double, unsigned>, MostSimulated> Busy; // [..., the first that is free)
  for (unsigned Thread = 0; Thread < Threads; ++Thread)
    Busy[Thread] = {0, Thread};
  const auto End = Busy.begin() + Threads;
  double Last = 0;
  for (unsigned NumLeft = Chunks.numShares(); NumLeft > 0;) {
    std::pop_heap(Busy.begin(), End, std::greater<>());
    auto &[Time, Thread] = *(End - 1);
    unsigned Share = Thread % Chunks.numShares();
    while (Next[Share] == Chunks.begin(Share + 1))
      Share = (Share + 1) % Chunks.numShares();
    const uint64_t First = Next[Share];
    Next[Share] += Chunks.next(Chunks.begin(Share + 1) - First);
    NumLeft -= Next[Share] == Chunks.begin(Share + 1);
    Time += double(Nest.rankOfRow(Next[Share]) - Nest.rankOfRow(First));
    Last = std::max(Last, Time);
    std::push_heap(Busy.begin(), End, std::greater<>());
  }
  return Last;
}

/// Returns whether the simulation takes at most a twentieth of what a thread has to do.
bool CutModel::isSimulationCheap() const {
  const GuidedChunks Chunks(Nest.numRows(), Threads);
  const double PerChunk = 2 * std::ceil(double(Threads) / Chunks.numShares());
  const double RowsOfShare = double(Nest.numRows()) / Chunks.numShares();
  const double NumChunks =
      Chunks.numShares() * PerChunk * (1 + std::log(std::max(1.0, RowsOfShare / PerChunk)));
  return NumChunks * SimulatedChunkNs * PointsPerNs * 20 <= PerThread;
}

double CutModel::rows(CutTime When) const {
  const uint64_t Rows = Nest.numRows(), OfOne = (Rows + Threads - 1) / Threads;
  const auto Largest = double(Nest.largestOf(1));
  const bool AreEqual = Nest.largestOf(1) * Rows == Nest.total();
  if (!AreEqual && Threads <= MostSimulated && (When == CutTime::Ahead || isSimulationCheap()))
    return simulatedRows();
  // One of the threads executes so many rows, of which these have the least work. At the end a
  // thread waits for half a row of another one.
  const uint64_t Least =
      std::min(Nest.rankOfRow(OfOne), Nest.total() - Nest.rankOfRow(Rows - OfOne));
  return std::max({PerThread + Largest / 2, double(Least), Largest});
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

NestCuts chooseCuts(const RankedNest &Nest, unsigned Threads, unsigned MostLevel, double NsPerPoint,
                    CutTime When) {
  if (Threads < 2 || !(NsPerPoint > 0))
    return {};
  const CutModel Model(Nest, Threads, NsPerPoint);
  NestCuts Best;
  double Least = Model.rows(When);
  for (unsigned Level = 1; Level <= std::min(MostLevel, Nest.depth()); ++Level)
    if (const double Time = Model.ranks(Level); Time < Least) {
      Least = Time;
      Best = {.Level = Level, .LeastRanks = Model.leastRanks()};
    }
  return Best;
}

NestCuts cutsOfLevel(const RankedNest &Nest, unsigned Threads, unsigned Level, double NsPerPoint) {
  return {.Level = Level, .LeastRanks = CutModel(Nest, Threads, NsPerPoint).leastRanks()};
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
