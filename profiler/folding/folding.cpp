//===- profiler/folding/folding.cpp - joins windows and executions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/folding.h"
#include "profiler/folding/box.h"
#include "profiler/folding/describe.h"
#include "profiler/folding/shapes/joins.h"

#include <algorithm>

namespace specrt {
namespace {

using folding::Bounds, folding::Levels, folding::Shape;

std::vector<Shape> shapesOf(const Folding &F) {
  std::vector<Shape> Shapes;
  Shapes.reserve(F.Pieces.size());
  for (const FoldedPiece &Piece : F.Pieces)
    Shapes.push_back(folding::shapeOf(Piece));
  folding::sortShapes(Shapes);
  return Shapes;
}

void setPieces(Folding &F, const std::vector<Shape> &Shapes) {
  F.Pieces.clear();
  for (const Shape &S : Shapes)
    F.Pieces.push_back(folding::describe(S));
}

Bounds boundsAround(Bounds A, const Bounds &B) {
  for (size_t K = 0; K < A.Low.size(); ++K) {
    A.Low[K] = std::min(A.Low[K], B.Low[K]);
    A.High[K] = std::max(A.High[K], B.High[K]);
  }
  return A;
}

/// Returns the box around all points of \p Shapes, with all coefficients top.
Shape boxAround(const std::vector<Shape> &Shapes) {
  Bounds Around = folding::boundsOf(Shapes.front());
  uint64_t Points = 0;
  for (const Shape &S : Shapes) {
    Around = boundsAround(std::move(Around), folding::boundsOf(S));
    Points += S.points();
  }
  return folding::boxShape(Around, Shapes.front().labels(), Points);
}

bool equalDomains(const Shape &A, const Shape &B) {
  bool Equal = A.active() == B.active() && A.exact() == B.exact() &&
               std::equal(A.corner(), A.corner() + A.geometry(), B.corner());
  if (Equal)
    A.active().forEach([&](unsigned Level) {
      Equal &= std::equal(A.row(Level), A.row(Level) + A.geometry(), B.row(Level));
    });
  return Equal;
}

/// Merges both executions' labels on one domain.
void meetLabels(Shape &A, const Shape &B) {
  for (unsigned Label = 0; Label < A.labels(); ++Label) {
    const unsigned F = A.f(Label);
    Shape::Irregular Info = A.irregular(Label), Other = B.irregular(Label);
    Levels Tops = Info.Tops | Other.Tops;
    A.active().forEach([&](unsigned Level) {
      if (!Tops.has(Level) && A.row(Level)[F] != B.row(Level)[F])
        Tops = Tops | Levels::only(Level);
    });
    Tops.forEach([&](unsigned Level) { A.row(Level)[F] = 0; });
    // Residuals of different executions are not comparable.
    Info.Comparable &=
        Other.Comparable && Tops == Info.Tops && Tops == Other.Tops && Info.Hash == Other.Hash;
    Info.AnyConstant |= Other.AnyConstant || A.corner()[F] != B.corner()[F];
    Info.Tops = Tops;
    A.setIrregular(Label, Info);
  }
}

/// Returns whether the iterator has more than one value, so that its stride is defined.
bool moves(const Shape &S, unsigned Iterator) {
  return S.active().has(folding::tileLevel(Iterator)) ||
         S.active().has(folding::stepLevel(Iterator));
}

/// Returns one domain around both, with only those strides that both have.
Shape meetPieces(const Shape &A, const Shape &B) {
  Shape Box = boxAround({A, B});
  const FoldedPiece PieceA = folding::describe(A), PieceB = folding::describe(B);
  for (unsigned Label = 0; Label < A.labels(); ++Label) {
    Shape::Irregular Info = Box.irregular(Label);
    for (unsigned K = 0; K < A.iterators(); ++K) {
      const unsigned Level = folding::stepLevel(K);
      const Coefficient InA = PieceA.stride(K, Label), InB = PieceB.stride(K, Label);
      const Coefficient Stride = moves(A, K) ? InA : InB;
      if (Stride.isTop() || (moves(A, K) && moves(B, K) && InA != InB))
        continue;
      Info.Tops = Info.Tops - Levels::only(Level);
      Box.row(Level)[Box.f(Label)] = Stride.Value;
    }
    Box.setIrregular(Label, Info);
  }
  Box.setExact(false);
  Box.setExecutions(A.executions() + B.executions());
  return Box;
}

/// Moves shapes of \p A with an equal domain in \p B to the result, and removes both.
std::vector<Shape> meetEqualDomains(std::vector<Shape> &A, std::vector<Shape> &B) {
  std::vector<Shape> Met, Rest;
  for (Shape &S : A) {
    auto Same =
        std::find_if(B.begin(), B.end(), [&](const Shape &T) { return equalDomains(S, T); });
    if (Same == B.end()) {
      Rest.push_back(std::move(S));
      continue;
    }
    meetLabels(S, *Same);
    S.setExecutions(S.executions() + Same->executions());
    S.setPoints(S.points() + Same->points());
    Met.push_back(std::move(S));
    B.erase(Same);
  }
  A = std::move(Rest);
  return Met;
}

} // namespace

double Folding::affineShare() const {
  uint64_t Affine = 0;
  for (const FoldedPiece &Piece : Pieces)
    if (Piece.affine() && Piece.ExactDomain)
      Affine += Piece.Points;
  return Points ? double(Affine) / double(Points) : 1;
}

std::optional<int64_t> Folding::value(std::span<const int64_t> Point, unsigned Label) const {
  for (const FoldedPiece &Piece : Pieces)
    if (Piece.contains(Point))
      return Piece.value(Point, Label);
  return std::nullopt;
}

void Folding::joinWindow(const Folding &Window, Gaps Between) {
  std::vector<Shape> All = shapesOf(*this);
  for (Shape &S : shapesOf(Window))
    All.push_back(std::move(S));
  Points += Window.Points;
  Widened |= Window.Widened;
  GaveUp |= Window.GaveUp;
  if (GaveUp && All.size() > 1)
    All.assign(1, boxAround(All));
  folding::joinShapes(All, Between == Gaps::Bridge);
  setPieces(*this, All);
}

void Folding::joinExecution(const Folding &Other) {
  if (!Points || !Other.Points) {
    if (!Points)
      *this = Other;
    return;
  }
  std::vector<Shape> Mine = shapesOf(*this), Theirs = shapesOf(Other);
  std::vector<Shape> All = meetEqualDomains(Mine, Theirs);
  Widened |= Other.Widened;
  GaveUp |= Other.GaveUp;
  Points += Other.Points;
  if (Mine.size() == Theirs.size()) {
    for (size_t I = 0; I < Mine.size(); ++I)
      All.push_back(meetPieces(Mine[I], Theirs[I]));
  } else {
    for (auto *Rest : {&Mine, &Theirs})
      std::move(Rest->begin(), Rest->end(), std::back_inserter(All));
    All.assign(1, boxAround(All));
    GaveUp = true;
  }
  folding::sortShapes(All);
  setPieces(*this, All);
}

} // namespace specrt
