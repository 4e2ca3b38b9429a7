//===- profiler/folding/shapes/fuse.cpp - fuses two shapes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/fuse.h"

#include "profiler/folding/shapes/tops.h"

#include <algorithm>

namespace specrt::folding {
namespace {

/// One attempt to append B to A along Level.
class Attempt {
public:
  Attempt(const Shape &A, const Shape &B, unsigned Level, FuseRules Rules, FusePlan &Plan)
      : A(A), B(B), Level(Level), Outside(A.active() & Levels::outside(Level)),
        Inside(A.active() & B.active() & Levels::inside(Level)), InA(A.active().has(Level)),
        InB(B.active().has(Level)), Rules(Rules), Plan(Plan) {}

  /// Makes the plan; returns false if there is none.
  bool fits() {
    if (!geometryFits())
      return false;
    for (unsigned Label = 0; Label < A.labels(); ++Label)
      if (!labelFits(Label))
        return false;
    return true;
  }

private:
  bool geometryFits() {
    if (Outside != (B.active() & Levels::outside(Level)))
      return false;
    findStep();
    const unsigned Iterator = Level / 2;
    // Neither iterators nor counters outside may depend on this level.
    auto Nonzero = [](int64_t S) { return S != 0; };
    if (Plan.Step[A.x(Iterator)] <= 0 ||
        std::any_of(&Plan.Step[A.x(0)], &Plan.Step[A.x(Iterator)], Nonzero) ||
        std::any_of(&Plan.Step[A.n(0)], &Plan.Step[A.n(Level)], Nonzero))
      return false;
    if (InA && InB && !std::equal(A.row(Level), A.row(Level) + A.geometry(), B.row(Level)))
      return false;
    if (isTile(Level) && !tileFits())
      return false;
    return findDistance() && cornerFits() && insideFits();
  }

  void findStep() {
    const int64_t *Known = InA ? A.row(Level) : InB ? B.row(Level) : nullptr;
    for (unsigned I = 0; I < A.attributes(); ++I)
      Plan.Step[I] = Known ? Known[I] : minus(B.corner()[I], A.corner()[I]);
    Plan.Step[A.n(Level)] = 0;
    Plan.Level = Level;
    if (Rules.Bridge && !Known)
      divideStep();
  }

  /// Assumes the smallest step for two slices with a gap between them, whose step is unknown.
  void divideStep() {
    const int64_t Way = Plan.Step[A.x(Level / 2)];
    auto First = Plan.Step.begin(), Last = First + A.attributes();
    if (Way > 0 && std::all_of(First, Last, [&](int64_t S) { return S % Way == 0; }))
      std::for_each(First, Last, [&](int64_t &S) { S /= Way; });
  }

  /// Returns whether the tiles have equal size and do not overlap: otherwise their positions would
  /// not distinguish them.
  bool tileFits() const {
    const unsigned Steps = stepLevel(Level / 2), X = A.x(Level / 2);
    if (((A.active() ^ B.active()) & Levels::inside(Level)).any())
      return false;
    for (unsigned Inner = Steps; Inner < A.levels(); ++Inner)
      if (Plan.Step[A.n(Inner)] != 0)
        return false;
    return !A.active().has(Steps) || Plan.Step[X] > (A.corner()[A.n(Steps)] - 1) * A.row(Steps)[X];
  }

  bool findDistance() {
    const unsigned X = A.x(Level / 2);
    const int64_t Count = A.corner()[A.n(Level)], Way = B.corner()[X] - A.corner()[X];
    Plan.Distance = Count;
    if (!Rules.Bridge || Way <= Count * Plan.Step[X])
      return true;
    Plan.Distance = Way / Plan.Step[X];
    return A.fixedCount(Level) && Plan.Distance * Plan.Step[X] == Way;
  }

  bool cornerFits() const {
    for (unsigned I = 0; I < A.geometry(); ++I)
      if (I != A.n(Level) && !continues(I))
        return false;
    return true;
  }

  /// Returns whether attribute I of B continues A's after its last slice, for any values of the
  /// counters outside.
  bool continues(unsigned I) const {
    if (B.corner()[I] != plus(A.corner()[I], times(Plan.Distance, Plan.Step[I])))
      return false;
    return continuesOutside(I);
  }
  bool continuesOutside(unsigned I) const {
    bool Fits = true;
    Outside.forEach([&](unsigned Outer) {
      const int64_t *InRowA = A.row(Outer), Slices = InRowA[A.n(Level)];
      Fits &= B.row(Outer)[I] == plus(InRowA[I], times(Slices, Plan.Step[I]));
    });
    return Fits;
  }

