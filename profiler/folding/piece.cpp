//===- profiler/folding/piece.cpp - points, values and corners of pieces --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/describe.h"
#include "profiler/folding/shapes/corners.h"
#include "specrt/folding.h"

#include <algorithm>

namespace specrt {
namespace {

using folding::plus, folding::times;

/// Evaluates F, which has no tops; \p Z may lack the dimensions on which F does not depend.
int64_t numberAt(const AffineFunction &F, std::span<const int64_t> Z) {
  int64_t Sum = F.Constant.Value;
  for (size_t I = 0; I < Z.size(); ++I)
    Sum = plus(Sum, times(F.Coefficients[I].Value, Z[I]));
  return Sum;
}

} // namespace

bool AffineFunction::affine() const {
  return !Constant.isTop() && std::none_of(Coefficients.begin(), Coefficients.end(),
                                           [](const Coefficient &C) { return C.isTop(); });
}

std::optional<int64_t> AffineFunction::at(std::span<const int64_t> Z) const {
  if (Constant.isTop())
    return std::nullopt;
  for (size_t I = 0; I < Coefficients.size(); ++I)
    if (Coefficients[I].isTop() && Z[I] != 0)
      return std::nullopt;
  return numberAt(*this, Z);
}

bool FoldedPiece::affine() const {
  return std::all_of(Functions.begin(), Functions.end(),
                     [](const AffineFunction &F) { return F.affine(); });
}

std::optional<std::vector<int64_t>> FoldedPiece::coordinates(std::span<const int64_t> Point) const {
  std::vector<int64_t> Z;
  for (size_t D = 0; D < Dimensions.size(); ++D) {
    const FoldedDimension &Outer = Dimensions[D];
    const unsigned K = Outer.Iterator;
    int64_t Rest = Point[K] - numberAt(Offsets[K], Z);
    const bool Tiled = D + 1 < Dimensions.size() && Dimensions[D + 1].Iterator == K;
    const int64_t Upper = numberAt(Outer.Upper, Z);
    if (Tiled) {
      // Tiles do not overlap; values behind the last one may lie in it.
      Z.push_back(std::min(Rest / Outer.Scale, Upper));
      Rest -= Z.back() * Outer.Scale;
      ++D;
    }
    const FoldedDimension &Inner = Dimensions[D];
    if (Rest % Inner.Scale != 0)
      return std::nullopt;
    Rest /= Inner.Scale;
    if (Rest < numberAt(Inner.Lower, Z) || Rest > numberAt(Inner.Upper, Z) ||
        (Tiled && Z.back() < 0))
      return std::nullopt;
    Z.push_back(Rest);
  }
  return Z;
}

std::optional<int64_t> FoldedPiece::value(std::span<const int64_t> Point, unsigned Label) const {
  const auto Z = coordinates(Point);
  return Z ? Functions[Label].at(*Z) : std::nullopt;
}

Coefficient FoldedPiece::stride(unsigned Iterator, unsigned Label) const {
  const Coefficient Top{Coefficient::Top, 0};
  const AffineFunction &F = Functions[Label];
  std::optional<size_t> Found;
  for (size_t D = 0; D < Dimensions.size(); ++D)
    if (Dimensions[D].Iterator == Iterator) {
      if (Found)
        return Top; // along tiles and along positions
      Found = D;
    }
  // A step that moves where z begins inside is also a step of those, by parts of their scale.
  for (size_t D = *Found + 1; D < Dimensions.size(); ++D)
    if (Offsets[Dimensions[D].Iterator].Coefficients[*Found].Value != 0 &&
        F.Coefficients[D] != Coefficient())
      return Top;
  Coefficient Step = F.Coefficients[*Found];
  if (Step.Value % Dimensions[*Found].Scale != 0)
    return Top;
  Step.Value /= Dimensions[*Found].Scale;
  return Step;
}

std::vector<std::vector<int64_t>> FoldedPiece::vertices() const {
  std::vector<std::vector<int64_t>> Corners;
  const folding::Shape S = folding::shapeOf(*this);
  folding::forEachCorner(S, [&](const int64_t *Attributes) {
    Corners.emplace_back(Attributes, Attributes + S.iterators());
  });
  std::sort(Corners.begin(), Corners.end());
  Corners.erase(std::unique(Corners.begin(), Corners.end()), Corners.end());
  return Corners;
}

} // namespace specrt
