//===- tests/profiler/folding/folding_shapes_test.cpp - what folds to one piece, and how ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beyond the paper: steep slopes, strides, tiles and linearised dimensions, boundaries.
//
//===----------------------------------------------------------------------===//
#include "tests/profiler/folding/streams.h"

#include <gmock/gmock.h>

namespace specrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Adds \p Label(point) for the points of a box from 0 on for which there is one.
template <typename Fn> Stream box(const Vector &Extents, Fn Label) {
  Stream S{unsigned(Extents.size()), 1, {}};
  Vector Point(Extents.size());
  for (bool More = true; More;) {
    if (std::optional<int64_t> Value = Label(Point))
      S.add(Point, {*Value});
    size_t K = Extents.size();
    while (K > 0 && ++Point[K - 1] == Extents[K - 1])
      Point[--K] = 0;
    More = K > 0;
  }
  return S;
}

/// Folds without any widening.
std::vector<std::string> folded(const Stream &S) {
  Folding F = S.fold();
  EXPECT_EQ(mismatch(S, F), "");
  EXPECT_FALSE(F.Widened);
  EXPECT_EQ(F.affineShare(), 1);
  return texts(F, {"i", "j", "k"});
}

using Value = std::optional<int64_t>;

TEST(FoldingShapes, Empty) {
  Folding F = Folder(2, 1).finish();
  EXPECT_THAT(F.Pieces, IsEmpty());
  EXPECT_EQ(F.affineShare(), 1);
}

TEST(FoldingShapes, LinearisedDimension) {
  EXPECT_THAT(folded(box({40}, [](const Vector &P) { return Value(P[0] / 4 * 100 + P[0] % 4); })),
              ElementsAre("0 <= i/4 <= 9, 0 <= i%4 <= 3: 100i/4 + 1i%4 + 0"));
}

TEST(FoldingShapes, PartialTile) {
  auto Label = [](const Vector &P) { return Value(P.back() / 4 * 100 + P.back() % 4); };
  EXPECT_THAT(
      folded(box({10}, Label)),
      ElementsAre("0 <= i/4 <= 1, 0 <= i%4 <= 3: 100i/4 + 1i%4 + 0", "8 <= i <= 9: 1i + 192"));
  EXPECT_THAT(folded(box({7, 10}, Label)),
              ElementsAre("0 <= i <= 6, 0 <= j/4 <= 1, 0 <= j%4 <= 3: 0i + 100j/4 + 1j%4 + 0",
                          "0 <= i <= 6, 8 <= j <= 9: 0i + 1j + 192"));
}

TEST(FoldingShapes, TiledOuterIterator) {
  EXPECT_THAT(
      folded(box({12, 5},
                 [](const Vector &P) { return Value(P[0] / 3 * 1000 + P[0] % 3 * 7 + P[1]); })),
      ElementsAre("0 <= i/3 <= 3, 0 <= i%3 <= 2, 0 <= j <= 4: 1000i/3 + 7i%3 + 1j + 0"));
}

TEST(FoldingShapes, EverySecondPoint) {
  EXPECT_THAT(folded(box({8, 9},
                         [](const Vector &P) {
                           return P[1] % 2 ? Value() : Value(100 * P[0] + 8 * P[1]);
                         })),
              ElementsAre("0 <= i <= 7, 0 <= j/2 <= 4: 100i + 16j/2 + 0"));
}

TEST(FoldingShapes, RowsThatAlternate) {
  EXPECT_THAT(folded(box({9, 8},
                         [](const Vector &P) {
                           return P[0] % 2 ? Value(5 * P[1] + P[0]) : Value(3 * P[1] - P[0]);
                         })),
              ElementsAre("0 <= i/2 <= 4, 0 <= j <= 7: -2i/2 + 3j + 0",
                          "0 <= i/2 <= 3, 0 <= j <= 7, i counted from 1: 2i/2 + 5j + 1"));
}

TEST(FoldingShapes, TrianglesBesideEachOther) {
  EXPECT_THAT(folded(box({10, 10},
                         [](const Vector &P) { return Value(P[1] <= P[0] ? P[1] : 1000 + P[1]); })),
              ElementsAre("0 <= i <= 9, 0 <= j <= i: 0i + 1j + 0",
                          "0 <= i <= 8, i + 1 <= j <= 9: 0i + 1j + 1000"));
}

// The first point of a row fits any second; that must not cost the row behind it its first.
TEST(FoldingShapes, BoundariesOfAStencil) {
  EXPECT_THAT(folded(box({5, 6, 7},
                         [](const Vector &P) {
                           const bool Inside = P[1] > 0 && P[1] < 5 && P[2] > 0 && P[2] < 6;
                           return Value(Inside ? 100 * P[0] + 10 * P[1] + P[2] : 7);
                         })),
              ElementsAre("0 <= i <= 4, 0 <= j <= 0, 0 <= k <= 6: 0i + 0j + 0k + 7",
                          "0 <= i <= 4, 1 <= j <= 4, 0 <= k <= 0: 0i + 0j + 0k + 7",
                          "0 <= i <= 4, 1 <= j <= 4, 1 <= k <= 5: 100i + 10j + 1k + 0",
                          "0 <= i <= 4, 1 <= j <= 4, 6 <= k <= 6: 0i + 0j + 0k + 7",
                          "0 <= i <= 4, 5 <= j <= 5, 0 <= k <= 6: 0i + 0j + 0k + 7"));
}

