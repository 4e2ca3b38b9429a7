//===- runtime/rows/fusion/segment_rows.h - the rows of segments ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_FUSION_SEGMENT_ROWS_H
#define SPECRT_RUNTIME_ROWS_FUSION_SEGMENT_ROWS_H

#include "specrt/rows.h"
#include <cstdint>

namespace specrt {

/// The number of rows, all of which are in [First, End).
struct SegmentRows {
  uint64_t First = UINT64_MAX, End = 0;
  uint64_t Count = 0;
};

/// Returns the rows of \p Segment, which belongs to a table for \p Loop.
SegmentRows rowsOf(const specrt_sparse_loop &Loop, const specrt_rows_segment &Segment);

} // namespace specrt

#endif
