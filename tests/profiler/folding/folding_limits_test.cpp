//===- tests/profiler/folding/folding_limits_test.cpp - what happens to irregular streams ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/folding/streams.h"

#include <gmock/gmock.h>
#include <random>

namespace specrt {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Holes and labels at random.
Stream noise(unsigned Iterators, size_t Points) {
  std::mt19937 Random(Iterators);
  Stream S{Iterators, 1, {}};
  Vector Point(Iterators);
  for (int64_t Number = 0; S.Points.size() < Points; ++Number) {
    int64_t Rest = Number;
    for (unsigned K = Iterators; K-- > 1; Rest /= 9)
      Point[K] = Rest % 9;
    Point[0] = Rest;
    if (Random() % 3)
      S.add(Point, {int64_t(Random() % 1000)});
  }
  return S;
}

// The paper gives up beyond 4d + 1 live pieces.
TEST(FoldingLimits, GivesUpAsABox) {
  for (unsigned Iterators = 2; Iterators <= 4; ++Iterators)
    for (Widening Widen : {Widening::Never, Widening::Adaptive, Widening::Always}) {
      const Stream S = noise(Iterators, 20000);
      Folder F(Iterators, 1, {.Widen = Widen});
      S.addTo(F);
      EXPECT_LE(F.peakLive(), 4 * Iterators + 2);
      EXPECT_LT(F.memory(), 200000u);
      const Folding Result = F.finish();
      EXPECT_TRUE(Result.GaveUp);
      ASSERT_THAT(Result.Pieces, SizeIs(1));
      const FoldedPiece &Box = Result.Pieces[0];
      EXPECT_FALSE(Box.ExactDomain);
      EXPECT_EQ(Box.Points, S.Points.size());
      for (unsigned K = 0; K < Iterators; ++K)
        EXPECT_TRUE(Box.stride(K).isTop());
      EXPECT_TRUE(Box.Functions[0].Constant.isTop());
      EXPECT_EQ(Result.affineShare(), 0);
      EXPECT_EQ(mismatch(S, Result), "");
    }
}

TEST(FoldingLimits, BoxesStartWherePointsDo) {
  Stream S = noise(2, 2000);
  for (auto &[Point, Label] : S.Points)
    Point[1] += 100;
  EXPECT_THAT(S.fold().Pieces[0].domainText(), testing::EndsWith("100 <= c1 <= 108"));
}

// Rows of all lengths, as in a sparse matrix: what is regular along them stays known.
TEST(FoldingLimits, BoxesKeepTheInnermostStride) {
  std::mt19937 Random(1);
  Stream S{2, 2, {}};
  for (int64_t I = 0, P = 0; I < 3000; ++I)
    for (int64_t J = 0, Length = int64_t(Random() % 30); J < Length; ++J, ++P)
      S.add({I, J}, {8 * P, int64_t(Random() % 100)});
  const Folding F = S.fold();
  EXPECT_TRUE(F.GaveUp);
  EXPECT_THAT(texts(F),
              ElementsAre("0 <= c0 <= 2999, 0 <= c1 <= 28: Tc0 + 8c1 + T; Tc0 + Tc1 + T"));
  EXPECT_EQ(mismatch(S, F), "");
}

TEST(FoldingLimits, MemoryIsBounded) {
  const Stream S = noise(1, 100000);
  Folder F(1, 1, {.Widen = Widening::Never, .MaxPieces = SIZE_MAX, .MaxBytes = 100000});
  size_t Most = 0;
  for (const auto &[Point, Label] : S.Points) {
    F.add(Point.data(), Label.data());
    Most = std::max(Most, F.memory());
  }
  EXPECT_LT(Most, 200000u);
  EXPECT_TRUE(F.finish().GaveUp);
}

// Widening as late as possible gives what widening from the start does.
TEST(FoldingLimits, AdaptiveWideningForgetsNothing) {
  Stream S{2, 2, {}};
  for (int64_t I = 0; I < 40; ++I)
    for (int64_t J = 0; J < 40; ++J)
      S.add({I, J}, {I, 8 * I + J * J % 11});
  const Folding Adaptive = S.fold(), Always = S.fold({.Widen = Widening::Always});
  EXPECT_TRUE(Adaptive.Widened);
  EXPECT_THAT(texts(Adaptive),
              ElementsAre("0 <= c0 <= 39, 0 <= c1 <= 39: 1c0 + 0c1 + 0; 8c0 + Tc1 + 0"));
  EXPECT_EQ(texts(Adaptive), texts(Always));
}

// What was regular for long stays so.
TEST(FoldingLimits, AdaptiveWideningKeepsWhatIsComplete) {
  std::mt19937 Random(1);
  Stream S{2, 1, {}};
  for (int64_t I = 0; I < 100; ++I)
    for (int64_t J = 0; J < 20; ++J)
      S.add({I, J}, {I < 80 ? 100 * I + 8 * J : int64_t(Random() % 1000)});
  const Folding F = S.fold();
  EXPECT_TRUE(F.Widened);
  EXPECT_THAT(texts(F),
              ElementsAre("0 <= c0 <= 79, 0 <= c1 <= 19: 100c0 + 8c1 + 0",
                          testing::StartsWith("80 <= c0 <= 99, 0 <= c1 <= 19: Tc0 + Tc1")));
  EXPECT_EQ(mismatch(S, F), "");
  EXPECT_EQ(F.affineShare(), 0.8);
}

// Few pieces need no widening: all values stay known.
TEST(FoldingLimits, AdaptiveWideningWaits) {
  Stream S{1, 1, {}};
  for (int64_t I = 0; I < 100; ++I)
    S.add({I}, {I < 30 ? 5 * I : I < 70 ? 1000 - I : 3});
  const Folding F = S.fold();
  EXPECT_FALSE(F.Widened);
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 29: 5c0 + 0", "30 <= c0 <= 69: -1c0 + 1000",
                                    "70 <= c0 <= 99: 0c0 + 3"));
}

TEST(FoldingLimits, ManyIteratorsAndLabels) {
  Folder F(16, 64);
  Vector Point(16), Labels(64);
  for (int64_t I = 0; I < 3; ++I)
    for (int64_t J = 0; J < 3; ++J) {
      Point[0] = I;
      Point[15] = J;
      for (int64_t L = 0; L < 64; ++L)
        Labels[size_t(L)] = L * I - J;
      F.add(Point.data(), Labels.data());
    }
  const Folding Result = F.finish();
  ASSERT_THAT(Result.Pieces, SizeIs(1));
  EXPECT_EQ(Result.Pieces[0].stride(0, 63).Value, 63);
}

} // namespace
} // namespace specrt
