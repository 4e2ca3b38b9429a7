//===- profiler/folding/describe.cpp - shapes in terms of iterators -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters y are replaced by dimensions z. If one level of an iterator is active and its step is 1,
// z is the iterator, z = lower(z outside) + y; else z = y. The change is unimodular and triangular,
// so each y is affine in the z up to its own, with integer coefficients.
//
//===----------------------------------------------------------------------===//
#include "profiler/folding/describe.h"

#include <array>

namespace specrt::folding {
namespace {

/// An affine function of z without tops.
struct Affine {
  std::vector<int64_t> Of;
  int64_t Constant = 0;

  explicit Affine(size_t Dimensions = 0) : Of(Dimensions) {}
  void add(int64_t Factor, const Affine &Other) {
    for (size_t I = 0; I < Of.size(); ++I)
      Of[I] = plus(Of[I], times(Factor, Other.Of[I]));
    Constant = plus(Constant, times(Factor, Other.Constant));
  }
  AffineFunction result() const {
    AffineFunction F;
    for (int64_t C : Of)
      F.Coefficients.push_back({Coefficient::Number, C});
    F.Constant.Value = Constant;
    return F;
  }
};

/// A level that becomes a dimension.
struct Chosen {
  unsigned Level;
  bool IsIterator; ///< z is the iterator itself
};

std::vector<Chosen> chooseLevels(const Shape &S) {
  std::vector<Chosen> Levels;
  for (unsigned K = 0; K < S.iterators(); ++K) {
    const bool Tile = S.active().has(tileLevel(K)), Step = S.active().has(stepLevel(K));
    if (Tile && Step) {
      Levels.push_back({tileLevel(K), false});
      Levels.push_back({stepLevel(K), false});
      continue;
    }
    const unsigned Level = Tile ? tileLevel(K) : stepLevel(K);
    Levels.push_back({Level, !(Tile || Step) || S.row(Level)[S.x(K)] == 1});
  }
  return Levels;
}

class Description {
public:
  Description(const Shape &S, Coefficient::Kind Unknown)
      : S(S), Unknown(Unknown), Levels(chooseLevels(S)), Y(S.levels(), Affine(Levels.size())) {}

  FoldedPiece piece() {
    for (size_t Z = 0; Z < Levels.size(); ++Z)
      addDimension(Z);
    for (unsigned Label = 0; Label < S.labels(); ++Label)
      Piece.Functions.push_back(function(Label));
    Piece.Points = S.points();
    Piece.Executions = S.executions();
    Piece.ExactDomain = S.exact();
    return std::move(Piece);
  }

private:
  /// Returns the part of attribute \p I that depends on levels outside \p Level, in terms of z.
  Affine inDimensions(unsigned I, unsigned Level) const {
    Affine Sum(Levels.size());
    Sum.Constant = S.corner()[I];
    (S.active() & folding::Levels::outside(Level)).forEach([&](unsigned Outer) {
      Sum.add(S.row(Outer)[I], Y[Outer]);
    });
    return Sum;
  }

  void addDimension(size_t Z) {
    const auto [Level, IsIterator] = Levels[Z];
    const unsigned K = Level / 2;
    Affine Lowest = inDimensions(S.x(K), tileLevel(K));
    if (Piece.Offsets.size() == K)
      Piece.Offsets.push_back((IsIterator ? Affine(Levels.size()) : Lowest).result());
    Affine Lower = IsIterator ? Lowest : Affine(Levels.size());
    Affine Upper = inDimensions(S.n(Level), Level);
    --Upper.Constant;
    Upper.add(1, Lower);
    Y[Level].Of[Z] = 1;
    Y[Level].add(-1, Lower);
    Piece.Dimensions.push_back(
        {K, IsIterator ? 1 : S.row(Level)[S.x(K)], Lower.result(), Upper.result()});
  }

  AffineFunction function(unsigned Label) const {
    const Shape::Irregular Info = S.irregular(Label);
    Affine Sum(Levels.size());
    Sum.Constant = S.corner()[S.f(Label)];
    (S.active() - Info.Tops).forEach([&](unsigned Level) {
      Sum.add(S.row(Level)[S.f(Label)], Y[Level]);
    });
    AffineFunction F = Sum.result();
    for (size_t Z = 0; Z < Levels.size(); ++Z)
      if (!S.active().has(Levels[Z].Level) && F.Coefficients[Z].Value == 0)
        F.Coefficients[Z].Is = Unknown;
    bool AnyConstant = Info.AnyConstant;
    Info.Tops.forEach([&](unsigned Level) {
      // Top * y absorbs what y contains of other dimensions, and a lowest value above 0.
      for (size_t Z = 0; Z < Levels.size(); ++Z)
        if (Y[Level].Of[Z])
          F.Coefficients[Z] = {Coefficient::Top, 0};
      AnyConstant |= Y[Level].Constant > 0;
    });
    if (AnyConstant)
      F.Constant = {Coefficient::Top, 0};
    return F;
  }

  const Shape &S;
  const Coefficient::Kind Unknown;
  const std::vector<Chosen> Levels;
  std::vector<Affine> Y; ///< the counters of active levels, as functions of z
  FoldedPiece Piece;
};

} // namespace

struct PieceAccess {
  static std::vector<int64_t> &raw(FoldedPiece &Piece) { return Piece.Raw; }
  static const std::vector<int64_t> &raw(const FoldedPiece &Piece) { return Piece.Raw; }
};

FoldedPiece describe(const Shape &S, Coefficient::Kind Unknown) {
  FoldedPiece Piece = Description(S, Unknown).piece();
  PieceAccess::raw(Piece) = S.raw();
  return Piece;
}

Shape shapeOf(const FoldedPiece &Piece) { return Shape(PieceAccess::raw(Piece)); }

} // namespace specrt::folding
