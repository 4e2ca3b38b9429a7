//===- tests/support/ranking/ranked_nest_test.cpp - ranks of nests, and their inversion -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ranking/ranked_nest.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace specrt;

namespace {

using Extents = std::vector<LoopExtent>;

/// All iterations in the order of the program.
std::vector<NestPoint> enumerate(const Extents &Of) {
  std::vector<NestPoint> Points;
  const auto Count = [&](unsigned Loop, int64_t X0, int64_t X1) {
    return Loop < Of.size()
               ? Of[Loop].Constant + Of[Loop].Factors[0] * X0 + Of[Loop].Factors[1] * X1
               : 1;
  };
  for (int64_t X0 = 0; X0 < Count(0, 0, 0); ++X0)
    for (int64_t X1 = 0; X1 < Count(1, X0, 0); ++X1)
      for (int64_t X2 = 0; X2 < Count(2, X0, X1); ++X2)
        Points.push_back({uint64_t(X0), uint64_t(X1), uint64_t(X2)});
  return Points;
}

/// The number of innermost iterations before \p Point, by the sums that the nest consists of.
uint64_t rankOf(const RankedNest &Nest, const Extents &Of, const NestPoint &Point) {
  const uint64_t BeforeRow = Nest.rankOfRow(Point[0]);
  if (Of.size() < 3)
    return BeforeRow + Point[1];
  const uint64_t First = uint64_t(Of[2].Constant) + uint64_t(Of[2].Factors[0]) * Point[0];
  const uint64_t Pairs = Point[1] > 0 ? Point[1] * (Point[1] - 1) / 2 : 0;
  return BeforeRow + Point[1] * First + uint64_t(Of[2].Factors[1]) * Pairs + Point[2];
}

void expectRanks(const Extents &Of) {
  const std::vector<NestPoint> Points = enumerate(Of);
  const std::optional<RankedNest> Nest = RankedNest::of(Of);
  ASSERT_EQ(Nest.has_value(), !Points.empty());
  if (!Nest)
    return;
  ASSERT_EQ(Nest->total(), Points.size());
  std::vector<uint64_t> InRow(Nest->numRows()), Most(3);
  std::vector<std::vector<uint64_t>> InColumn(Nest->numRows());
  for (uint64_t Rank = 0; Rank < Points.size(); ++Rank) {
    const NestPoint &Point = Points[Rank];
    ASSERT_EQ(Nest->at(Rank), Point) << Rank;
    ASSERT_EQ(rankOf(*Nest, Of, Point), Rank);
    Most[0] = std::max(Most[0], ++InRow[Point[0]]);
    InColumn[Point[0]].resize(std::max(InColumn[Point[0]].size(), size_t(Point[1] + 1)));
    Most[1] = std::max(Most[1], ++InColumn[Point[0]][Point[1]]);
  }
  Most[2] = 1;
  uint64_t Before = 0;
  for (uint64_t Row = 0; Row < InRow.size(); Before += InRow[Row++])
    ASSERT_EQ(Nest->rankOfRow(Row), Before);
  EXPECT_EQ(Nest->rankOfRow(InRow.size()), Before);
  for (unsigned Level = 1; Level <= Nest->depth(); ++Level)
    EXPECT_EQ(Nest->largestOf(Level), Most[Level - 1]) << Level;
}

/// Polyhedral optimization papers, section 4: P = i (i - 1) / 2 + j.
TEST(Ranking, Section4TriangleOf100Rows) {
  expectRanks({{99}, {1, {1}}});
  EXPECT_EQ(RankedNest::of(Extents{{99}, {1, {1}}})->total(), 4950u);
}

/// The root in floating-point numbers is wrong from this rank on.
TEST(Ranking, Section4RankAtWhichRootsFail) {
  const std::optional<RankedNest> Nest = RankedNest::of(Extents{{int64_t{1} << 28}, {1, {1}}});
  ASSERT_TRUE(Nest);
  for (const uint64_t Rank : {9007199321849855U, 9007199321849856U, 9007199321849854U}) {
    const NestPoint Point = Nest->at(Rank);
    const uint64_t I = Point[0] + 1;
    EXPECT_LE(I * (I - 1) / 2, Rank);
    EXPECT_GT(I * (I + 1) / 2, Rank);
    EXPECT_EQ(Point[1], Rank - I * (I - 1) / 2);
  }
}

TEST(Ranking, NestsOfOneShapeEach) {
  expectRanks({{7}});
  expectRanks({{6}, {10}});
  expectRanks({{9}, {0, {1}}});                 // the first row is empty
  expectRanks({{9}, {5, {-1}}});                // the last rows are
  expectRanks({{9}, {-8, {3}}});                // the first ones
  expectRanks({{8}, {3, {2}}});                 // trapezoid
  expectRanks({{9}, {0, {1}}, {0, {0, 1}}});    // tetrahedron
  expectRanks({{9}, {9, {-1}}, {9, {-1, -1}}}); // its mirror image
  expectRanks({{9}, {4}, {3, {1, 2}}});
  expectRanks({{9}, {12, {-1}}, {0, {1}}}); // the largest row is between the ends
  expectRanks({{3}, {2}, {100}});
  expectRanks({{1}, {2}, {3}});
}

TEST(Ranking, RandomNestsAreEnumerated) {
  std::mt19937_64 Random(1);
  const auto Between = [&](int64_t Low, int64_t High) {
    return Low + int64_t(Random() % uint64_t(High - Low + 1));
  };
  unsigned NumCompared = 0;
  for (int Case = 0; Case < 4000; ++Case) {
    Extents Of = {{Between(0, 20)}, {Between(-10, 20), {Between(-3, 3)}}};
    if (Case % 2 == 1)
      Of.push_back({Between(0, 30), {Between(-2, 2), Between(-2, 2)}});
    // A third loop with fewer than no iterations is refused.
    bool IsRanked = true;
    for (const NestPoint &Point : enumerate({Of[0], Of[1]}))
      IsRanked &= Of.size() < 3 || Of[2].Constant + Of[2].Factors[0] * int64_t(Point[0]) +
                                           Of[2].Factors[1] * int64_t(Point[1]) >=
                                       0;
    SCOPED_TRACE(Case);
    if (!IsRanked) {
      EXPECT_FALSE(RankedNest::of(Of));
      continue;
    }
    expectRanks(Of);
    ++NumCompared;
  }
  EXPECT_GE(NumCompared, 2500u);
}

/// The search ends at the right rank however far away the floating-point root is.
TEST(Ranking, LargeNestsInvertTheRanksOfTheirRows) {
  std::mt19937_64 Random(2);
  for (const Extents &Of :
       {Extents{{int64_t{1} << 31}, {1, {1}}}, Extents{{1500000}, {0, {1}}, {0, {0, 1}}},
        Extents{{1500000}, {1500000, {-1}}, {1, {1, 0}}},
        Extents{{1000}, {int64_t{1} << 36, {-(int64_t{1} << 26)}}}}) {
    const std::optional<RankedNest> Nest = RankedNest::of(Of);
    ASSERT_TRUE(Nest);
    for (int Case = 0; Case < 2000; ++Case) {
      const uint64_t Row = Random() % Nest->numRows();
      const uint64_t First = Nest->rankOfRow(Row), End = Nest->rankOfRow(Row + 1);
      if (First == End)
        continue;
      for (const uint64_t Rank : {First, First + (End - First) / 2, End - 1}) {
        const NestPoint Point = Nest->at(Rank);
        ASSERT_EQ(Point[0], Row);
        ASSERT_EQ(rankOf(*Nest, Of, Point), Rank);
      }
    }
  }
}

TEST(Ranking, NestsThatAreTooLargeHaveNoRanks) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max(),
                    Min = std::numeric_limits<int64_t>::min();
  for (const Extents &Of :
       {Extents{}, Extents{{0}}, Extents{{-1}}, Extents{{Min}}, Extents{{Max}},
        Extents{{10}, {Max}}, Extents{{10}, {Max, {Max}}}, Extents{{10}, {Min, {Max}}},
        Extents{{10}, {1, {Min}}}, Extents{{10}, {1, {Max}}}, Extents{{1}, {1, {Max}}},
        Extents{{int64_t{1} << 32}, {int64_t{1} << 32}}, Extents{{10}, {10}, {Max}},
        Extents{{10}, {10}, {1, {Max, Max}}}, Extents{{10}, {10}, {1, {0, Min}}},
        Extents{{10}, {0}}, Extents{{1}, {1}, {1}, {1}},
        Extents{{int64_t{1} << 22}, {1, {1}}, {1, {1, 1}}}})
    EXPECT_FALSE(RankedNest::of(Of)) << Of.size();
}

} // namespace
