//===- profiler/folding/shapes/slices.h - shapes that grow by those of one step ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_SLICES_H
#define SPECRT_PROFILER_FOLDING_SHAPES_SLICES_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// Shapes have two slices along \p Level.
bool isPair(const Shape &S, unsigned Level);

/// Appends each of \p Slice to one of \p Growing along \p Level where possible, which leaves in
/// Growing what may grow on: grown shapes and slices. Returns the shapes that did not grow.
std::vector<Shape> growBy(std::vector<Shape> &Growing, std::vector<Shape> Slice, unsigned Level,
                          bool Widen);

/// A pair that ended may have got its second slice only because anything continues one slice. Where
/// \p Grown, which has two slices along \p Level as well, continues that slice better, it takes it.
/// Looks at the last of \p Ended; true when \p Grown has got a slice.
bool takeSecondSlice(Shape &Grown, std::vector<Shape> &Ended, unsigned Level);

/// Undoes tiles of which there are two only: equal rows of equal size are no sign of tiling yet,
/// and their neighbours may have none.
void splitPairs(std::vector<Shape> &Shapes, unsigned TileLevel);
/// How many that would split.
size_t numPairs(const std::vector<Shape> &Shapes, unsigned TileLevel);

} // namespace specrt::folding

#endif
