//===- structure/rows/row_cover.cpp - covers all rows by segments ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_cover.h"

#include <algorithm>
#include <bit>

namespace specrt {
namespace {

/// A set of rows, one bit per row.
class RowSet {
public:
  explicit RowSet(int64_t Rows) : Rows(Rows), Words(static_cast<size_t>(Rows) / 64 + 1) {}

  void add(const RowSegment &Segment) {
    if (Segment.RowStep == 1)
      return addRange(Segment.First, Segment.First + Segment.Count);
    for (int64_t K = 0; K < Segment.Count; ++K)
      add(Segment.First + K * Segment.RowStep);
  }

  /// Returns the first row from \p From on whose membership is \p InSet; Rows if there is none.
  int64_t next(int64_t From, bool InSet) const {
    while (From < Rows) {
      const uint64_t Word = Words[static_cast<size_t>(From) / 64];
      const uint64_t Left = (InSet ? Word : ~Word) >> (From % 64);
      if (Left)
        return std::min(Rows, From + std::countr_zero(Left));
      From = (From / 64 + 1) * 64;
    }
    return Rows;
  }

private:
  void add(int64_t Row) { Words[static_cast<size_t>(Row) / 64] |= uint64_t{1} << (Row % 64); }
  void addRange(int64_t From, int64_t To) {
    for (; From < To && From % 64; ++From)
      add(From);
    for (; From + 64 <= To; From += 64)
      Words[static_cast<size_t>(From) / 64] = ~uint64_t{0};
    for (; From < To; ++From)
      add(From);
  }

  int64_t Rows;
  std::vector<uint64_t> Words;
};

class Cover {
public:
  Cover(RowStructure &To, const RowSegments &Loaded) : To(To), Loaded(Loaded) {}

  /// Fills rows From .. End - 1, which are in no exact segment. Calls must be in ascending order.
  void fill(int64_t From, int64_t End) {
    for (; NextLoaded < Loaded.Segments.size() && From < End; ++NextLoaded) {
      const RowSegment &Segment = Loaded.Segments[NextLoaded];
      const int64_t SegmentEnd = Segment.First + Segment.Count;
      const int64_t Begin = std::max(From, Segment.First), Stop = std::min(End, SegmentEnd);
      if (Begin < Stop && Stop - Begin >= To.Classes[Segment.Class].MinRows) {
        addRest(From, Begin);
        addLoaded(Segment, Begin, Stop - Begin);
        From = Stop;
      }
      if (SegmentEnd > End)
        break; // the segment continues behind the rows that follow
    }
    addRest(From, End);
  }

private:
  void addRest(int64_t From, int64_t End) {
    if (From < End)
      To.Segments.push_back({RestClass, From, 1, End - From, 0});
  }
  void addLoaded(const RowSegment &Segment, int64_t First, int64_t Count) {
    To.Segments.push_back({Segment.Class, First, 1, Count, To.Origins.size()});
    const RowClass &Class = To.Classes[Segment.Class];
    for (size_t I = 0; I < Class.entries(); ++I)
      To.Origins.push_back(
          static_cast<int64_t>(static_cast<uint64_t>(Loaded.Origins[Segment.Origins + I]) +
                               static_cast<uint64_t>(Class.Deltas[I].value_or(0)) *
                                   static_cast<uint64_t>(First - Segment.First)));
  }

  RowStructure &To;
  const RowSegments &Loaded;
  size_t NextLoaded = 0;
};

} // namespace

void coverRows(RowStructure &To, RowSegments Exact, const RowSegments &Loaded) {
  RowSet Covered(To.Rows);
  for (const RowSegment &Segment : Exact.Segments)
    Covered.add(Segment);
  To.Segments = std::move(Exact.Segments);
  To.Origins = std::move(Exact.Origins);
  Cover Filled(To, Loaded);
  for (int64_t From = 0; (From = Covered.next(From, false)) < To.Rows;) {
    const int64_t End = Covered.next(From, true);
    Filled.fill(From, End);
    From = End;
  }
  std::sort(To.Segments.begin(), To.Segments.end(),
            [](const RowSegment &A, const RowSegment &B) { return A.First < B.First; });
  countRows(To);
}

} // namespace specrt
