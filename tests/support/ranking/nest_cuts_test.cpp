//===- tests/support/ranking/nest_cuts_test.cpp - where threads cut a nest -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ranking/nest_cuts.h"
#include "support/ranking/nest_range.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace specrt;

namespace {

using Extents = std::vector<LoopExtent>;

NestCuts cuts(const Extents &Of, unsigned Threads, double NsPerPoint, unsigned MostLevel = 3) {
  return chooseCuts(*RankedNest::of(Of), Threads, MostLevel, NsPerPoint, CutTime::Ahead);
}

TEST(NestCuts, ManyEqualRowsAreSharedAsTheyAre) {
  EXPECT_EQ(cuts({{1000}, {1000}}, 2, 1).Level, 0u);
  EXPECT_EQ(cuts({{100000}, {100}}, 16, 1).Level, 0u);
  EXPECT_EQ(cuts({{6}, {100000}}, 1, 1).Level, 0u);
}

TEST(NestCuts, FewRowsAreCut) {
  EXPECT_EQ(cuts({{6}, {10000}}, 16, 10).Level, 2u);
  EXPECT_EQ(cuts({{3}, {100000}}, 2, 1).Level, 2u);
  EXPECT_EQ(cuts({{3}, {2}, {100000}}, 16, 1).Level, 3u);
  EXPECT_EQ(cuts({{3}, {2}, {100000}}, 16, 1, /*MostLevel=*/1).Level, 0u);
}

/// Three rows per thread leave none idle.
TEST(NestCuts, RowsThatAreAMultipleOfTheThreadsStay) {
  EXPECT_EQ(cuts({{6}, {100}}, 2, 1).Level, 0u);
}

/// The first chunk of rows of a tetrahedron contains more than half of the work.
TEST(NestCuts, RowsThatDifferMuchAreCutByWork) {
  const Extents Of = {{1000}, {1000, {-1}}, {1000, {-1, -1}}};
  EXPECT_EQ(cuts(Of, 2, 1, /*MostLevel=*/1).Level, 1u);
}

/// The model takes longer than a twentieth of a thread's time.
TEST(NestCuts, StartsDoNotWaitForTheModelOfLittleWork) {
  const RankedNest Triangle = *RankedNest::of(Extents{{1200}, {0, {1}}});
  EXPECT_EQ(chooseCuts(Triangle, 16, 2, 0.4, CutTime::Start).Level, 0u);
  EXPECT_GE(chooseCuts(Triangle, 16, 2, 40, CutTime::Start).Level, 1u);
  EXPECT_GE(chooseCuts(Triangle, 16, 2, 0.4, CutTime::Ahead).Level, 1u);
}

/// Counts the visits of the iterations of a nest whose loops have \p Counts iterations.
void visit(const NestRange &Of, const NestPoint &Counts, std::map<NestPoint, int> &Visited) {
  NestRange Left = Of;
  for (LoopRun Run = Left.take(); Run.Level != 0; Run = Left.take()) {
    ASSERT_LE(Run.Begin, Run.End);
    const auto Range = [&](unsigned Level) -> std::pair<int64_t, int64_t> {
      const auto Count = int64_t(Counts[Level - 1]);
      if (Level < Run.Level)
        return {Run.Around[Level - 1], std::min(Run.Around[Level - 1] + 1, Count)};
      return Level == Run.Level ? std::pair(Run.Begin, std::min(Run.End, Count))
                                : std::pair(int64_t(0), Count);
    };
    for (auto [X0, E0] = Range(1); X0 < E0; ++X0)
      for (auto [X1, E1] = Range(2); X1 < E1; ++X1)
        for (auto [X2, E2] = Range(3); X2 < E2; ++X2)
          ++Visited[{uint64_t(X0), uint64_t(X1), uint64_t(X2)}];
  }
}

/// Points need not even be in the nest.
TEST(NestRange, RangesThatMeetVisitEachPointOnce) {
  std::mt19937_64 Random(1);
  for (int Case = 0; Case < 2000; ++Case) {
    const NestPoint Counts = {1 + Random() % 5, 1 + Random() % 4, 1 + Random() % 4};
    std::vector<NestPoint> Points = {{}, {Counts[0]}};
    for (int Cut = int(Random() % 6); Cut > 0; --Cut)
      Points.push_back({Random() % Counts[0], Random() % 6, Random() % 6});
    std::sort(Points.begin(), Points.end());
    std::map<NestPoint, int> Visited;
    for (size_t I = 0; I + 1 < Points.size(); ++I)
      visit(NestRange(Points[I], Points[I + 1]), Counts, Visited);
    EXPECT_EQ(Visited.size(), Counts[0] * Counts[1] * Counts[2]) << Case;
    for (const auto &[Point, Times] : Visited)
      ASSERT_EQ(Times, 1) << Case;
  }
}

TEST(NestRange, IsRestsThenRowsThenBeginnings) {
  NestRange Range({2, 3, 4}, {5, 1, 2});
  const auto Expect = [&](unsigned Level, int64_t Begin, int64_t End) {
    const LoopRun Run = Range.take();
    EXPECT_EQ(Run.Level, Level);
    EXPECT_EQ(Run.Begin, Begin);
    EXPECT_EQ(Run.End, End);
  };
  Expect(3, 4, LoopRun::Rest);
  Expect(2, 4, LoopRun::Rest);
  Expect(1, 3, 5);
  Expect(2, 0, 1);
  Expect(3, 0, 2);
  Expect(0, 0, 0);
}

TEST(NestCuts, CutsAreInTheOrderOfTheirRanks) {
  std::mt19937_64 Random(3);
  for (const Extents &Of :
       {Extents{{9}, {0, {1}}}, Extents{{9}, {9, {-1}}, {9, {-1, -1}}}, Extents{{4}, {7}, {2}}}) {
    const RankedNest Nest = *RankedNest::of(Of);
    for (unsigned Level = 1; Level <= Nest.depth(); ++Level) {
      EXPECT_EQ(cutAt(Nest, 0, Level), NestPoint{});
      EXPECT_EQ(cutAt(Nest, Nest.total(), Level), NestPoint{Nest.numRows()});
      for (uint64_t Rank = 0; Rank < Nest.total(); ++Rank) {
        EXPECT_LE(cutAt(Nest, Rank, Level), cutAt(Nest, Rank + 1, Level));
        EXPECT_TRUE(Rank == 0 || cutAt(Nest, Rank, Nest.depth()) == Nest.at(Rank));
      }
    }
  }
}

} // namespace
