//===- profiler/folding/shapes/tops.cpp - labels with top coefficients ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/tops.h"

#include "profiler/folding/shapes/residuals.h"

#include <cstdlib>

namespace specrt::folding {
namespace {

/// The residuals of a label of one shape, as if all coefficients along certain levels were top.
struct Residuals {
  Residue Hash, Weight; ///< Weight is the hash of the constant 1
  bool Comparable;
};

Residuals residuals(const Shape &S, unsigned Label, Levels Tops) {
  const Shape::Irregular Info = S.irregular(Label);
  Residuals R{Residue(Info.Hash), Residue(1), Info.Comparable};
  auto Count = [&](unsigned Level) { return uint64_t(S.corner()[S.n(Level)]); };
  Info.Tops.forEach([&](unsigned Level) {
    R.Comparable &= S.fixedCount(Level);
    R.Weight = R.Weight * weight(Level, Count(Level));
  });
  (Tops - Info.Tops).forEach([&](unsigned Level) {
    R.Comparable &= S.fixedCount(Level);
    Residue Here = weight(Level, Count(Level));
    Residue Slope(S.active().has(Level) ? S.row(Level)[S.f(Label)] : 0);
    R.Hash = R.Hash * Here + Slope * moment(Level, Count(Level)) * R.Weight;
    R.Weight = R.Weight * Here;
  });
  return R;
}

bool equalCounts(const Shape &A, const Shape &B, Levels Among) {
  bool Equal = true;
  Among.forEach([&](unsigned Level) { Equal &= A.corner()[A.n(Level)] == B.corner()[B.n(Level)]; });
  return Equal;
}

/// The last row of a shape that consists of consecutive rows along one level.
class LastRow {
public:
  LastRow(const Shape &S, unsigned Level) : S(S), Innermost(stepLevel(S.iterators() - 1)) {
    Count = S.corner()[S.n(Innermost)];
    if (S.active().has(Level))
      Count += (S.corner()[S.n(Level)] - 1) * S.row(Level)[S.n(Innermost)];
  }
  int64_t count() const { return Count; }
  /// Returns the hash of its residuals without the last \p Without, relative to its first point.
  int64_t hash(unsigned Label, unsigned Without) const {
    const Shape::Irregular Info = S.irregular(Label);
    if (Info.Tops.has(Innermost))
      return Info.Ends[Without];
    if (!S.active().has(Innermost) || Count <= int64_t(Without))
      return 0;
    Residue Slope(S.row(Innermost)[S.f(Label)]);
    return (Slope * moment(Innermost, uint64_t(Count - Without))).number();
  }

private:
  const Shape &S;
  const unsigned Innermost;
  int64_t Count;
};

/// Returns whether rows of different lengths (of a triangle) agree in their common part.
bool samePrefix(const Shape &A, const Shape &B, unsigned Level, unsigned Label) {
  const LastRow Before(A, Level), After(B, Level);
  const int64_t Longer = After.count() - Before.count();
  if (std::abs(Longer) >= int64_t(RowEnds))
    return false;
  const int64_t HashA = Before.hash(Label, Longer < 0 ? unsigned(-Longer) : 0);
  return HashA != NoHash && HashA == After.hash(Label, Longer > 0 ? unsigned(Longer) : 0);
}

} // namespace

bool sameResiduals(const Shape &A, const Shape &B, unsigned Level, unsigned Label, Levels Tops) {
  const Levels Row = Levels::only(stepLevel(A.iterators() - 1));
  if (!equalCounts(A, B, Tops) || !A.irregular(Label).Comparable)
    return Tops == Row && !(A.active() - Row - Levels::only(Level)).any() &&
           !(B.active() - Row).any() && samePrefix(A, B, Level, Label);
  Residuals OfA = residuals(A, Label, Tops), OfB = residuals(B, Label, Tops);
  return OfA.Comparable && OfB.Comparable && OfA.Hash == OfB.Hash;
}

Shape::Irregular fusedLabel(const Shape &A, const Shape &B, unsigned Level, int64_t Distance,
                            unsigned Label, Levels Tops) {
  const Levels Here = Levels::only(Level);
  Shape::Irregular Info{.Tops = Tops};
  Residuals OfA = residuals(A, Label, Tops);
  Info.Comparable = OfA.Comparable && equalCounts(A, B, Tops - Here);
  Residue Hash = OfA.Hash;
  if (Tops.has(Level)) {
    // B's residuals are relative to A's corner, and follow A's.
    Residuals OfB = residuals(B, Label, Tops);
    Residue Apart(minus(B.corner()[B.f(Label)], A.corner()[A.f(Label)]));
    Hash = Hash + base(Level).toThe(uint64_t(Distance)) * (OfB.Hash + Apart * OfB.Weight);
    Info.Comparable &= OfB.Comparable && Distance == A.corner()[A.n(Level)];
  }
  Info.Hash = Hash.number();
  const LastRow Last(B, Level);
  for (unsigned Without = 0; Without < RowEnds; ++Without)
    Info.Ends[Without] = Last.hash(Label, Without);
  return Info;
}

} // namespace specrt::folding
