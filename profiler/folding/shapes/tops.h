//===- profiler/folding/shapes/tops.h - labels of two shapes that are not affine ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// B is appended to A along a level. See residuals.h for what is compared.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_TOPS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_TOPS_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// Whether what the coefficients along \p Tops stand for is the same in both, so that the label may
/// have a number along \p Level.
bool sameResiduals(const Shape &A, const Shape &B, unsigned Level, unsigned Label, Levels Tops);

/// What is not affine of a label when B lies \p Distance steps behind A's corner, with these \p
/// Tops.
Shape::Irregular fusedLabel(const Shape &A, const Shape &B, unsigned Level, int64_t Distance,
                            unsigned Label, Levels Tops);

} // namespace specrt::folding

#endif
