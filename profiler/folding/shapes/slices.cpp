//===- profiler/folding/shapes/slices.cpp - grows shapes by the shapes of one step ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/slices.h"

#include "profiler/folding/shapes/fuse.h"
#include "profiler/folding/shapes/joins.h"

#include <algorithm>
#include <limits>

namespace specrt::folding {
namespace {

/// The number of latest ended shapes that takeSecondSlice inspects.
constexpr size_t Reach = 8;

/// Returns slice number \p Y of a pair along \p Level, whose labels are not top there.
Shape sliceOf(const Shape &Pair, unsigned Level, int64_t Y) {
  Shape S = Pair;
  for (unsigned A = 0; A < S.attributes(); ++A)
    S.corner()[A] = plus(Pair.corner()[A], times(Y, Pair.row(Level)[A]));
  S.corner()[S.n(Level)] = 1;
  S.setActive(S.active() - Levels::only(Level));
  // The properties of the other slice along levels with one value in this one are removed.
  (S.active() & Levels::inside(Level)).forEach([&](unsigned Inner) {
    if (S.corner()[S.n(Inner)] == 1 && S.fixedCount(Inner))
      S.setActive(S.active() - Levels::only(Inner));
  });
  S.setPoints(countPoints(S));
  return S;
}

/// Returns whether \p Grown begins one step behind the second slice of \p Pair.
bool liesBehind(const Shape &Grown, const Shape &Pair, unsigned Level) {
  for (unsigned K = 0; K < Pair.iterators(); ++K)
    if (Pair.corner()[K] + Pair.row(Level)[K] + Grown.row(Level)[K] != Grown.corner()[K])
      return false;
  return true;
}

bool anyTop(const Shape &S) {
  for (unsigned Label = 0; Label < S.labels(); ++Label)
    if (S.irregular(Label).Tops.any())
      return true;
  return false;
}

constexpr size_t None = std::numeric_limits<size_t>::max();

/// Matches growing shapes with slices.
class Matching {
public:
  Matching(std::vector<Shape> &Growing, const std::vector<Shape> &Slice, unsigned Level, bool Widen)
      : Growing(Growing), Slice(Slice), Level(Level), Rules{.Widen = Widen},
        TakenBy(Slice.size(), None) {
    // Shapes with a known continuation come first, because no other slice fits them.
    for (bool Known : {true, false})
      for (size_t G = 0; G < Growing.size(); ++G)
        if (Growing[G].active().has(Level) == Known)
          grow(G, Known);
  }
  const std::vector<size_t> &takenBy() const { return TakenBy; }

private:
  void grow(size_t G, bool Known) {
    size_t Best = None;
    FusePlan BestPlan;
    uint64_t Least = std::numeric_limits<uint64_t>::max();
    for (size_t Try = 0; Try < Slice.size() && Least != 0; ++Try) {
      const size_t I = (G + Try) % Slice.size(); // usually the order is the same
      if (TakenBy[I] != None)
        continue;
      auto Plan = planFuse(Growing[G], Slice[I], Level, Rules);
      if (!Plan)
        continue;
      const uint64_t Change = Known ? 0 : change(Growing[G], *Plan);
      if (Change < Least) {
        Best = I;
        BestPlan = *Plan;
        Least = Change;
      }
    }
    if (Best == None)
      return;
    fuse(Growing[G], Slice[Best], BestPlan);
    TakenBy[Best] = G;
  }

  std::vector<Shape> &Growing;
  const std::vector<Shape> &Slice;
  const unsigned Level;
  const FuseRules Rules;
  std::vector<size_t> TakenBy;
};

} // namespace

std::vector<Shape> growBy(std::vector<Shape> &Growing, std::vector<Shape> Slice, unsigned Level,
                          bool Widen) {
  const std::vector<size_t> TakenBy = Matching(Growing, Slice, Level, Widen).takenBy();
  std::vector<bool> Grown(Growing.size());
  std::vector<Shape> Next, Over;
  Next.reserve(Slice.size());
  for (size_t I = 0; I < Slice.size(); ++I)
    if (TakenBy[I] == None) {
      Next.push_back(std::move(Slice[I]));
    } else {
      Next.push_back(std::move(Growing[TakenBy[I]]));
      Grown[TakenBy[I]] = true;
    }
  for (size_t G = 0; G < Growing.size(); ++G)
    if (!Grown[G])
      Over.push_back(std::move(Growing[G]));
  Growing = std::move(Next);
  return Over;
}

bool isPair(const Shape &S, unsigned Level) {
  return S.active().has(Level) && S.corner()[S.n(Level)] == 2;
}

bool takeSecondSlice(Shape &Grown, std::vector<Shape> &Ended, unsigned Level) {
  for (size_t Back = 1; Back <= std::min(Reach, Ended.size()); ++Back) {
    Shape &Pair = Ended[Ended.size() - Back];
    if (!isPair(Pair, Level) || anyTop(Pair) || !liesBehind(Grown, Pair, Level))
      continue;
    Shape Second = sliceOf(Pair, Level, 1);
    if (auto Plan = planFuse(Second, Grown, Level, {})) {
      fuse(Second, Grown, *Plan);
      Grown = std::move(Second);
      Pair = sliceOf(Pair, Level, 0);
      return true;
    }
  }
  return false;
}

void splitPairs(std::vector<Shape> &Shapes, unsigned TileLevel) {
  const size_t Before = Shapes.size();
  for (size_t I = 0; I < Before; ++I)
    if (isPair(Shapes[I], TileLevel)) {
      Shapes.push_back(sliceOf(Shapes[I], TileLevel, 1));
      Shapes[I] = sliceOf(Shapes[I], TileLevel, 0);
    }
  if (Shapes.size() != Before)
    sortShapes(Shapes);
}

size_t numPairs(const std::vector<Shape> &Shapes, unsigned TileLevel) {
  return size_t(std::count_if(Shapes.begin(), Shapes.end(),
                              [&](const Shape &S) { return isPair(S, TileLevel); }));
}

} // namespace specrt::folding
