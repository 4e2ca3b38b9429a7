//===- profiler/folding/shapes/joins.h - joins finished shapes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_JOINS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_JOINS_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// Sorts shapes by their lowest points.
void sortShapes(std::vector<Shape> &Shapes);

/// Fuses shapes that continue each other; with \p Bridge also across gaps. No label becomes less
/// precise.
void joinShapes(std::vector<Shape> &Shapes, bool Bridge);

} // namespace specrt::folding

#endif
