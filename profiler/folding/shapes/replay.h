//===- profiler/folding/shapes/replay.h - regenerates the stream of shapes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_REPLAY_H
#define SPECRT_PROFILER_FOLDING_SHAPES_REPLAY_H

#include "profiler/folding/shapes/shape.h"

#include <functional>

namespace specrt::folding {

/// Points along the innermost iterator, consecutive or single.
struct ReplayedRow {
  const int64_t *Point;
  uint64_t Count;
  const int64_t *Labels, *Steps;
};

/// Calls \p Sink with the points of \p Shapes, none of which has top labels, in lexicographic
/// order.
void replay(const std::vector<Shape> &Shapes, const std::function<void(const ReplayedRow &)> &Sink);

} // namespace specrt::folding

#endif
