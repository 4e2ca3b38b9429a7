//===- runtime/plans/table_check.cpp - checks tables that were read from files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plans/table_check.h"
#include "runtime/rows/segments.h"

#include <optional>

namespace specrt {
namespace {

/// A set of numbers below \p Size, each of which may be added once.
class RowSet {
public:
  explicit RowSet(uint64_t Size) : Size(Size), Bits(Size / 64 + 1) {}

  /// Adds \p Count numbers: First, First + Step, ... Returns false if one is too large or was added
  /// before.
  bool add(uint64_t First, uint64_t Count, uint64_t Step) {
    if (Step == 0 || Count == 0 || First >= Size || Count - 1 > (Size - 1 - First) / Step)
      return false;
    Added += Count;
    return Step == 1 ? addRun(First, First + Count) : addEach(First, Count, Step);
  }
  bool isFull() const { return Added == Size; }

private:
  bool addEach(uint64_t At, uint64_t Count, uint64_t Step) {
    for (; Count > 0; --Count, At += Step)
      if (!addBits(At / 64, uint64_t{1} << At % 64))
        return false;
    return true;
  }
  bool addRun(uint64_t At, uint64_t End) {
    while (At < End) {
      const uint64_t InWord = std::min<uint64_t>(64 - At % 64, End - At);
      if (!addBits(At / 64, (UINT64_MAX >> (64 - InWord)) << At % 64))
        return false;
      At += InWord;
    }
    return true;
  }
  bool addBits(uint64_t Word, uint64_t Which) {
    const bool AreNew = (Bits[Word] & Which) == 0;
    Bits[Word] |= Which;
    return AreNew;
  }

  const uint64_t Size;
  std::vector<uint64_t> Bits;
  uint64_t Added = 0;
};

class TableCheck {
public:
  TableCheck(const specrt_sparse_loop &Loop, uint64_t Rows) : Loop(Loop), Rows(Rows), Known(Rows) {}

  bool add(const specrt_rows_segment &Segment);
  bool isComplete() const { return Known.isFull(); }
  const RowCounts &counts() const { return Counts; }

private:
  bool isForLoop(const SegmentForm &Form) const;
  bool fitsClass(const specrt_row_class &Class, const int64_t *Trace) const;
  bool fitsLanes(const specrt_row_class &Class, const specrt_rows_segment &Segment) const;
  bool hasTraces(const SegmentForm &Form, const specrt_rows_segment &Segment) const;

