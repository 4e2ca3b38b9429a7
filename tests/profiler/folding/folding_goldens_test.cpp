//===- tests/profiler/folding/folding_goldens_test.cpp - the paper's tables and figures ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of backprop's kernel (figure 1) with n2 = 16, n1 = 42, and the shapes of section 5.
//
//===----------------------------------------------------------------------===//
#include "tests/profiler/folding/streams.h"

#include <gmock/gmock.h>

namespace specrt {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr int64_t Rows = 16, Columns = 43;
const std::vector<std::string> Names = {"cj", "ck"};

/// Labels of all (cj, ck) from (0, FirstColumn) on.
template <typename Fn> Stream overKernel(unsigned Labels, Fn Label, int64_t FirstColumn = 0) {
  Stream S{2, Labels, {}};
  for (int64_t J = 0; J < Rows; ++J)
    for (int64_t K = FirstColumn; K < Columns; ++K)
      S.add({J, K}, Label(J, K));
  return S;
}

/// What conn[k] holds: rows that malloc placed without a constant distance. Figure 2: 67, 71, 77...
int64_t rowPointer(int64_t K) {
  return K == Columns - 1 ? 243 : 67 + 4 * K + 2 * (K / 2) * (K > 1) - (K > 6 ? K % 3 : 0);
}

std::vector<std::string> folded(const Stream &S, Widening Widen = Widening::Adaptive) {
  Folding F = S.fold({.Widen = Widen});
  EXPECT_EQ(mismatch(S, F), "");
  return texts(F, Names);
}

constexpr const char *Domain = "0 <= cj <= 15, 0 <= ck <= 42: ";

TEST(FoldingGoldens, Table3) {
  for (Widening Widen : {Widening::Adaptive, Widening::Always}) {
    EXPECT_THAT(folded(overKernel(1, [](int64_t, int64_t K) { return Vector{12 + K}; }), Widen),
                ElementsAre(std::string(Domain) + "0cj + 1ck + 12"));
    EXPECT_THAT(
        folded(overKernel(1, [](int64_t J, int64_t K) { return Vector{J + rowPointer(K)}; }),
               Widen),
        ElementsAre(std::string(Domain) + "1cj + Tck + 67"));
    EXPECT_THAT(folded(overKernel(1, [](int64_t, int64_t K) { return Vector{407 + K}; }), Widen),
                ElementsAre(std::string(Domain) + "0cj + 1ck + 407"));
    Folding I4 = overKernel(0, [](int64_t, int64_t) { return Vector{}; }).fold({.Widen = Widen});
    EXPECT_THAT(texts(I4, Names), ElementsAre("0 <= cj <= 15, 0 <= ck <= 42"));
    EXPECT_THAT(folded(overKernel(1, [](int64_t, int64_t K) { return Vector{1 + K}; }), Widen),
                ElementsAre(std::string(Domain) + "0cj + 1ck + 1"));
  }
  Stream I6{1, 1, {}};
  for (int64_t J = 0; J < Rows; ++J)
    I6.add({J}, {2 + J});
  EXPECT_THAT(folded(I6), ElementsAre("0 <= cj <= 15: 1cj + 2"));
}

TEST(FoldingGoldens, Table4) {
  for (Widening Widen : {Widening::Adaptive, Widening::Always}) {
    EXPECT_THAT(folded(overKernel(2, [](int64_t J, int64_t K) { return Vector{J, K}; }), Widen),
                ElementsAre(std::string(Domain) + "1cj + 0ck + 0; 0cj + 1ck + 0"));
    EXPECT_THAT(folded(overKernel(
                           2, [](int64_t J, int64_t K) { return Vector{J, K - 1}; }, 1),
                       Widen),
                ElementsAre("0 <= cj <= 15, 1 <= ck <= 42: 1cj + 0ck + 0; 0cj + 1ck - 1"));
  }
}

// Section 4.3: where a source is top, it is not later.
TEST(FoldingGoldens, TopDependences) {
  auto Text = [](auto Label) {
    Folding F = overKernel(2, Label).fold({.Widen = Widening::Always});
    EXPECT_EQ(F.Pieces.size(), 1u);
    return F.Pieces[0].dependenceText(Names);
  };
  EXPECT_EQ(Text([](int64_t J, int64_t K) { return Vector{J, K - 1}; }), "cj' = cj, ck' = ck - 1");
  EXPECT_EQ(Text([](int64_t J, int64_t K) { return Vector{J, K * K % 7}; }), "cj' = cj, ck' <= ck");
  EXPECT_EQ(Text([](int64_t J, int64_t K) { return Vector{J - 1, K * K % 7}; }), "cj' = cj - 1");
  EXPECT_EQ(Text([](int64_t J, int64_t K) { return Vector{J * J % 5, K}; }), "cj' <= cj, ck' = ck");
}

TEST(FoldingGoldens, Figure5) {
  Folder F(2, 1, {.Widen = Widening::Always});
  auto Add = [&](int64_t J, int64_t K, int64_t Label) {
    int64_t Point[] = {J, K};
    F.add(Point, &Label);
  };
  auto Functions = [&] {
    std::vector<std::string> Texts;
    for (const FoldedPiece &Piece : F.live())
      Texts.push_back(Piece.functionText(0, Names));
    return Texts;
  };
  Add(0, 0, 67);
  EXPECT_THAT(Functions(), ElementsAre("?cj + ?ck + 67"));
  Add(0, 1, 71);
  EXPECT_THAT(Functions(), ElementsAre("?cj + 4ck + 67"));
  Add(0, 2, 77);
  EXPECT_THAT(Functions(), ElementsAre("?cj + Tck + 67"));
  Add(1, 0, 68);
  Add(1, 1, 72);
  Add(1, 2, 78);
  EXPECT_THAT(Functions(), ElementsAre("?cj + Tck + 67", "?cj + Tck + 68"));
  Add(2, 0, 69);
  EXPECT_THAT(Functions(), ElementsAre("1cj + Tck + 67", "?cj + ?ck + 69"));
  Add(2, 1, 73);
  Add(2, 2, 79);
  EXPECT_THAT(texts(F.finish(), Names), ElementsAre("0 <= cj <= 2, 0 <= ck <= 2: 1cj + Tck + 67"));
}

/// Rows 0 to 9, row i with Length(i) points.
template <typename Fn> Stream rows(Fn Length) {
  Stream S{2, 1, {}};
  for (int64_t I = 0; I < 10; ++I)
    for (int64_t J = 0; J < Length(I); ++J)
      S.add({I, J}, {100 * I + J});
  return S;
}

TEST(FoldingGoldens, PiecesOfTriangles) {
  EXPECT_THAT(folded(rows([](int64_t I) { return I + 1; })),
              ElementsAre("0 <= cj <= 9, 0 <= ck <= cj: 100cj + 1ck + 0"));
  EXPECT_THAT(folded(rows([](int64_t I) { return 10 - I; })),
              ElementsAre("0 <= cj <= 9, 0 <= ck <= -cj + 9: 100cj + 1ck + 0"));
}

// The paper needs a piece per row: its edges have slopes from -1 to 1.
TEST(FoldingGoldens, OnePieceForSteepBounds) {
  EXPECT_THAT(folded(rows([](int64_t I) { return 2 * I + 1; })),
              ElementsAre("0 <= cj <= 9, 0 <= ck <= 2cj: 100cj + 1ck + 0"));
}

TEST(FoldingGoldens, TwoPiecesForPartialTiles) {
  Stream S{2, 1, {}};
  for (int64_t Tile = 0; Tile < 3; ++Tile)
    for (int64_t I = 0; I < std::min<int64_t>(4, 10 - 4 * Tile); ++I)
      S.add({Tile, I}, {4 * Tile + I});
  EXPECT_THAT(folded(S), ElementsAre("0 <= cj <= 1, 0 <= ck <= 3: 4cj + 1ck + 0",
                                     "2 <= cj <= 2, 0 <= ck <= 1: 0cj + 1ck + 8"));
}

TEST(FoldingGoldens, LivePiecesOfRegularNests) {
  for (unsigned Depth = 1; Depth <= 6; ++Depth) {
    Folder F(Depth, 1);
    Vector Point(Depth);
    int64_t Label = 0;
    for (bool More = true; More;) {
      F.add(Point.data(), &++Label);
      unsigned K = Depth;
      while (K > 0 && ++Point[K - 1] == 3)
        Point[--K] = 0;
      More = K > 0;
    }
    EXPECT_EQ(F.peakLive(), Depth);
    EXPECT_THAT(F.finish().Pieces, SizeIs(1));
  }
}

// Errata of the paper, by their numbers in docs/folding.md.

// 1: the first point of a row must not end the row before.
TEST(FoldingErrata, FirstPointOfARow) {
  EXPECT_THAT(overKernel(1, [](int64_t J, int64_t K) { return Vector{J + K}; }).fold().Pieces,
              SizeIs(1));
}

// 2: the constant of a merge is taken at the first point, not at the coefficients.
TEST(FoldingErrata, ConstantOfAMerge) {
  Stream S{2, 1, {}};
  for (int64_t J = 3; J < 8; ++J)
    for (int64_t K = 5; K < 9; ++K)
      S.add({J, K}, {7 * J + 11 * K + 13});
  EXPECT_THAT(folded(S), ElementsAre("3 <= cj <= 7, 5 <= ck <= 8: 7cj + 11ck + 13"));
}

// 3: a second row determines a coefficient and must not be compared with none.
TEST(FoldingErrata, SecondRow) {
  Stream S{2, 1, {}};
  for (int64_t J = 0; J < 3; ++J)
    for (int64_t K = 0; K < 3; ++K)
      S.add({J, K}, {10 * J + K});
  EXPECT_THAT(folded(S), ElementsAre("0 <= cj <= 2, 0 <= ck <= 2: 10cj + 1ck + 0"));
}

// 4: a coefficient that a skewed piece of single points adopts must be right at all of them.
TEST(FoldingErrata, AdoptedCoefficients) {
  Stream S{2, 1, {}};
  const int64_t Labels[3] = {5, 9, 13}, Last[2] = {17, 24};
  for (int64_t J = 0; J < 3; ++J)
    S.add({J, J}, {Labels[J]}); // on a diagonal, 4 per row
  for (int64_t K = 0; K < 2; ++K)
    S.add({3, 3 + K}, {Last[K]});
  for (Widening Widen : {Widening::Never, Widening::Always})
    EXPECT_EQ(mismatch(S, S.fold({.Widen = Widen})), "");
}

// 5: f(1,1) - f(0,1) is 4, so that nothing can be said along cj.
TEST(FoldingErrata, StridesBesideTops) {
  const int64_t Labels[3][3] = {{67, 71, 77}, {68, 75, 79}, {69, 70, 71}};
  Stream S{2, 1, {}};
  for (int64_t J = 0; J < 3; ++J)
    for (int64_t K = 0; K < 3; ++K)
      S.add({J, K}, {Labels[J][K]});
  EXPECT_THAT(folded(S, Widening::Always),
              ElementsAre("0 <= cj <= 2, 0 <= ck <= 2: Tcj + Tck + 67"));
}

} // namespace
} // namespace specrt
