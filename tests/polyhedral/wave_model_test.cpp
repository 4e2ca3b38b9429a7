//===- tests/polyhedral/wave_model_test.cpp - waves of tiles, counted and predicted ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Golden numbers: "Tilings that scale" (IMPACT 2013), recomputed; one of them is wrong there.

#include "specializer/polyhedral/stencil/wave_model.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace specrt;

namespace {

constexpr long Tau = 10, Sigma = 2 * Tau;

WaveProfile jacobi(TileShape Shape, long N, long T, long Width = Sigma) {
  return WaveProfile::of(Shape, {N * Tau, T * Tau, /*Skew=*/1}, Width, Tau);
}

TEST(WavesOfTilingsThatScale, Pipelined) {
  EXPECT_EQ(jacobi(TileShape::Pipelined, 24, 8).waves(), 23);
  EXPECT_EQ(jacobi(TileShape::Pipelined, 24, 8).tiles(), 104);
  EXPECT_EQ(jacobi(TileShape::Pipelined, 48, 8).waves(), 35);
  EXPECT_EQ(jacobi(TileShape::Pipelined, 26, 8).waves(), 24);
  EXPECT_EQ(jacobi(TileShape::Pipelined, 24, 9).waves(), 25); // the paper says 24
}
TEST(WavesOfTilingsThatScale, PipelinedWidthsGrowSlowly) {
  WaveProfile Profile = jacobi(TileShape::Pipelined, 24, 40);
  std::vector<long> Widths;
  for (long Wave = 0; Wave < 16; ++Wave)
    Widths.push_back(Profile.width(Wave));
  EXPECT_THAT(Widths, testing::ElementsAre(1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 9, 8, 9));
}
TEST(WavesOfTilingsThatScale, ShareOfTilesInFullWaves) {
  auto profile = [](long Columns, long Rows) {
    return WaveProfile::of(TileShape::Pipelined, {2 * Columns, Rows, 1}, 2, 1);
  };
  EXPECT_NEAR(profile(10'000, 1000).fullShare(100), 0.9985, 5e-5);
  EXPECT_NEAR(profile(100'000, 1000).fullShare(1000), 0.985, 5e-4);
  EXPECT_EQ(profile(1'000'000, 1000).fullShare(10'000), 0);
  EXPECT_EQ(profile(1'000'000, 1000).largest(), 1000);
  EXPECT_NEAR(profile(38'730, 25'820).fullShare(10'000), 0.85, 5e-4);
}
TEST(WavesOfTilingsThatScale, DiamondsNeedAsManyWavesForTwiceThePoints) {
  for (long N : {24, 48}) {
    EXPECT_EQ(jacobi(TileShape::Diamond, N, 8).waves(), 9);
    EXPECT_EQ(jacobi(TileShape::Diamond, N, 8, Tau).waves(), 17);
  }
  EXPECT_EQ(jacobi(TileShape::Diamond, 24, 8).largest(), 13);
  EXPECT_EQ(jacobi(TileShape::Diamond, 48, 8).largest(), 25);
}

TEST(WaveModel, DiamondsAreCutAtTheEdgesOfSpaceAndTime) {
  for (long Skew : {1, 2})
    for (long Width : {40, 100, 250, 1000}) {
      WaveProfile Profile = WaveProfile::of(TileShape::Diamond, {1000, 500, Skew}, Width, 1);
      double PerTile = double(Width) * double(Width) / double(2 * Skew);
      EXPECT_NEAR(Profile.wholeTiles() * PerTile, 1000 * 500, 1000 * 500 * 0.02) << Width;
    }
  EXPECT_EQ(jacobi(TileShape::Pipelined, 24, 8).wholeTiles(), 104);
}
TEST(WaveModel, TwoHalvesOfDiamondsTakeAsLongAsAWholeOne) {
  // Waves of two tiles and of a half, a whole, and a half take turns.
  WaveProfile Profile = WaveProfile::of(TileShape::Diamond, {200, 4000, 1}, 100, 1);
  EXPECT_NEAR(Profile.seconds(2, 1, 0), Profile.wholeTiles() / 2, 0.02 * Profile.wholeTiles());
  EXPECT_EQ(Profile.seconds(1, 1, 0), Profile.wholeTiles());
}

long floorDiv(long A, long B) { return A >= 0 ? A / B : -((-A + B - 1) / B); }

/// Tiles per wave, from every point of space and time.
std::vector<long> countWidths(TileShape Shape, const WaveProblem &P, long Width, long Height) {
  std::map<long, std::set<long>> Waves;
  for (long T = 0; T < P.Steps; ++T)
    for (long X = 0; X < P.Points; ++X) {
      bool Diamond = Shape == TileShape::Diamond;
      long A = floorDiv(P.Skew * T + X, Width);
      long B = Diamond ? floorDiv(P.Skew * T - X, Width) : T / Height;
      Waves[A + B].insert(A);
    }
  std::vector<long> Widths;
  for (long Wave = Waves.begin()->first; Wave <= Waves.rbegin()->first; ++Wave)
    Widths.push_back(static_cast<long>(Waves[Wave].size()));
  return Widths;
}
TEST(Waves, AreThoseOfAllPoints) {
  for (long N : {5, 30, 64})
    for (long T : {1, 2, 7, 33})
      for (long Skew : {1, 2, 3})
        for (long Width : {2, 4, 7, 16})
          for (TileShape Shape : {TileShape::Pipelined, TileShape::Diamond}) {
            if (Shape == TileShape::Diamond && (Width < 2 * Skew || N <= 2 * Width))
              continue;
            WaveProblem P{N, T, Skew};
            WaveProfile Profile = WaveProfile::of(Shape, P, Width, 5);
            std::vector<long> Widths;
            for (long Wave = 0; Wave < Profile.waves(); ++Wave)
              Widths.push_back(Profile.width(Wave));
            EXPECT_EQ(Widths, countWidths(Shape, P, Width, 5)) << N << " " << T << " " << Skew;
          }
}

TEST(Waves, TimeCountsRoundsOfWorkersAndBarriers) {
  // Waves of 1, 2, 2, 3, 3, 2, 2 and 1 tiles: two workers need a round more for the widest.
  WaveProfile Profile = WaveProfile::of(TileShape::Pipelined, {50, 30, 1}, 20, 10);
  long Rounds = 0;
  for (long Wave = 0; Wave < Profile.waves(); ++Wave)
    Rounds += (Profile.width(Wave) + 1) / 2;
  EXPECT_DOUBLE_EQ(Profile.seconds(/*Workers=*/2, /*TileSeconds=*/1, /*BarrierSeconds=*/0.5),
                   double(Rounds) + 0.5 * double(Profile.waves()));
}

} // namespace
