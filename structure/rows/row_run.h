//===- structure/rows/row_run.h - rows that two rows foresee --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two rows of equal control say by how much rows and values grow; as long as the next row is what
// that foresees, it belongs to the run.
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
  /// What its rows have in common; its trace is the one after its last row. It has two rows.
  RowView view() const {
    return {.Kinds = Kinds.data(),
            .Trace = Next.data(),
            .Delta = Delta.data(),
            .Entries = Kinds.size(),
            .Step = static_cast<uint32_t>(Step),
            .Row = Last + Step,
            .Apart = HasNeighbour ? Apart.data() : nullptr};
  }
  /// It has just become a pair, and \p Before is the run of the row before this one.
  void compareWith(const RowRun &Before) {
    HasNeighbour = Before.Count >= 2 && Before.Last == Last - 1 && Before.Step == Step &&
                   Before.Kinds == Kinds && Before.Delta == Delta;
    if (!HasNeighbour)
      return;
    Apart.resize(Kinds.size());
    for (size_t I = 0; I < Kinds.size(); ++I)
      Apart[I] = Next[I] - Before.Next[I];
    // All rows of a run have its control.
    for (size_t I = 0; I < Kinds.size(); ++I)
      HasNeighbour &= Kinds[I] == EntryKind::Value || Apart[I] == 0;
  }
  /// The trace of its first row goes to the end of \p To.
  void appendOrigins(std::vector<int64_t> &To) const {
    for (size_t I = 0; I < Kinds.size(); ++I)
      To.push_back(static_cast<int64_t>(Next[I] - static_cast<uint64_t>(Count) * Delta[I]));
  }

  /// Adds the row if it is the one foreseen.
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
  std::vector<uint64_t> Next, Delta; // of one row alone: the row itself, and 0
  std::vector<uint64_t> Apart;       // where there is a neighbour
  bool HasNeighbour = false;
};

} // namespace specrt

#endif
