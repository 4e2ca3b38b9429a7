//===- structure/propagation/iteration_boxes.h - iterations of a statement as boxes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where affine constraints and subscripts meet boxes. All of this is exact: what is no box is cut
// along the counter that makes the fewest pieces.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROPAGATION_ITERATION_BOXES_H
#define SPECRT_STRUCTURE_PROPAGATION_ITERATION_BOXES_H

#include "structure/program/dense_program.h"
#include "structure/propagation/boxes.h"

namespace specrt {

/// Values that are all >= 0.
using Conjunction = std::vector<AffineValue>;

/// The smallest and the largest value in \p Counters.
std::pair<int64_t, int64_t> rangeOf(const AffineValue &Of, const Box &Counters);

/// \p Within without what intervals alone show to violate \p Where. May be empty.
Box narrowed(const Conjunction &Where, Box Within);

/// Appends the points of \p From for which \p Where holds.
void addWhere(const Conjunction &Where, const Box &From, Boxes &To);

/// Does \p Where hold in all of \p Within?
bool holdsIn(const Conjunction &Where, const Box &Within);

/// Is the image of each box in \p Within a box? Then imageOf is that.
bool hasBoxImages(const std::vector<AffineValue> &Subscripts, const Box &Within);
Box imageOf(const std::vector<AffineValue> &Subscripts, const Box &Of);

/// Appends the elements at \p Subscripts for the iterations \p Of.
void addImage(const std::vector<AffineValue> &Subscripts, const Box &Of, Boxes &To);

/// Appends the iterations in \p Within that access \p Elements.
void addPreimage(const std::vector<AffineValue> &Subscripts, const Box &Elements, const Box &Within,
                 Boxes &To);

} // namespace specrt

#endif
