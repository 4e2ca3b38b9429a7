//===- profiler/folding/describe.h - shapes in terms of iterators ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_FOLDING_DESCRIBE_H
#define SPECRT_PROFILER_FOLDING_DESCRIBE_H

#include "profiler/folding/shapes/shape.h"
#include "specrt/folding.h"

namespace specrt::folding {

/// \p Unknown: what coefficients of iterators with one value are.
FoldedPiece describe(const Shape &S, Coefficient::Kind Unknown = Coefficient::Number);

/// What describe() was called with.
Shape shapeOf(const FoldedPiece &Piece);

} // namespace specrt::folding

#endif
