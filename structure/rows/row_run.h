//===- structure/rows/row_run.h - runs of rows that differ by constant amounts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two rows of equal control define the growth of row numbers and values; the next row belongs to
// the run if it is as this growth predicts.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_RUN_H
#define SPECRT_STRUCTURE_ROWS_ROW_RUN_H

#include "structure/rows/row_class_table.h"
#include "structure/rows/row_pattern.h"

namespace specrt {

class RowRun {
public:
  int64_t first() const { return First; }
  int64_t count() const { return Count; }
  /// Returns the common properties of its rows, with the trace of the row after the last. Requires
  /// two rows.
  RowView view() const {
    return {.Kinds = Kinds.data(),
            .Trace = Next.data(),
            .Delta = Delta.data(),
            .Entries = Kinds.size(),
            .Step = static_cast<uint32_t>(Step),
            .Row = Last + Step,
            .Apart = HasNeighbour ? Apart.data() : nullptr};
  }
  /// Sets Apart from \p Before, the run of the row before this one, when this run has just become a
  /// pair.
  void compareWith(const RowRun &Before) {
    HasNeighbour = Before.Count >= 2 && Before.Last == Last - 1 && Before.Step == Step &&
                   Before.Kinds == Kinds && Before.Delta == Delta;
    if (!HasNeighbour)
      return;
    Apart.resize(Kinds.size());
    for (size_t I = 0; I < Kinds.size(); ++I)
      Apart[I] = Next[I] - Before.Next[I];
    // All rows of a run have the same control.
    for (size_t I = 0; I < Kinds.size(); ++I)
      HasNeighbour &= Kinds[I] == EntryKind::Value || Apart[I] == 0;
  }
  /// Appends the trace of the first row to \p To.
  void appendOrigins(std::vector<int64_t> &To) const {
    for (size_t I = 0; I < Kinds.size(); ++I)
      To.push_back(static_cast<int64_t>(Next[I] - static_cast<uint64_t>(Count) * Delta[I]));
  }

  /// Adds the row if it is the predicted one; otherwise returns false.
  bool extend(int64_t Row, const EntryKind *RowKinds, const int64_t *Trace, size_t Entries) {
    if (Count < 2 || Row - Last != Step || Kinds.size() != Entries ||
        !sameTrace(Trace, Next.data(), Entries) || !sameKinds(RowKinds, Kinds.data(), Entries))
      return false;
    for (size_t I = 0; I < Entries; ++I)
      Next[I] += Delta[I];
    Last = Row;
    ++Count;
    return true;
  }

  /// Becomes the run of its last row and this one, if they have equal control.
  bool pair(int64_t Row, const EntryKind *RowKinds, const int64_t *Trace, size_t Entries) {
    if (Count == 0 || Kinds.size() != Entries || Row - Last > UINT32_MAX ||
        !sameKinds(RowKinds, Kinds.data(), Entries))
      return false;
    for (size_t I = 0; I < Entries; ++I)
      if (RowKinds[I] != EntryKind::Value && static_cast<uint64_t>(Trace[I]) != Next[I])
        return false; // all rows of a run have this control
    for (size_t I = 0; I < Entries; ++I) {
      const auto Now = static_cast<uint64_t>(Trace[I]);
      Delta[I] = Now - (Next[I] - Delta[I]);
      Next[I] = Now + Delta[I];
    }
    First = Last;
    Step = Row - Last;
    Last = Row;
    Count = 2;
    HasNeighbour = false;
    return true;
  }

  /// Becomes the run of this row alone.
  void start(int64_t Row, const EntryKind *RowKinds, const int64_t *Trace, size_t Entries) {
    First = Last = Row;
    Count = 1;
    Kinds.assign(RowKinds, RowKinds + Entries);
    Next.assign(Trace, Trace + Entries);
    Delta.assign(Entries, 0);
  }
  void clear() { Count = 0; }

private:
  int64_t First = 0, Last = 0, Step = 0, Count = 0;
  std::vector<EntryKind> Kinds;
  std::vector<uint64_t> Next, Delta; // in a run of one row: the row itself, and 0
  std::vector<uint64_t> Apart;       // valid if HasNeighbour
  bool HasNeighbour = false;
};

} // namespace specrt

#endif
