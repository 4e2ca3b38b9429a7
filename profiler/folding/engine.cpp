//===- profiler/folding/engine.cpp - grows shapes from a stream -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/engine.h"

#include "profiler/folding/describe.h"
#include "profiler/folding/shapes/fuse.h"
#include "profiler/folding/shapes/joins.h"
#include "profiler/folding/shapes/slices.h"

#include <algorithm>

namespace specrt::folding {
namespace {

/// The number of ended shapes that may still grow by tiles: nests alternate between few bodies.
constexpr size_t OpenTiles = 3;

template <typename T> void moveAll(std::vector<T> &From, std::vector<T> &To) {
  std::move(From.begin(), From.end(), std::back_inserter(To));
  From.clear();
}

} // namespace

Engine::Engine(unsigned Iterators, unsigned Labels, const FoldOptions &Options)
    : Iterators(Iterators), Labels(Labels), Options(Options),
      MaxLive(Options.MaxLive ? Options.MaxLive : 4 * Iterators + 1),
      MaxShapes(std::min(Options.MaxPieces, Options.MaxBytes / Shape(Iterators, Labels).bytes())),
      Now(Options.Widen == Widening::Always ? Stage::Widened : Stage::Exact),
      Current(Iterators, Labels), Growing(Iterators), Ended(Iterators), Around(Iterators, Labels) {}

void Engine::add(const int64_t *Point, const int64_t *PointLabels, uint64_t Predicted) {
  sync(Predicted);
  insert(Point, PointLabels);
}

void Engine::addRow(const ReplayedRow &Row, uint64_t Predicted) {
  sync(Predicted);
  std::vector<int64_t> Point(Row.Point, Row.Point + Iterators);
  std::vector<int64_t> At(Row.Labels, Row.Labels + Labels);
  for (uint64_t I = 0; I < Row.Count; ++I) {
    insert(Point.data(), At.data());
    if (uint64_t Rest = Row.Count - 1 - I; Rest && Current.continuesWith(1, Row.Steps)) {
      Current.advance(Rest);
      Points += Rest;
      return;
    }
    ++Point.back();
    for (unsigned L = 0; L < Labels; ++L)
      At[L] = plus(At[L], Row.Steps[L]);
  }
}

void Engine::sync(uint64_t Predicted) {
  Current.count(Predicted);
  Points += Predicted;
}

void Engine::insert(const int64_t *Point, const int64_t *PointLabels) {
  ++Points;
  if (!Current.empty()) {
    const unsigned Outermost = outermostStep(Point);
    const int64_t X = Point[Iterators - 1];
    if (Outermost == Iterators - 1) {
      if (Current.extend(X, PointLabels, Now == Stage::Widened))
        return Current.count() == 2 ? takeLastPoint() : void();
      Around.includeBreak(Current, X, PointLabels);
    }
    endRun();
    endInside(Outermost);
  }
  Current.begin(Point, PointLabels);
  checkLimits();
}

/// Takes a point from the previous run in the row, which may have got its second point by chance,
/// see takeSecondSlice.
void Engine::takeLastPoint() {
  const unsigned Level = stepLevel(Iterators - 1);
  Shapes &Before = Ended[Iterators - 1];
  if (Before.empty() || !isPair(Before.back(), Level))
    return;
  Shape S = Current.shape();
  if (takeSecondSlice(S, Before, Level))
    Current.prepend();
}

unsigned Engine::outermostStep(const int64_t *Point) const {
  unsigned Iterator = 0;
  while (Iterator < Iterators - 1 && Point[Iterator] == Current.point()[Iterator])
    ++Iterator;
  return Iterator;
}

void Engine::endRun() {
  if (Current.empty())
    return;
  Around.include(Current);
  if (Now != Stage::Box)
    end(Iterators - 1, Current.shape());
  Current.clear();
}

/// Ends a step of \p Iterator, and with it all steps of the iterators inside.
void Engine::endInside(unsigned Iterator) {
  if (Now == Stage::Box)
    return;
  for (unsigned Inner = Iterators - 1; Inner > Iterator; --Inner) {
    growBySlice(Inner - 1);
    if (Inner - 1 > Iterator) {
      Shapes Over = std::move(Growing[Inner - 1]);
      Growing[Inner - 1].clear();
      for (Shape &S : Over)
        end(Inner - 1, std::move(S));
    }
  }
}

void Engine::growBySlice(unsigned Iterator) {
  Shapes Slice = std::move(Ended[Iterator + 1]);
  Ended[Iterator + 1].clear();
  splitPairs(Slice, tileLevel(Iterator + 1));
  const unsigned Level = stepLevel(Iterator);
  for (Shape &Over : growBy(Growing[Iterator], std::move(Slice), Level, Now == Stage::Widened))
    end(Iterator, std::move(Over));
  for (Shape &S : Growing[Iterator])
    if (isPair(S, Level))
      takeSecondSlice(S, Ended[Iterator], Level);
}

/// Ends the growth of \p S along \p Iterator; it may still be a tile.
void Engine::end(unsigned Iterator, Shape S) {
  Shapes &Over = Ended[Iterator];
  const size_t Room = MaxLive - std::min(MaxLive, unfinished());
  const size_t Open = std::min({OpenTiles, Over.size(), Iterator ? OpenTiles : Room});
  for (size_t Back = 1; Back <= Open; ++Back) {
    Shape &Last = Over[Over.size() - Back];
    if (auto Plan = planFuse(Last, S, tileLevel(Iterator), {}))
      return fuse(Last, S, *Plan);
  }
  Over.push_back(std::move(S));
}

/// Returns the number of shapes that may still grow, without those that wait as tiles of the
/// outermost iterator.
size_t Engine::unfinished() const {
  size_t Sum = Growing[0].size();
  for (unsigned K = 1; K < Iterators; ++K)
    Sum += Growing[K].size() + Ended[K].size() + numPairs(Ended[K], tileLevel(K));
  return Sum + !Current.empty();
}

size_t Engine::numShapes() const { return unfinished() + Ended[0].size(); }

void Engine::checkLimits() {
  const size_t Live = unfinished();
  const size_t Tiles = std::min(OpenTiles, Ended[0].size());
  PeakLive = std::max(PeakLive, std::max(Live, std::min(Live + Tiles, MaxLive)));
  if (Live <= MaxLive && numShapes() <= MaxShapes)
    return;
  if (Now == Stage::Exact && Options.Widen == Widening::Adaptive)
    widen();
  else if (Now != Stage::Box)
    giveUp();
}

/// Begins anew as if widening had been allowed from the first point on. Complete shapes that make
/// up much of the stream are not changed by later points.
void Engine::widen() {
  const uint64_t Much = std::max<uint64_t>(Points / 4, 64);
  Shapes Complete, Again;
  for (Shapes *Outermost : {&Ended[0], &Growing[0]}) {
    for (Shape &S : *Outermost)
      (S.points() >= Much ? Complete : Again).push_back(std::move(S));
    Outermost->clear();
  }
  Ended[0] = std::move(Complete);
  Again.push_back(Current.shape());
  Current.clear();
  for (unsigned K = 1; K < Iterators; ++K) {
    moveAll(Growing[K], Again);
    moveAll(Ended[K], Again);
  }
  Now = Stage::Widened;
  for (const Shape &S : Again)
    Points -= S.points();
  replay(Again, [&](const ReplayedRow &Row) { addRow(Row, 0); });
}

void Engine::giveUp() {
  for (unsigned K = 0; K < Iterators; ++K) {
    Growing[K] = Shapes();
    Ended[K] = Shapes();
  }
  Now = Stage::Box;
}

void Engine::endAll() {
  endRun();
  endInside(0);
  Shapes Last = std::move(Growing[0]);
  Growing[0].clear();
  for (Shape &S : Last)
    end(0, std::move(S));
}

Folding Engine::finish(uint64_t Predicted) {
  sync(Predicted);
  endAll();
  Shapes All = std::move(Ended[0]);
  if (Now == Stage::Box)
    All.assign(1, Around.shape(Points));
  joinShapes(All, /*Bridge=*/false);
  Folding Result;
  Result.Iterators = Iterators;
  Result.Labels = Labels;
  Result.Points = Points;
  Result.Widened = Now != Stage::Exact;
  Result.GaveUp = Now == Stage::Box;
  for (const Shape &S : All)
    Result.Pieces.push_back(describe(S));
  return Result;
}

std::vector<FoldedPiece> Engine::live(uint64_t Predicted) const {
  std::vector<FoldedPiece> Live;
  auto Append = [&](const Shape &S) { Live.push_back(describe(S, Coefficient::Unknown)); };
  for (unsigned K = 0; K < Iterators; ++K) {
    if (K)
      std::for_each(Ended[K].begin(), Ended[K].end(), Append);
    std::for_each(Growing[K].begin(), Growing[K].end(), Append);
  }
  if (!Current.empty()) {
    Run Last = Current;
    Last.count(Predicted);
    Append(Last.shape());
  }
  return Live;
}

size_t Engine::memory() const {
  size_t Bytes = sizeof(*this);
  for (const auto *Lists : {&Growing, &Ended})
    for (const Shapes &List : *Lists)
      for (const Shape &S : List)
        Bytes += S.bytes();
  return Bytes;
}

} // namespace specrt::folding
