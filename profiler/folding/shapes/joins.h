//===- profiler/folding/shapes/joins.h - finished shapes that are one -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_JOINS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_JOINS_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// By the lowest point.
void sortShapes(std::vector<Shape> &Shapes);

/// Fuses shapes where one continues the other; \p Bridge: also behind a gap. No label gets worse.
void joinShapes(std::vector<Shape> &Shapes, bool Bridge);

} // namespace specrt::folding

#endif
