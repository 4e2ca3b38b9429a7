//===- profiler/folding/slices.cpp - shapes that grow by those of one step ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/slices.h"

#include "profiler/folding/fuse.h"
#include "profiler/folding/joins.h"

#include <algorithm>
#include <limits>

namespace specrt::folding {
namespace {

bool isPair(const Shape &S, unsigned TileLevel) {
  return S.active().has(TileLevel) && S.corner()[S.n(TileLevel)] == 2;
}

constexpr size_t None = std::numeric_limits<size_t>::max();

/// Which slice each growing shape takes, and how.
class Matching {
public:
  Matching(std::vector<Shape> &Growing, const std::vector<Shape> &Slice, unsigned Level, bool Widen)
      : Growing(Growing), Slice(Slice), Level(Level), Rules{.Widen = Widen},
        TakenBy(Slice.size(), None) {
    // Those that know where they go to come first: no other slice will do for them.
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
      const size_t I = (G + Try) % Slice.size(); // mostly, the order stays
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

void splitPairs(std::vector<Shape> &Shapes, unsigned TileLevel) {
  const size_t Before = Shapes.size();
  for (size_t I = 0; I < Before; ++I) {
    Shape &First = Shapes[I];
    if (!isPair(First, TileLevel))
      continue;
    First.setActive(First.active() - Levels::only(TileLevel));
    First.setPoints(First.points() / 2);
    First.corner()[First.n(TileLevel)] = 1;
    Shape Second = First;
    for (unsigned A = 0; A < First.attributes(); ++A)
      Second.corner()[A] = plus(First.corner()[A], First.row(TileLevel)[A]);
    Shapes.push_back(std::move(Second));
  }
  if (Shapes.size() != Before)
    sortShapes(Shapes);
}

size_t numPairs(const std::vector<Shape> &Shapes, unsigned TileLevel) {
  return size_t(std::count_if(Shapes.begin(), Shapes.end(),
                              [&](const Shape &S) { return isPair(S, TileLevel); }));
}

} // namespace specrt::folding