TEST(FoldingShapes, SkewedPrism) {
  Stream S{3, 1, {}};
  for (int64_t I = 0; I < 6; ++I)
    for (int64_t J = I; J < 3 * I + 2; ++J)
      for (int64_t K = J - I; K <= J + 2 * I; ++K)
        S.add({I, J, K}, {5 * I - 3 * J + 2 * K});
  EXPECT_THAT(
      folded(S),
      ElementsAre("0 <= i <= 5, i <= j <= 3i + 1, -i + j <= k <= 2i + j: 5i - 3j + 2k + 0"));
}

// Rows of a triangle at irregular places: what is top is compared as far as both rows go.
TEST(FoldingShapes, StridesBesideTopsInTriangles) {
  auto Rows = [](auto Length, auto Label) {
    Stream S{2, 1, {}};
    for (int64_t I = 0; I < 30; ++I)
      for (int64_t J = 0; J < Length(I); ++J)
        S.add({I, J}, {Label(I, J)});
    Folding F = S.fold({.Widen = Widening::Always});
    EXPECT_EQ(mismatch(S, F), "");
    return texts(F, {"i", "j"});
  };
  auto Pointers = [](int64_t I, int64_t J) { return 4096 * J + J * J % 7 + 8 * I; };
  EXPECT_THAT(Rows([](int64_t I) { return I + 1; }, Pointers),
              ElementsAre("0 <= i <= 29, 0 <= j <= i: 8i + Tj + 0"));
  EXPECT_THAT(Rows([](int64_t I) { return 2 * I + 1; }, Pointers),
              ElementsAre("0 <= i <= 29, 0 <= j <= 2i: 8i + Tj + 0"));
  EXPECT_THAT(Rows([](int64_t I) { return 32 - I; }, Pointers),
              ElementsAre("0 <= i <= 29, 0 <= j <= -i + 31: 8i + Tj + 0"));
  EXPECT_THAT(Rows([](int64_t I) { return I + 1; },
                   [&](int64_t I, int64_t J) { return Pointers(I, J) + (I == 20 && J == 3); }),
              ElementsAre("0 <= i <= 29, 0 <= j <= i: Ti + Tj + 0"));
}

TEST(FoldingShapes, QuestionsAboutAPiece) {
  Stream S{2, 1, {}};
  for (int64_t I = 1; I < 5; ++I)
    for (int64_t J = I; J < 8; ++J)
      S.add({I, J}, {10 * I + J});
  Folding F = S.fold();
  ASSERT_EQ(F.Pieces.size(), 1u);
  const FoldedPiece &Piece = F.Pieces[0];
  EXPECT_THAT(Piece.vertices(),
              ElementsAre(Vector{1, 1}, Vector{1, 7}, Vector{4, 4}, Vector{4, 7}));
  EXPECT_TRUE(Piece.contains(Vector{4, 7}));
  EXPECT_FALSE(Piece.contains(Vector{4, 3}));
  EXPECT_FALSE(Piece.contains(Vector{0, 3}));
  EXPECT_EQ(Piece.value(Vector{4, 7}), 47);
  EXPECT_EQ(Piece.value(Vector{5, 7}), std::nullopt);
  EXPECT_EQ(F.value(Vector{2, 6}), 26);
  EXPECT_EQ(Piece.stride(0).Value, 10);
  EXPECT_EQ(Piece.stride(1).Value, 1);
}

TEST(FoldingShapes, StridesOfTiles) {
  Folding F = box({40}, [](const Vector &P) { return Value(P[0] / 4 * 100 + P[0] % 4); }).fold();
  EXPECT_TRUE(F.Pieces[0].stride(0).isTop());
  F = box({9}, [](const Vector &P) { return P[0] % 2 ? Value() : Value(8 * P[0]); }).fold();
  EXPECT_EQ(F.Pieces[0].stride(0).Value, 8);
}

// Labels are numbers modulo 2^64.
TEST(FoldingShapes, LabelsThatWrap) {
  EXPECT_THAT(folded(box({4},
                         [](const Vector &P) {
                           return Value(int64_t(uint64_t(INT64_MAX) + 3 * uint64_t(P[0])));
                         })),
              ElementsAre("0 <= i <= 3: 3i + 9223372036854775807"));
}

TEST(FoldingShapes, RowsAtOnce) {
  Folder PointByPoint(2, 1), RowByRow(2, 1);
  for (int64_t I = 0; I < 20; ++I) {
    const int64_t Step = I < 10 ? 8 : 4, First = 1000 * I;
    for (int64_t J = 0; J < 1 + I % 5; ++J) {
      const int64_t Point[] = {I, J}, Label[] = {First + Step * J};
      PointByPoint.add(Point, Label);
    }
    const int64_t Point[] = {I, 0};
    RowByRow.addRow(Point, uint64_t(1 + I % 5), &First, &Step);
  }
  Folding A = PointByPoint.finish(), B = RowByRow.finish();
  EXPECT_EQ(texts(A), texts(B));
  EXPECT_EQ(A.Points, B.Points);
}

TEST(FoldingShapes, FoldersCanBeUsedAgainAndMoved) {
  Folder F(1, 1);
  const Stream S = box({5}, [](const Vector &P) { return Value(P[0]); });
  S.addTo(F);
  const auto First = texts(F.finish());
  Folder Moved = std::move(F);
  S.addTo(Moved);
  EXPECT_EQ(texts(Moved.finish()), First);
}

} // namespace
} // namespace specrt
