//===- profiler/folding/shapes/tops.h - labels with top coefficients ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// B is appended to A along a level. residuals.h describes the hashes that are compared.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_TOPS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_TOPS_H

#include "profiler/folding/shapes/shape.h"

namespace specrt::folding {

/// Returns whether the residuals of the coefficients along \p Tops are equal in both, so that the
/// label may have a number along \p Level.
bool sameResiduals(const Shape &A, const Shape &B, unsigned Level, unsigned Label, Levels Tops);

/// Returns the irregular part of a label when B is \p Distance steps behind A's corner, with these
/// \p Tops.
Shape::Irregular fusedLabel(const Shape &A, const Shape &B, unsigned Level, int64_t Distance,
                            unsigned Label, Levels Tops);

} // namespace specrt::folding

#endif
