//===- runtime/rows/fusion/segment_rows.cpp - the rows of segments --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"
#include "runtime/rows/segment_form.h"

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
  const std::optional<SegmentKind> Kind = segmentKind(Loop, Segment.class_number);
  if (!Kind)
    return {};
  const uint64_t Step = Kind->Class ? Kind->Class->step : 1;
  const auto [Records, Words] = originLayout(Loop, *Kind, Count);
  switch (Kind->Form) {
  case SegmentForm::Rest:
  case SegmentForm::Rows:
    return {.First = First, .End = First + (Count - 1) * Step + 1, .Count = Count};
  case SegmentForm::Blocks:
  case SegmentForm::BlocksInOrder:
    return {.First = First, .End = First + Count * Step, .Count = Count * Step};
  case SegmentForm::Lanes:
    return listed(Segment.origins, Records, Words, Count);
  case SegmentForm::Listed:
  case SegmentForm::ListedRest:
  case SegmentForm::Groups:
  case SegmentForm::ByPattern:
    break;
  }
  if (hasNarrowOrigins(Loop, *Kind))
    return listed(reinterpret_cast<const uint32_t *>(Segment.origins), Records, Words, 1);
  return listed(Segment.origins, Records, Words, 1);
}

} // namespace specrt
