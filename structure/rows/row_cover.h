//===- structure/rows/row_cover.h - every row in exactly one segment ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_COVER_H
#define SPECRT_STRUCTURE_ROWS_ROW_COVER_H

#include "structure/rows/row_structure.h"

namespace specrt {

/// Segments with origins in a pool of their own.
struct RowSegments {
  std::vector<RowSegment> Segments;
  std::vector<int64_t> Origins;

  size_t bytes() const {
    return Segments.capacity() * sizeof(RowSegment) + Origins.capacity() * sizeof(int64_t);
  }
};

/// Fills \p To, which has Classes and Rows: \p Exact, which do not overlap, as they are; parts of
/// \p Loaded (step 1, ascending, without overlap) of at least MinRows rows where no exact segment
/// is; rest elsewhere. Counts the rows of classes.
void coverRows(RowStructure &To, RowSegments Exact, const RowSegments &Loaded);

} // namespace specrt

#endif
