//===- profiler/folding/shapes/joins.cpp - joins finished shapes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/joins.h"

#include "profiler/folding/shapes/fuse.h"

#include <algorithm>

namespace specrt::folding {
namespace {

/// The number of later shapes that are tried for each shape.
constexpr size_t Reach = 16;

/// Returns whether two slices fit naturally: single slices fit in too many ways, so they must be
/// close and have the same shape.
bool natural(const Shape &A, const Shape &B, const FusePlan &Plan) {
  const unsigned Level = Plan.Level, Steps = stepLevel(Level / 2);
  if (A.active().has(Level) || B.active().has(Level))
    return true;
  if (!isTile(Level))
    return change(A, Plan) == 0;
  return A.active().has(Steps) &&
         Plan.Step[A.x(Level / 2)] == A.corner()[A.n(Steps)] * A.row(Steps)[A.x(Level / 2)];
}

/// Calls \p Use(number, plan) for shapes behind \p I that continue \p A, until it returns true.
template <typename Fn>
bool anyBehind(const std::vector<Shape> &Shapes, size_t I, const Shape &A, unsigned Level,
               FuseRules Rules, Fn Use) {
  for (size_t J = I + 1; J < std::min(Shapes.size(), I + 1 + Reach); ++J)
    if (auto Plan = planFuse(A, Shapes[J], Level, Rules); Plan && Use(J, *Plan))
      return true;
  return false;
}

/// Appends one of the shapes behind \p I to it.
bool growOne(std::vector<Shape> &Shapes, size_t I, unsigned Level, FuseRules Rules) {
  Shape &A = Shapes[I];
  return anyBehind(Shapes, I, A, Level, Rules, [&](size_t J, const FusePlan &Plan) {
    Shape Fused = A;
    fuse(Fused, Shapes[J], Plan);
    // Across a gap, a third slice that two predict is as good as close ones of equal shape.
    auto Confirms = [](size_t, const FusePlan &) { return true; };
    if (!natural(A, Shapes[J], Plan) &&
        !(Rules.Bridge && anyBehind(Shapes, J, Fused, Level, Rules, Confirms)))
      return false;
    A = std::move(Fused);
    Shapes.erase(Shapes.begin() + ptrdiff_t(J));
    return true;
  });
}

} // namespace

void sortShapes(std::vector<Shape> &Shapes) {
  std::sort(Shapes.begin(), Shapes.end(), [](const Shape &A, const Shape &B) {
    return std::lexicographical_compare(A.corner(), A.corner() + A.iterators(), B.corner(),
                                        B.corner() + B.iterators());
  });
}

void joinShapes(std::vector<Shape> &Shapes, bool Bridge) {
  sortShapes(Shapes);
  for (unsigned Level = Shapes.empty() ? 0 : Shapes[0].levels(); Level-- > 0;)
    for (size_t I = 0; I < Shapes.size(); ++I)
      while (growOne(Shapes, I, Level, {.Bridge = Bridge}))
        ;
}

} // namespace specrt::folding
