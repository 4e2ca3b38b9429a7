//===- profiler/folding/box.cpp - the bounding box of an abandoned stream -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/box.h"

#include <algorithm>

namespace specrt::folding {

Shape boxShape(const Bounds &B, unsigned Labels, uint64_t Points) {
  const auto Iterators = unsigned(B.Low.size());
  Shape S(Iterators, Labels);
  uint64_t Volume = 1;
  for (unsigned K = 0; K < Iterators; ++K) {
    const unsigned Level = stepLevel(K);
    const auto Extent = uint64_t(B.High[K] - B.Low[K] + 1);
    // The value saturates: so many points are never added.
    if (__builtin_mul_overflow(Volume, Extent, &Volume))
      Volume = UINT64_MAX;
    S.corner()[S.x(K)] = B.Low[K];
    S.corner()[S.n(Level)] = int64_t(Extent);
    S.row(Level)[S.x(K)] = 1;
    if (Extent > 1)
      S.setActive(S.active() | Levels::only(Level));
  }
  for (unsigned Label = 0; Label < Labels; ++Label)
    S.setIrregular(Label, {.Tops = S.active(), .Comparable = false, .AnyConstant = true});
  S.setPoints(Points);
  S.setExact(Volume == Points);
  return S;
}

void BoundingBox::Stride::meet(int64_t Difference) {
  Top |= Known && Value != Difference;
  Value = Difference;
  Known = true;
}

void BoundingBox::include(const Run &R) {
  if (Around.Low.empty()) {
    Around.Low.assign(R.point(), R.point() + Iterators);
    Around.High = Around.Low;
  }
  for (unsigned K = 0; K < Iterators; ++K) {
    Around.Low[K] = std::min(Around.Low[K], R.point()[K]);
    Around.High[K] = std::max(Around.High[K], R.point()[K]);
  }
  Around.High.back() = std::max(Around.High.back(), R.lastX());
  if (R.count() < 2 || R.steps()[0] != 1)
    return;
  for (unsigned I = 0; I < Innermost.size(); ++I) {
    Innermost[I].meet(R.steps()[1 + I]);
    Innermost[I].Top |= R.isTop(I);
  }
}

void BoundingBox::includeBreak(const Run &R, int64_t X, const int64_t *Labels) {
  if (X == R.lastX() + 1)
    for (unsigned I = 0; I < Innermost.size(); ++I)
      Innermost[I].meet(minus(Labels[I], R.lastLabel(I)));
}

Shape BoundingBox::shape(uint64_t Points) const {
  Shape S = boxShape(Around, unsigned(Innermost.size()), Points);
  const unsigned Level = stepLevel(Iterators - 1);
  for (unsigned I = 0; S.active().has(Level) && I < Innermost.size(); ++I)
    if (Innermost[I].Known && !Innermost[I].Top) {
      Shape::Irregular Info = S.irregular(I);
      Info.Tops = Info.Tops - Levels::only(Level);
      S.setIrregular(I, Info);
      S.row(Level)[S.f(I)] = Innermost[I].Value;
    }
  return S;
}

} // namespace specrt::folding
