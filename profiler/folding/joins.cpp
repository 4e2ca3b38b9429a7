//===- profiler/folding/joins.cpp - finished shapes that are one ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/joins.h"

#include "profiler/folding/fuse.h"

#include <algorithm>

namespace specrt::folding {
namespace {

/// How many shapes behind one are tried.
constexpr size_t Reach = 16;

/// Two slices alone fit in too many ways: they must lie close and have one shape.
bool natural(const Shape &A, const Shape &B, const FusePlan &Plan) {
  const unsigned Level = Plan.Level, Steps = stepLevel(Level / 2);
  if (A.active().has(Level) || B.active().has(Level))
    return true;
  if (!isTile(Level))
    return change(A, Plan) == 0;
  return A.active().has(Steps) &&
         Plan.Step[A.x(Level / 2)] == A.corner()[A.n(Steps)] * A.row(Steps)[A.x(Level / 2)];
}

/// Appends one of the shapes behind \p I to it.
bool growOne(std::vector<Shape> &Shapes, size_t I, unsigned Level, FuseRules Rules) {
  for (size_t J = I + 1; J < std::min(Shapes.size(), I + 1 + Reach); ++J)
    if (auto Plan = planFuse(Shapes[I], Shapes[J], Level, Rules);
        Plan && natural(Shapes[I], Shapes[J], *Plan)) {
      fuse(Shapes[I], Shapes[J], *Plan);
      Shapes.erase(Shapes.begin() + ptrdiff_t(J));
      return true;
    }
  return false;
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
