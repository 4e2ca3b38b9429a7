//===- tests/profiler/folding/folding_random_test.cpp - random streams lose nothing ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests with affine bounds, tiles, strides, holes and pieces, and labels that are affine, piecewise
// affine, partly irregular or random. Whatever a folding says of a point is compared with the
// stream.
//
//===----------------------------------------------------------------------===//
#include "tests/profiler/folding/streams.h"

#include <random>

namespace specrt {
namespace {

class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}

  Stream make() {
    Depth = unsigned(number(1, 4));
    const unsigned Labels = unsigned(number(0, 3));
    S = {Depth, Labels, {}};
    Most = size_t(number(1, 200));
    Lower.assign(Depth, Vector(Depth + 1));
    Upper = Lower;
    Steps.assign(Depth, 1);
    for (unsigned K = 0; K < Depth; ++K)
      makeBounds(K);
    Holes = chance(4) ? number(2, 6) : 0;
    Bend = number(0, 5);
    for (unsigned L = 0; L < Labels; ++L)
      Functions.push_back(makeFunction());
    Vector Point(Depth);
    walk(Point, 0);
    Functions.clear();
    return std::move(S);
  }
  int64_t number(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  }
  bool chance(int64_t OneIn) { return number(1, OneIn) == 1; }

private:
  enum class Kind { Affine, Piecewise, Tiled, IrregularAlong, Separable, Random };
  struct Function {
    Kind Is;
    Vector Coefficients, Other;
    unsigned Along;
    std::vector<int64_t> Table;
  };

  void makeBounds(unsigned K) {
    Lower[K][Depth] = chance(3) ? number(0, 3) : 0;
    Upper[K][Depth] = Lower[K][Depth] + number(0, 7);
    for (unsigned Outer = 0; Outer < K; ++Outer) {
      if (chance(3))
        Lower[K][Outer] = number(-1, 2);
      Upper[K][Outer] = chance(2) ? Lower[K][Outer] : number(-2, 2);
    }
    Steps[K] = chance(6) ? number(2, 3) : 1;
  }
  Function makeFunction() {
    Function F{Kind(number(0, 5)), Vector(Depth + 1), Vector(Depth + 1), 0, {}};
    for (Vector *C : {&F.Coefficients, &F.Other})
      for (int64_t &Value : *C)
        Value = number(-3, 3) * (chance(10) ? INT64_MAX / 5 : 1);
    F.Along = unsigned(number(0, Depth - 1));
    for (int I = 0; I < 64; ++I)
      F.Table.push_back(number(-9, 9) * 4);
    return F;
  }
  static int64_t affine(const Vector &C, const Vector &Point) {
    uint64_t Sum = uint64_t(C.back());
    for (size_t K = 0; K < Point.size(); ++K)
      Sum += uint64_t(C[K]) * uint64_t(Point[K]);
    return int64_t(Sum);
  }
  int64_t label(const Function &F, const Vector &Point) {
    const int64_t X = Point[F.Along], Regular = affine(F.Coefficients, Point);
    switch (F.Is) {
    case Kind::Affine:
      return Regular;
    case Kind::Piecewise:
      return X < Bend ? Regular : affine(F.Other, Point);
    case Kind::Tiled:
      return int64_t(uint64_t(Regular) + uint64_t(X / 3) * 100);
    case Kind::IrregularAlong:
      return int64_t(uint64_t(Regular) + uint64_t(F.Table[size_t(X) % 64]));
    case Kind::Separable: {
      uint64_t Sum = uint64_t(Regular);
      for (size_t K = 0; K < Point.size(); ++K)
        Sum += uint64_t(F.Table[size_t(Point[K] + int64_t(7 * K)) % 64]);
      return int64_t(Sum);
    }
    case Kind::Random:
      return number(0, 3);
    }
    return 0;
  }
  void walk(Vector &Point, unsigned K) {
    if (K == Depth) {
      if (Holes && (Point[Depth - 1] + Point[0]) % Holes == 0)
        return;
      Vector Labels;
      for (const Function &F : Functions)
        Labels.push_back(label(F, Point));
      S.add(Point, Labels);
      return;
    }
    Vector Outer = Point;
    std::fill(Outer.begin() + K, Outer.end(), 0);
    const int64_t High = affine(Upper[K], Outer);
    for (int64_t X = std::max<int64_t>(0, affine(Lower[K], Outer)); X <= High; X += Steps[K]) {
      if (S.Points.size() >= Most)
        return;
      Point[K] = X;
      walk(Point, K + 1);
    }
  }

  std::mt19937 Random;
  unsigned Depth = 0;
  Stream S;
  size_t Most = 0;
  std::vector<Vector> Lower, Upper;
  Vector Steps;
  int64_t Holes = 0, Bend = 0;
  std::vector<Function> Functions;
};

FoldOptions anyOptions(Generator &G) {
  FoldOptions Options;
  Options.Widen = Widening(G.number(0, 2));
  if (Options.Widen == Widening::Never) {
    Options.MaxLive = 1000;
    Options.MaxPieces = 1000;
  } else if (G.chance(3)) {
    Options.MaxPieces = size_t(G.number(1, 30));
  }
  return Options;
}

TEST(FoldingRandom, NothingIsLost) {
  uint64_t Affine = 0, Widened = 0, GivenUp = 0, Tiled = 0;
  for (unsigned Seed = 0; Seed < 100000; ++Seed) {
    Generator G(Seed);
    const Stream S = G.make();
    const FoldOptions Options = anyOptions(G);
    Folder Folded(S.Iterators, S.Labels, Options);
    S.addTo(Folded);
    if (!Options.MaxLive) {
      ASSERT_LE(Folded.peakLive(), 4 * S.Iterators + 2) << "seed " << Seed;
    }
    const Folding F = Folded.finish();
    ASSERT_EQ(mismatch(S, F), "") << "seed " << Seed;
    if (Options.Widen == Widening::Never) {
      ASSERT_EQ(F.affineShare(), 1) << "seed " << Seed;
    }
    if (!F.GaveUp) {
      for (const FoldedPiece &Piece : F.Pieces) {
        ASSERT_TRUE(Piece.ExactDomain);
        Tiled += Piece.Dimensions.size() > S.Iterators;
      }
    }
    Affine += F.affineShare() == 1;
    Widened += F.Widened && F.affineShare() < 1;
    GivenUp += F.GaveUp;
  }
  // All of it took place.
  EXPECT_GT(Affine, 30000u);
  EXPECT_GT(Widened, 5000u);
  EXPECT_GT(GivenUp, 100u);
  EXPECT_GT(Tiled, 1000u);
}

} // namespace
} // namespace specrt
