//===- structure/rows/row_cover.h - covers all rows by segments -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_COVER_H
#define SPECRT_STRUCTURE_ROWS_ROW_COVER_H

#include "structure/rows/row_structure.h"

namespace specrt {

/// Segments with their own pool of origins.
struct RowSegments {
  std::vector<RowSegment> Segments;
  std::vector<int64_t> Origins;

  size_t bytes() const {
    return Segments.capacity() * sizeof(RowSegment) + Origins.capacity() * sizeof(int64_t);
  }
};

/// Fills \p To, which has Classes and Rows, so that every row is in exactly one segment: \p Exact,
/// which do not overlap, unchanged; parts of \p Loaded (step 1, ascending, without overlap) of at
/// least MinRows rows outside of exact segments; rest elsewhere. Counts the rows of classes.
void coverRows(RowStructure &To, RowSegments Exact, const RowSegments &Loaded);

} // namespace specrt

#endif
