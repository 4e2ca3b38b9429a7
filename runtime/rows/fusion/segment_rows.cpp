//===- runtime/rows/fusion/segment_rows.cpp - the rows of segments --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"
#include "runtime/rows/segments.h"

#include <algorithm>

namespace specrt {
namespace {

void add(SegmentRows &To, uint64_t First, uint64_t Count) {
  To.First = std::min(To.First, First);
  To.End = std::max(To.End, First + Count);
  To.Count += Count;
}

/// Returns the rows of a list: \p Count numbers, \p Stride apart, each followed by \p Following
/// more rows.
template <typename Number>
SegmentRows listed(const Number *Numbers, uint64_t Count, uint64_t Stride, uint64_t Following) {
  SegmentRows Result;
  for (uint64_t I = 0; I < Count; ++I)
    add(Result, static_cast<uint64_t>(Numbers[I * Stride]), Following);
  return Result;
}

} // namespace

SegmentRows rowsOf(const specrt_sparse_loop &Loop, const specrt_rows_segment &Segment) {
  const auto First = static_cast<uint64_t>(Segment.first);
  const auto Count = static_cast<uint64_t>(Segment.count);
  const std::optional<SegmentForm> Form = formOf(Loop, Segment);
  if (!Form)
    return {};
  const uint64_t Step = Form->Class ? Form->Class->step : 1;
  const auto [Records, Words] = originLayout(Loop, *Form, Count);
  switch (Form->Kind) {
  case SPECRT_SEGMENT_AS_WRITTEN:
  case SPECRT_SEGMENT_AFFINE:
    return {.First = First, .End = First + (Count - 1) * Step + 1, .Count = Count};
  case SPECRT_SEGMENT_REGISTER_BLOCKS:
  case SPECRT_SEGMENT_STREAMED_BLOCKS:
    return {.First = First, .End = First + Count * Step, .Count = Count * Step};
  case SPECRT_SEGMENT_WAVEFRONT:
    return listed(Segment.origins, Records, Words, Count);
  case SPECRT_SEGMENT_LISTED:
  case SPECRT_SEGMENT_LISTED_AS_WRITTEN:
  case SPECRT_SEGMENT_PATTERN_GROUPS:
  case SPECRT_SEGMENT_PATTERN_ROWS:
    break;
  }
  if (hasNarrowOrigins(Loop, *Form))
    return listed(reinterpret_cast<const uint32_t *>(Segment.origins), Records, Words, 1);
  return listed(Segment.origins, Records, Words, 1);
}

} // namespace specrt
