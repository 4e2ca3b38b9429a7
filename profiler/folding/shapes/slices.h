//===- profiler/folding/shapes/slices.h - grows shapes by the shapes of one step ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_SLICES_H
#define SPECRT_PROFILER_FOLDING_SHAPES_SLICES_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// Returns whether the shape has two slices along \p Level.
bool isPair(const Shape &S, unsigned Level);

/// Appends each of \p Slice to one of \p Growing along \p Level if possible. Afterwards Growing
/// contains the shapes that may grow further: grown shapes and unused slices. Returns the shapes
/// that did not grow.
std::vector<Shape> growBy(std::vector<Shape> &Growing, std::vector<Shape> Slice, unsigned Level,
                          bool Widen);

/// Moves the second slice of an ended pair to \p Grown, which has two slices along \p Level as
/// well, if it continues that slice better: the pair may have got it only because anything
/// continues one slice. Inspects the last of \p Ended; returns true when \p Grown has got a slice.
bool takeSecondSlice(Shape &Grown, std::vector<Shape> &Ended, unsigned Level);

/// Splits tiles of only two slices: equal rows of equal size do not prove tiling, and their
/// neighbours may have no tiles.
void splitPairs(std::vector<Shape> &Shapes, unsigned TileLevel);
/// Returns the number of shapes that this would split.
size_t numPairs(const std::vector<Shape> &Shapes, unsigned TileLevel);

} // namespace specrt::folding

#endif
