//===- runtime/rows/segment_form.h - decodes the class numbers of segments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class number of a segment determines its rows, the layout of its origins, and the list of the
// table that contains them (specrt/rows.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_SEGMENT_FORM_H
#define SPECRT_RUNTIME_ROWS_SEGMENT_FORM_H

#include "specrt/rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace specrt {

/// Class numbers of the first seven are `form * num_classes + class`.
enum class SegmentForm : uint8_t {
  Rows,
  Listed,
  Lanes,
  Blocks,
  BlocksInOrder,
  Groups,
  ByPattern,
  Rest,
  ListedRest
};

struct SegmentKind {
  SegmentForm Form;
  const specrt_row_class *Class; ///< null for Rest and ListedRest

  bool isListed() const { return Form == SegmentForm::Listed || Form == SegmentForm::ListedRest; }
  bool hasPattern() const { return Form == SegmentForm::Groups || Form == SegmentForm::ByPattern; }
  /// Returns whether these rows may depend on rows of other segments.
  bool mayDepend() const { return isListed() || hasPattern() || Form == SegmentForm::Lanes; }
};

/// Origins are \p Records records of \p Words numbers each. The first number of a record is a row's
/// number, unless there is a single record and the form has no lists.
struct OriginLayout {
  uint64_t Records, Words;
};

/// Returns nothing if no segment of \p Loop has this number.
inline std::optional<SegmentKind> segmentKind(const specrt_sparse_loop &Loop,
                                              uint32_t ClassNumber) {
  if (ClassNumber == SPECRT_ROWS_REST)
    return SegmentKind{SegmentForm::Rest, nullptr};
  if (ClassNumber == SPECRT_ROWS_LISTED_REST)
    return SegmentKind{SegmentForm::ListedRest, nullptr};
  if (Loop.num_classes == 0 || ClassNumber / Loop.num_classes >= uint32_t(SegmentForm::Rest))
    return std::nullopt;
  return SegmentKind{static_cast<SegmentForm>(ClassNumber / Loop.num_classes),
                     &Loop.classes[ClassNumber % Loop.num_classes]};
}

/// Returns the layout. \p Count is that of a segment, and small enough for Count *
/// SPECRT_ROWS_LANES.
inline OriginLayout originLayout(const specrt_sparse_loop &Loop, const SegmentKind &Kind,
                                 uint64_t Count) {
  const auto Given = [&] {
    return static_cast<uint64_t>(
        std::count_if(Kind.Class->entries, Kind.Class->entries + Kind.Class->num_entries,
                      [](const specrt_row_entry &E) { return E.ties & SPECRT_ROW_GIVEN; }));
  };
  switch (Kind.Form) {
  case SegmentForm::Rows:
  case SegmentForm::Blocks:
  case SegmentForm::BlocksInOrder:
    return {1, Kind.Class->num_entries};
  case SegmentForm::Listed:
  case SegmentForm::ListedRest:
    return {Count, 1 + uint64_t{Loop.num_carried}};
  case SegmentForm::Lanes:
    return {SPECRT_ROWS_LANES, 1 + uint64_t{Kind.Class->num_entries}};
  case SegmentForm::Groups:
    return {Count * SPECRT_ROWS_LANES, 1 + Given()};
  case SegmentForm::ByPattern:
    return {Count, 1 + Given()};
  case SegmentForm::Rest:
    break;
  }
  return {1, Loop.num_carried};
}

/// Returns whether the origins of this segment have 32 bits.
inline bool hasNarrowOrigins(const specrt_sparse_loop &Loop, const SegmentKind &Kind) {
  return Kind.isListed() && Loop.may_depend == SPECRT_ROWS_LISTED_IN_32_BITS;
}

} // namespace specrt

#endif
