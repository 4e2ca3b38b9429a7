//===- profiler/folding/engine.h - grows shapes from a stream -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each iterator k there are shapes that may still grow along it (Growing[k]: steps of k are
// added as slices), and shapes that ended (Ended[k]), the last of which may grow along the tile
// level. The innermost iterator grows a Run instead. When iterator c makes a step, all iterators
// inside it end: from the innermost on, the shapes that Ended along k are the new slice of those
// Growing along k - 1. A slice that no shape can grow by begins to grow itself; a shape that did
// not grow by the slice has Ended.
//
// The stages are described in docs/folding.md.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_ENGINE_H
#define SPECRT_PROFILER_FOLDING_ENGINE_H

#include "profiler/folding/box.h"
#include "profiler/folding/run.h"
#include "profiler/folding/shapes/replay.h"
#include "profiler/folding/shapes/shape.h"
#include "specrt/folding.h"

namespace specrt::folding {

class Engine {
public:
  Engine(unsigned Iterators, unsigned Labels, const FoldOptions &Options);

  /// Adds a point that was not predicted. \p Predicted is the number of predicted points since the
  /// last call.
  void add(const int64_t *Point, const int64_t *Labels, uint64_t Predicted);
  /// Does what add() does for each of Count points along the innermost iterator.
  void addRow(const ReplayedRow &Row, uint64_t Predicted);
  Folding finish(uint64_t Predicted);
  std::vector<FoldedPiece> live(uint64_t Predicted) const;

  int64_t *next() { return Current.next(); }
  const int64_t *steps() const { return Current.steps(); }
  size_t peakLive() const { return PeakLive; }
  const FoldOptions &options() const { return Options; }
  size_t memory() const;

private:
  enum class Stage : uint8_t { Exact, Widened, Box };
  using Shapes = std::vector<Shape>;

  void sync(uint64_t Predicted);
  void insert(const int64_t *Point, const int64_t *Labels);
  void takeLastPoint();
  unsigned outermostStep(const int64_t *Point) const;
  void endRun();
  void endInside(unsigned Iterator);
  void growBySlice(unsigned Iterator);
  void end(unsigned Iterator, Shape S);
  void endAll();
  void checkLimits();
  size_t unfinished() const;
  size_t numShapes() const;
  void widen();
  void giveUp();

  const unsigned Iterators, Labels;
  const FoldOptions Options;
  const size_t MaxLive, MaxShapes;
  Stage Now;
  Run Current;
  std::vector<Shapes> Growing, Ended; ///< per iterator
  BoundingBox Around;
  size_t PeakLive = 0;
  uint64_t Points = 0;
};

} // namespace specrt::folding

#endif
