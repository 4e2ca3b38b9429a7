//===- runtime/rows/fusion/segment_rows.cpp - the rows of segments --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"
#include "runtime/rows/segments.h"

#include <algorithm>

namespace specrt {

SegmentRows rowsOf(const specrt_sparse_loop &Loop, const specrt_rows_segment &Segment) {
  SegmentRows Result;
  if (const std::optional<SegmentForm> Form = formOf(Loop, Segment))
    forEachRun(Loop, *Form, Segment, [&](uint64_t First, uint64_t Count, uint64_t Step) {
      Result.First = std::min(Result.First, First);
      Result.End = std::max(Result.End, First + (Count - 1) * Step + 1);
      Result.Count += Count;
      return true;
    });
  return Result;
}

} // namespace specrt