  const specrt_sparse_loop &Loop;
  const uint64_t Rows;
  RowSet Known;
  RowCounts Counts;
};

/// Returns whether the loop has code for segments of this kind.
bool TableCheck::isForLoop(const SegmentForm &Form) const {
  if (Form.mayDepend() && Loop.may_depend == SPECRT_ROWS_INDEPENDENT)
    return false;
  if (!Form.Class)
    return true;
  const uint32_t Step = Form.Class->step;
  const bool HasStep = Form.Kind == SPECRT_SEGMENT_WAVEFRONT ? Step == 1 : Step > 0;
  return hasCode(*Form.Class, Form.Kind) && (HasStep || Form.isListed() || Form.hasPattern());
}

/// Returns whether trip counts and branches have the values that the class requires.
bool TableCheck::fitsClass(const specrt_row_class &Class, const int64_t *Trace) const {
  for (uint32_t I = 0; I < Class.num_entries; ++I)
    if (Class.entries[I].kind != SPECRT_ROW_VALUE && Trace[I] != Class.entries[I].number)
      return false;
  return true;
}

/// Returns whether the traces of the first rows of all lanes fit their class. Numbers that follow
/// the row's number must do so equally in all lanes (specrt_row_ties).
bool TableCheck::fitsLanes(const specrt_row_class &Class,
                           const specrt_rows_segment &Segment) const {
  const auto FarFromRow = [&](const int64_t *Record, uint32_t Entry) {
    return static_cast<uint64_t>(Record[1 + Entry]) - static_cast<uint64_t>(Record[0]);
  };
  const int64_t *const FirstLane = Segment.origins;
  for (uint32_t Lane = 0; Lane < SPECRT_ROWS_LANES; ++Lane) {
    const int64_t *Record = FirstLane + uint64_t{Lane} * (1 + uint64_t{Class.num_entries});
    if (!fitsClass(Class, Record + 1))
      return false;
    for (uint32_t I = 0; I < Class.num_entries; ++I) {
      const specrt_row_entry &E = Class.entries[I];
      const uint64_t Far = FarFromRow(Record, I);
      if (((E.ties & SPECRT_ROW_FOLLOWS) && Far != FarFromRow(FirstLane, I)) ||
          ((E.ties & SPECRT_ROW_FOLLOWS) && (E.ties & SPECRT_ROW_BESIDE) &&
           Far != static_cast<uint64_t>(int64_t{E.beside})))
        return false;
    }
  }
  return Segment.first == FirstLane[0];
}

/// Returns whether the origins of a segment have the traces that its class requires.
bool TableCheck::hasTraces(const SegmentForm &Form, const specrt_rows_segment &Segment) const {
  if (Form.Kind == SPECRT_SEGMENT_WAVEFRONT)
    return fitsLanes(*Form.Class, Segment);
  return Form.mayDepend() || !Form.Class || fitsClass(*Form.Class, Segment.origins);
}

bool TableCheck::add(const specrt_rows_segment &Segment) {
  const std::optional<SegmentForm> Form = formOf(Loop, Segment);
  const auto Count = static_cast<uint64_t>(Segment.count);
  if (!Form || !isForLoop(*Form) || Count == 0 ||
      Count > Rows / (Form->hasBlocks() ? Form->Class->step : 1))
    return false;
  uint64_t NumRows = 0;
  const auto Add = [&](uint64_t First, uint64_t Some, uint64_t Step) {
    NumRows += Some;
    return Known.add(First, Some, Step);
  };
  if (!forEachRun(Loop, *Form, Segment, Add) || !hasTraces(*Form, Segment))
    return false;
  Counts.RowsInClasses += Form->Class ? NumRows : 0;
  Counts.RowsInBlocks += Form->hasBlocks() ? NumRows : 0;
  const bool IsInLanes =
      Form->Kind == SPECRT_SEGMENT_WAVEFRONT || Form->Kind == SPECRT_SEGMENT_PATTERN_GROUPS;
  Counts.RowsInLanes += IsInLanes ? NumRows : 0;
  return true;
}

/// Returns whether the values ascend, not strictly, from 0 to \p Last.
template <typename List, typename Of>
bool ascends(const List &Values, uint64_t Last, const Of &Value) {
  uint64_t Before = 0;
  for (const auto &Each : Values) {
    if (Value(Each) < Before)
      return false;
    Before = Value(Each);
  }
  return !Values.empty() && Value(Values.front()) == 0 && Before == Last;
}

} // namespace

bool haveAllRows(const specrt_sparse_loop &Loop, uint64_t Rows, const RowTable &T,
                 RowCounts &Counts) {
  TableCheck Check(Loop, Rows);
  for (const specrt_rows_segment &Segment : T.Segments)
    if (!Check.add(Segment))
      return false;
  Counts = Check.counts();
  return Check.isComplete();
}

bool canBeShared(const RowSharing::Plan &Plan, uint64_t NumSegments) {
  const auto &[Strips, Chunks, Waits, FirstSegment, NumCounters] = Plan;
  if (Strips.size() < 2 || NumCounters >= Strips.size() || FirstSegment.size() != Chunks.size() ||
      !ascends(Chunks, Waits.size(), [](const RowSchedule::Chunk &C) { return C.FirstWait; }) ||
      !ascends(Strips, Chunks.size() - 1,
               [](const RowSchedule::Strip &S) { return S.FirstChunk; }) ||
      !ascends(FirstSegment, NumSegments, [](uint64_t Segment) { return Segment; }))
    return false;
  std::vector<uint32_t> Done(NumCounters);
  for (size_t S = 0; S + 1 < Strips.size(); ++S) {
    if (Strips[S].Counter >= NumCounters)
      return false;
    for (uint32_t C = Strips[S].FirstChunk; C < Strips[S + 1].FirstChunk; ++C) {
      for (uint32_t W = Chunks[C].FirstWait; W < Chunks[C + 1].FirstWait; ++W)
        if (Waits[W].Counter >= NumCounters || Done[Waits[W].Counter] < Waits[W].Least)
          return false;
      ++Done[Strips[S].Counter];
    }
  }
  return true;
}

} // namespace specrt