  bool insideFits() const {
    bool Fits = true;
    Inside.forEach([&](unsigned Inner) {
      Fits &= std::equal(A.row(Inner), A.row(Inner) + A.geometry(), B.row(Inner));
    });
    return Fits;
  }

  /// Determines which coefficients of a label become top; returns false if these are more than the
  /// rules allow.
  bool labelFits(unsigned Label) {
    const Shape::Irregular InfoA = A.irregular(Label), InfoB = B.irregular(Label);
    const unsigned F = A.f(Label);
    if (InfoA.AnyConstant || InfoB.AnyConstant)
      return false;
    Levels Tops = InfoA.Tops | InfoB.Tops;
    bool Differ = false;
    Inside.forEach([&](unsigned Inner) {
      Differ |= InfoA.Tops.has(Inner) != InfoB.Tops.has(Inner);
      if (A.row(Inner)[F] != B.row(Inner)[F]) {
        Tops = Tops | Levels::only(Inner);
        Differ = true;
      }
    });
    bool TopHere = Tops.has(Level);
    if (!TopHere)
      TopHere = (InA && InB && A.row(Level)[F] != B.row(Level)[F]) ||
                B.corner()[F] != plus(A.corner()[F], times(Plan.Distance, Plan.Step[F]));
    if (((InfoA.Tops ^ InfoB.Tops) & Levels::outside(Level)).any() ||
        (TopHere ? Outside.any() : !continuesOutside(F)))
      return false;
    if (!TopHere && Tops.any() && !sameResiduals(A, B, Level, Label, Tops))
      TopHere = true;
    if (TopHere) {
      Differ |=
          !Tops.has(Level) || (InA && !InfoA.Tops.has(Level)) || (InB && !InfoB.Tops.has(Level));
      Tops = Tops | Levels::only(Level);
    }
    Plan.Tops[Label] = Tops;
    return Rules.Widen || !Differ;
  }

  const Shape &A, &B;
  const unsigned Level;
  const Levels Outside, Inside; ///< active levels; Inside those of both
  const bool InA, InB;          ///< Level is active
  const FuseRules Rules;
  FusePlan &Plan;
};

} // namespace

std::optional<FusePlan> planFuse(const Shape &A, const Shape &B, unsigned Level, FuseRules Rules) {
  std::optional<FusePlan> Plan(std::in_place);
  if (!Attempt(A, B, Level, Rules, *Plan).fits())
    Plan.reset();
  return Plan;
}

uint64_t change(const Shape &A, const FusePlan &Plan) {
  uint64_t Sum = 0;
  for (unsigned I = Plan.Level / 2 + 1; I < A.geometry(); ++I)
    Sum += uint64_t(Plan.Step[I] < 0 ? -Plan.Step[I] : Plan.Step[I]);
  return Sum + uint64_t(Plan.Step[Plan.Level / 2] - 1);
}

void fuse(Shape &A, const Shape &B, const FusePlan &Plan) {
  const unsigned Level = Plan.Level;
  // This comes first, because it needs A's former geometry.
  for (unsigned Label = 0; Label < A.labels(); ++Label)
    if (Plan.Tops[Label].any())
      A.setIrregular(Label, fusedLabel(A, B, Level, Plan.Distance, Label, Plan.Tops[Label]));

  (B.active() - A.active()).forEach([&](unsigned Adopted) {
    std::copy_n(B.row(Adopted), B.attributes(), A.row(Adopted));
  });
  if (!A.active().has(Level))
    std::copy_n(Plan.Step.begin(), A.attributes(), A.row(Level));
  A.setExact(A.exact() && B.exact() && Plan.Distance == A.corner()[A.n(Level)]);
  A.corner()[A.n(Level)] = Plan.Distance + B.corner()[B.n(Level)];
  (A.active() & Levels::outside(Level)).forEach([&](unsigned Outer) {
    A.row(Outer)[A.n(Level)] += B.row(Outer)[B.n(Level)];
  });
  A.setActive(A.active() | B.active() | Levels::only(Level));
  A.setPoints(A.points() + B.points());
  for (unsigned Label = 0; Label < A.labels(); ++Label)
    Plan.Tops[Label].forEach([&](unsigned Top) { A.row(Top)[A.f(Label)] = 0; });
}

} // namespace specrt::folding
