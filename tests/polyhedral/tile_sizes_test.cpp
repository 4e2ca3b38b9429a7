//===- tests/polyhedral/tile_sizes_test.cpp - sizes from formulas and from estimates ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Golden numbers: "SIMD- and cache-specific tile sizes" (IMPACT 2013).

#include "specializer/polyhedral/schedule/tile_sizes.h"
#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include <gmock/gmock.h>

using namespace specrt;

namespace {

constexpr unsigned long KiB = 1024;

TEST(SimdTileSizes, FloatsOn128Bits) {
  auto tile = [](unsigned References, double Share) {
    return vectorTile({References, 4}, 32 * KiB, 16, Share);
  };
  EXPECT_EQ(tile(2, 1), 4096);
  EXPECT_EQ(tile(3, 1), 2728);
  EXPECT_EQ(tile(4, 1), 2048);
  EXPECT_EQ(tile(1, 0.9), 7372); // the paper's figure 22 says 7368
  EXPECT_EQ(tile(2, 0.9), 3684);
  EXPECT_EQ(tile(3, 0.9), 2456);
  EXPECT_EQ(outerTile(32 * KiB, 256 * KiB), 8);
}
TEST(SimdTileSizes, On512Bits) {
  auto tiles = [](unsigned ElementBytes, double Share, std::initializer_list<unsigned> References) {
    std::vector<long> Tiles;
    for (unsigned E : References)
      Tiles.push_back(vectorTile({E, ElementBytes}, 32 * KiB, 64, Share));
    return Tiles;
  };
  using testing::ElementsAre;
  EXPECT_THAT(tiles(4, 1, {1, 2, 3, 4}), ElementsAre(8192, 4096, 2720, 2048));
  EXPECT_THAT(tiles(8, 1, {1, 2, 3, 4}), ElementsAre(4096, 2048, 1360, 1024));
  EXPECT_THAT(tiles(8, 0.9, {1, 2, 3, 4}), ElementsAre(3680, 1840, 1224, 920));
  EXPECT_EQ(outerTile(32 * KiB, 1024 * KiB), 32);
}
TEST(SimdTileSizes, AreAtLeastOneVectorAndOneTile) {
  EXPECT_EQ(vectorTile({1000, 8}, KiB, 64), 8);
  EXPECT_EQ(vectorTile({0, 8}, 32 * KiB, 64), 4096);
  EXPECT_EQ(outerTile(64 * KiB, 32 * KiB), 1);
}

TilingTarget machine(unsigned Threads) {
  TilingTarget M;
  M.VectorBytes = 64;
  M.L1Bytes = 48 * KiB;
  M.L2Bytes = 1024 * KiB;
  M.L3Bytes = 32 * 1024 * KiB;
  M.Threads = Threads;
  return M;
}
StencilShape jacobi2d(long Steps, long N) {
  StencilShape S;
  S.Steps = Steps;
  S.Axes = {{N, 2, 2}, {N, 2, 2}};
  S.BytesPerPoint = 16;
  S.Statements = 2;
  S.Accesses = 12;
  return S;
}

TEST(TimeTileSizes, TilesFitTheSecondCacheAndKeepRowsWhole) {
  std::optional<TimeTiles> T = chooseTimeTiles(jacobi2d(500, 1300), machine(1));
  ASSERT_TRUE(T);
  EXPECT_EQ(T->Shape, TileShape::Pipelined);
  EXPECT_EQ(T->Widths[1], 0);
  EXPECT_LE((T->Widths[0] + 2 * T->Height) * 1300 * 16, 1024L * 1024);
  EXPECT_GE(T->Height, 8);
}
TEST(TimeTileSizes, RowsThatAreTooLongAreCut) {
  std::optional<TimeTiles> T = chooseTimeTiles(jacobi2d(100, 20'000), machine(1));
  ASSERT_TRUE(T);
  EXPECT_GT(T->Widths[1], 0);
}
TEST(TimeTileSizes, AGridThatFitsTheFirstCacheIsNotCutForOneThread) {
  EXPECT_FALSE(chooseTimeTiles(jacobi2d(500, 50), machine(1)));
  EXPECT_TRUE(chooseTimeTiles(jacobi2d(500, 200), machine(1)));
  EXPECT_TRUE(chooseTimeTiles(jacobi2d(500, 200), machine(2)));
}
TEST(TimeTileSizes, ManyWorkersGetDiamondsUnlessTheStencilIsInPlace) {
  StencilShape S = jacobi2d(64, 4000);
  EXPECT_EQ(chooseTimeTiles(S, machine(32))->Shape, TileShape::Diamond);
  S.Axes[0].MirroredSkew.reset();
  EXPECT_EQ(chooseTimeTiles(S, machine(32))->Shape, TileShape::Pipelined);
}
TEST(TimeTileSizes, TheChoiceIsTheLeastEstimate) {
  StencilShape S = jacobi2d(500, 1300);
  TimeTiles Best = *chooseTimeTiles(S, machine(2));
  for (long Width : {4, 8, 16, 32, 64}) {
    TimeTiles Other = Best;
    Other.Widths[0] = Width;
    EXPECT_GE(estimateSeconds(S, machine(2), Other), Best.Seconds);
  }
}
TEST(TimeTileSizes, VeryLargeGridsAndManyStepsAreEstimatedAsQuickly) {
  StencilShape S;
  S.Steps = 2'000'000'000;
  S.Axes = {{1'000'000'000'000, 1, 1}};
  S.BytesPerPoint = 16;
  std::optional<TimeTiles> T = chooseTimeTiles(S, machine(64));
  ASSERT_TRUE(T);
  // Twice the points take twice the time.
  double Once = T->Seconds;
  S.Axes[0].Points *= 2;
  EXPECT_NEAR(estimateSeconds(S, machine(64), *T) / Once, 2, 1e-3);
}
TEST(TimeTileSizes, OneStepAndAnAxisThatCannotBeCutHaveNoTiles) {
  EXPECT_FALSE(chooseTimeTiles(jacobi2d(1, 4000), machine(1)));
  StencilShape S = jacobi2d(500, 4000);
  S.Axes[0].Skew.reset();
  EXPECT_FALSE(chooseTimeTiles(S, machine(2)));
}

} // namespace
