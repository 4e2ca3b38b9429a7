//===- runtime/rows/segments.h - makes and decodes segments of rows -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A segment names the code that runs it by a kind and a class (enum specrt_segment_kind). Both
// together determine its rows, the layout of its origins, and the list of the table that contains
// them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_SEGMENTS_H
#define SPECRT_RUNTIME_ROWS_SEGMENTS_H

#include "specrt/rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace specrt {

inline constexpr uint32_t NumSegmentKinds = SPECRT_SEGMENT_PATTERN_ROWS + 1;

/// Returns whether there is code for rows of the class in segments of this kind.
constexpr bool hasCode(const specrt_row_class &Class, specrt_segment_kind Kind) {
  return (Class.segment_kinds & SPECRT_SEGMENT_BIT(Kind)) != 0;
}

/// The code for new segments.
struct SegmentCode {
  specrt_segment_kind Kind;
  uint32_t ClassIndex = 0; ///< 0 for kinds without a class

  bool runs(const specrt_rows_segment &Segment) const {
    return Segment.kind == static_cast<uint32_t>(Kind) && Segment.class_index == ClassIndex;
  }
  /// Returns a segment for this code. The meaning of the arguments depends on the kind.
  specrt_rows_segment segment(const int64_t *Origins, int64_t First, int64_t Count) const {
    return {.origins = Origins,
            .first = First,
            .count = Count,
            .kind = static_cast<uint32_t>(Kind),
            .class_index = ClassIndex};
  }
};

/// The decoded code of a segment.
struct SegmentForm {
  specrt_segment_kind Kind;
  const specrt_row_class *Class; ///< null for kinds without a class

  bool isListed() const {
    return Kind == SPECRT_SEGMENT_LISTED || Kind == SPECRT_SEGMENT_LISTED_AS_WRITTEN;
  }
  bool hasBlocks() const {
    return Kind == SPECRT_SEGMENT_REGISTER_BLOCKS || Kind == SPECRT_SEGMENT_STREAMED_BLOCKS;
  }
  bool hasPattern() const {
    return Kind == SPECRT_SEGMENT_PATTERN_GROUPS || Kind == SPECRT_SEGMENT_PATTERN_ROWS;
  }
  /// Returns whether these rows may depend on rows of other segments.
  bool mayDepend() const { return isListed() || hasPattern() || Kind == SPECRT_SEGMENT_WAVEFRONT; }
};

/// Origins are \p Records records of \p Words numbers each. The first number of a record is a row's
/// number, unless there is a single record and the kind has no lists.
struct OriginLayout {
  uint64_t Records, Words;
};

/// Returns nothing if there is no such kind, or \p Loop has no such class.
inline std::optional<SegmentForm> formOf(const specrt_sparse_loop &Loop,
                                         const specrt_rows_segment &Segment) {
  if (Segment.kind >= NumSegmentKinds)
    return std::nullopt;
  const auto Kind = static_cast<specrt_segment_kind>(Segment.kind);
  const bool HasClass = SPECRT_SEGMENT_HAS_CLASS(Kind);
  if (Segment.class_index >= (HasClass ? Loop.num_classes : 1))
    return std::nullopt;
  return SegmentForm{Kind, HasClass ? &Loop.classes[Segment.class_index] : nullptr};
}

/// Returns the layout. \p Count is that of a segment, and small enough for Count *
/// SPECRT_ROWS_LANES.
inline OriginLayout originLayout(const specrt_sparse_loop &Loop, const SegmentForm &Form,
                                 uint64_t Count) {
  const auto Given = [&] {
    return static_cast<uint64_t>(
        std::count_if(Form.Class->entries, Form.Class->entries + Form.Class->num_entries,
                      [](const specrt_row_entry &E) { return E.ties & SPECRT_ROW_GIVEN; }));
  };
  switch (Form.Kind) {
  case SPECRT_SEGMENT_AFFINE:
  case SPECRT_SEGMENT_REGISTER_BLOCKS:
  case SPECRT_SEGMENT_STREAMED_BLOCKS:
    return {1, Form.Class->num_entries};
  case SPECRT_SEGMENT_LISTED_AS_WRITTEN:
  case SPECRT_SEGMENT_LISTED:
    return {Count, 1 + uint64_t{Loop.num_carried}};
  case SPECRT_SEGMENT_WAVEFRONT:
    return {SPECRT_ROWS_LANES, 1 + uint64_t{Form.Class->num_entries}};
  case SPECRT_SEGMENT_PATTERN_GROUPS:
    return {Count * SPECRT_ROWS_LANES, 1 + Given()};
  case SPECRT_SEGMENT_PATTERN_ROWS:
    return {Count, 1 + Given()};
  case SPECRT_SEGMENT_AS_WRITTEN:
    break;
  }
  return {1, Loop.num_carried};
}

/// Returns whether the origins of this segment have 32 bits.
inline bool hasNarrowOrigins(const specrt_sparse_loop &Loop, const SegmentForm &Form) {
  return Form.isListed() && Loop.may_depend == SPECRT_ROWS_LISTED_IN_32_BITS;
}

/// Calls \p Visit(First, Count, Step) for runs of rows First, First + Step, ... that are together
/// the rows of \p Segment, until it returns false. Returns whether it always returned true. The
/// rows of all blocks must be fewer than 2^64.
template <typename Visitor>
bool forEachRun(const specrt_sparse_loop &Loop, const SegmentForm &Form,
                const specrt_rows_segment &Segment, const Visitor &Visit) {
  const auto First = static_cast<uint64_t>(Segment.first),
             Count = static_cast<uint64_t>(Segment.count);
  const auto [Records, Words] = originLayout(Loop, Form, Count);
  const auto ForEachRecord = [&, Records = Records, Words = Words](const auto *Origins,
                                                                   uint64_t RowsOfEach) {
    for (uint64_t I = 0; I < Records; ++I)
      if (!Visit(static_cast<uint64_t>(Origins[I * Words]), RowsOfEach, uint64_t{1}))
        return false;
    return true;
  };
  switch (Form.Kind) {
  case SPECRT_SEGMENT_AS_WRITTEN:
    return Visit(First, Count, uint64_t{1});
  case SPECRT_SEGMENT_AFFINE:
    return Visit(First, Count, uint64_t{Form.Class->step});
  case SPECRT_SEGMENT_REGISTER_BLOCKS:
  case SPECRT_SEGMENT_STREAMED_BLOCKS:
    return Visit(First, Count * Form.Class->step, uint64_t{1});
  case SPECRT_SEGMENT_WAVEFRONT:
    return ForEachRecord(Segment.origins, Count);
  case SPECRT_SEGMENT_LISTED_AS_WRITTEN:
  case SPECRT_SEGMENT_LISTED:
  case SPECRT_SEGMENT_PATTERN_GROUPS:
  case SPECRT_SEGMENT_PATTERN_ROWS:
    break;
  }
  return hasNarrowOrigins(Loop, Form)
             ? ForEachRecord(reinterpret_cast<const uint32_t *>(Segment.origins), 1)
             : ForEachRecord(Segment.origins, 1);
}

} // namespace specrt

#endif
