//===- runtime/rows/fusion/segment_rows.cpp - which rows segments have ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"

#include <algorithm>
#include <span>

namespace specrt {
namespace {

/// By class number (specrt/rows.h), where it is a multiple of the number of classes.
enum Form { Rows, Listed, Lanes, Blocks, BlocksInOrder, Groups, ByPattern };

void add(SegmentRows &To, uint64_t First, uint64_t Count) {
  To.First = std::min(To.First, First);
  To.End = std::max(To.End, First + Count);
  To.Count += Count;
}

/// \p Numbers has that of a row at every \p Stride, \p Count times; behind each lie \p Following.
template <typename Number>
SegmentRows listed(const Number *Numbers, uint64_t Count, uint64_t Stride, uint64_t Following) {
  SegmentRows Result;
  for (uint64_t I = 0; I < Count; ++I)
    add(Result, static_cast<uint64_t>(Numbers[I * Stride]), Following);
  return Result;
}

SegmentRows listedIn(const specrt_rows_site &Site, const specrt_rows_segment &Segment) {
  const auto Count = static_cast<uint64_t>(Segment.count);
  const uint64_t Stride = 1 + uint64_t{Site.num_carried};
  if (Site.may_wait == SPECRT_ROWS_LISTED_IN_32_BITS)
    return listed(reinterpret_cast<const uint32_t *>(Segment.origins), Count, Stride, 1);
  return listed(Segment.origins, Count, Stride, 1);
}

uint64_t givenOf(const specrt_row_class &Class) {
  const std::span Entries(Class.entries, Class.num_entries);
  return static_cast<uint64_t>(
      std::count_if(Entries.begin(), Entries.end(),
                    [](const specrt_row_entry &E) { return E.ties & SPECRT_ROW_GIVEN; }));
}

} // namespace

SegmentRows rowsOf(const specrt_rows_site &Site, const specrt_rows_segment &Segment) {
  const auto First = static_cast<uint64_t>(Segment.first);
  const auto Count = static_cast<uint64_t>(Segment.count);
  if (Segment.class_number == SPECRT_ROWS_REST)
    return {.First = First, .End = First + Count, .Count = Count};
  if (Segment.class_number == SPECRT_ROWS_LISTED_REST)
    return listedIn(Site, Segment);
  const specrt_row_class &Class = Site.classes[Segment.class_number % Site.num_classes];
  const uint64_t Step = Class.step;
  switch (static_cast<Form>(Segment.class_number / Site.num_classes)) {
  case Rows:
    return {.First = First, .End = First + (Count - 1) * Step + 1, .Count = Count};
  case Listed:
    return listedIn(Site, Segment);
  case Lanes:
    return listed(Segment.origins, SPECRT_ROWS_LANES, 1 + uint64_t{Class.num_entries}, Count);
  case Blocks:
  case BlocksInOrder:
    return {.First = First, .End = First + Count * Step, .Count = Count * Step};
  case Groups:
    return listed(Segment.origins, Count * SPECRT_ROWS_LANES, 1 + givenOf(Class), 1);
  case ByPattern:
    return listed(Segment.origins, Count, 1 + givenOf(Class), 1);
  }
  return {};
}

} // namespace specrt
