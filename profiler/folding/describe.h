//===- profiler/folding/describe.h - shapes in terms of iterators ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_DESCRIBE_H
#define SPECRT_PROFILER_FOLDING_DESCRIBE_H

#include "profiler/folding/shapes/shape.h"
#include "specrt/folding.h"

namespace specrt::folding {

/// Returns the piece of a shape. \p Unknown is the kind of the coefficients of iterators with one
/// value.
FoldedPiece describe(const Shape &S, Coefficient::Kind Unknown = Coefficient::Number);

/// Returns the shape that describe() was called with.
Shape shapeOf(const FoldedPiece &Piece);

} // namespace specrt::folding

#endif
