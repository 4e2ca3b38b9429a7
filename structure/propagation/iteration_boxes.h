//===- structure/propagation/iteration_boxes.h - iterations of a statement as boxes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on affine constraints, subscripts and boxes. All of them are exact: a set that is not
// a box is cut along the counter that gives the fewest pieces.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROPAGATION_ITERATION_BOXES_H
#define SPECRT_STRUCTURE_PROPAGATION_ITERATION_BOXES_H

#include "structure/program/dense_program.h"
#include "structure/propagation/boxes.h"

namespace specrt {

/// A conjunction of constraints Value >= 0.
using Conjunction = std::vector<AffineValue>;

/// Returns the smallest and the largest value in \p Counters.
std::pair<int64_t, int64_t> rangeOf(const AffineValue &Of, const Box &Counters);

/// Returns the part of \p Within that interval arithmetic does not exclude by \p Where; may be
/// empty.
Box narrowed(const Conjunction &Where, Box Within);

/// Appends the points of \p From that satisfy \p Where.
void addWhere(const Conjunction &Where, const Box &From, Boxes &To);

/// Returns whether all points of \p Within satisfy \p Where.
bool holdsIn(const Conjunction &Where, const Box &Within);

/// Returns whether the image of each box in \p Within is a box, which imageOf returns.
bool hasBoxImages(const std::vector<AffineValue> &Subscripts, const Box &Within);
Box imageOf(const std::vector<AffineValue> &Subscripts, const Box &Of);

/// Appends the elements at \p Subscripts in the iterations \p Of.
void addImage(const std::vector<AffineValue> &Subscripts, const Box &Of, Boxes &To);

/// Appends the iterations in \p Within that access \p Elements.
void addPreimage(const std::vector<AffineValue> &Subscripts, const Box &Elements, const Box &Within,
                 Boxes &To);

} // namespace specrt

#endif
