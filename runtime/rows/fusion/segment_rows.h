//===- runtime/rows/fusion/segment_rows.h - which rows segments have ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_FUSION_SEGMENT_ROWS_H
#define SPECRT_RUNTIME_ROWS_FUSION_SEGMENT_ROWS_H

#include "specrt/rows.h"
#include <cstdint>

namespace specrt {

/// All are among those from First to before End.
struct SegmentRows {
  uint64_t First = UINT64_MAX, End = 0;
  uint64_t Count = 0;
};

/// \p Segment: of a table for \p Site.
SegmentRows rowsOf(const specrt_rows_site &Site, const specrt_rows_segment &Segment);

} // namespace specrt

#endif
