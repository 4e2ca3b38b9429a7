//===- bench/balance.cpp - costs of ranks, and the balance of chunks of ranks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a JSON object for each nest of bench/balance/ and the triangle of the paper: nanoseconds
// of inverting a rank and of taking a chunk of ranks, and the ratio of the largest to the mean work
// of 16 workers. Each chunk of the runtime goes to the worker that is free first. The chunks are
// rows if the model expects these to be as fast.
#include "runtime/parallel/loop.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace specrt;

namespace {

struct Shape {
  const char *Name;
  std::vector<LoopExtent> Loops;
  double PointNs;
};

std::vector<Shape> shapes() {
  return {{"section4", {{99}, {1, {1}}}, 1},
          {"triangle", {{1200}, {0, {1}}}, 0.4},
          {"shrinking_rows", {{1400}, {1400, {-1}}}, 0.3},
          {"tetrahedron", {{200}, {1, {1}}, {1, {0, 1}}}, 0.3},
          {"few_rows", {{3}, {80000}}, 0.7},
          {"few_planes", {{3}, {5}, {16000}}, 0.7}};
}

/// Returns the shortest time per rank of some repetitions, each over ranks in an order that no
/// branch predictor can learn.
double inversionNs(const RankedNest &Nest) {
  constexpr uint64_t NumRanks = 409'600, Stride = 0x9e3779b97f4a7c15;
  std::vector<uint64_t> Ranks(NumRanks);
  for (uint64_t I = 0; I < NumRanks; ++I)
    Ranks[I] = (I * Stride >> 1) % Nest.total();
  using Clock = std::chrono::steady_clock;
  double Least = 1e9;
  for (int Repetition = 0; Repetition < 5; ++Repetition) {
    const Clock::time_point Begin = Clock::now();
    for (const uint64_t Rank : Ranks) {
      NestPoint Point = Nest.at(Rank);
      benchmark::DoNotOptimize(Point);
    }
    const std::chrono::duration<double, std::nano> Time = Clock::now() - Begin;
    Least = std::min(Least, Time.count() / double(NumRanks));
  }
  return Least;
}

/// How threads share a nest.
struct Shares {
  double Imbalance;
  double ChunkNs; ///< time to take a chunk and to find its first and last iterations
  bool AreRanks;  ///< chunks consist of ranks, not of rows
};

Shares share(const Shape &Of, unsigned Workers) {
  specrt_ranked_nest Description{Of.Loops.size(), /*cuts=*/0, Workers, Of.PointNs, {}};
  for (size_t I = 0; I < Of.Loops.size(); ++I)
    Description.extents[I] = {Of.Loops[I].Constant,
                              {Of.Loops[I].Factors[0], Of.Loops[I].Factors[1]}};
  const RankedNest Ranks = *RankedNest::of(Of.Loops);
  // The specializer chooses in the same way if sizes are constants.
  const NestCuts Cuts = chooseCuts(Ranks, Workers, Ranks.depth(), Of.PointNs, CutTime::Ahead);
  Description.cuts = Cuts.Level;
  const std::optional<SharedNest> Nest = SharedNest::of(Description, Workers);
  ParallelLoop Loop(nullptr, nullptr, 0, long(Nest ? Nest->total() : Ranks.numRows()), 1);
  if (Nest)
    Loop.setNest(*Nest);
  Loop.setThreads(Workers);
  std::vector<double> Work(Workers);
  std::chrono::duration<double, std::nano> Taking{0};
  unsigned NumChunks = 0;
  for (long From, To;; ++NumChunks) {
    const auto Free = std::min_element(Work.begin(), Work.end());
    const auto Begin = std::chrono::steady_clock::now();
    if (!Loop.take(unsigned(Free - Work.begin()), From, To))
      break;
    if (Nest) {
      NestRange Chunk = Nest->chunk(uint64_t(From), uint64_t(To));
      benchmark::DoNotOptimize(Chunk);
    }
    Taking += std::chrono::steady_clock::now() - Begin;
    *Free += double(Nest ? uint64_t(To - From)
                         : Ranks.rankOfRow(uint64_t(To)) - Ranks.rankOfRow(uint64_t(From)));
  }
  return {.Imbalance =
              *std::max_element(Work.begin(), Work.end()) * Workers / double(Ranks.total()),
          .ChunkNs = Taking.count() / NumChunks,
          .AreRanks = Nest.has_value()};
}

} // namespace

int main() {
  for (const Shape &Each : shapes()) {
    const Shares Of = share(Each, 16);
    std::printf(
        "{\"nest\": \"%s\", \"inversion_ns\": %.1f, \"chunk_ns\": %.0f, \"imbalance\": %.4f, "
        "\"ranks\": %s}\n",
        Each.Name, inversionNs(*RankedNest::of(Each.Loops)), Of.ChunkNs, Of.Imbalance,
        Of.AreRanks ? "true" : "false");
  }
}
