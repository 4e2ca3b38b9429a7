//===- structure/rows/row_assignment.h - cuts rows into segments of given classes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With step b there are b interleaved sequences of rows, the phases. In each, a *run* grows as long
// as rows are as the run's class predicts, which is the fast path. Runs of rows with loaded values
// grow at the same time, from rows that are not certain to be in another run.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_ASSIGNMENT_H
#define SPECRT_STRUCTURE_ROWS_ROW_ASSIGNMENT_H

#include "structure/rows/row_cover.h"
#include "structure/rows/row_miner.h"
#include "structure/rows/row_pattern.h"

namespace specrt {

class RowAssignment {
public:
  RowAssignment(std::vector<RowClass> Classes, const RowMinerOptions &Options);

  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    Run &R = Phases[Phase];
    Last = &R;
    Phase = Phase + 1 == Step ? 0 : Phase + 1;
    if (R.Of && R.Of->entries() == Entries && sameTrace(Trace, R.Next.data(), Entries) &&
        sameKinds(Kinds, R.Of->Kinds.data(), Entries)) [[likely]] {
      R.Of->advance(R.Next.data());
      if (++R.Count < R.Of->MinRows)
        addLoaded(Kinds, Trace, Entries);
    } else if (!GivenUp) {
      begin(R, Kinds, Trace, Entries);
      addLoaded(Kinds, Trace, Entries);
    }
    ++Row;
  }
  /// Adds \p Rows rows, each of which continues the run of its sequence, see settled().
  void skip(uint64_t Rows);
  /// Returns the class of the run of the row added last, if the run is long enough to be kept;
  /// otherwise null.
  const RowPattern *settled() const {
    return Last->Of && Last->Count >= Last->Of->MinRows ? Last->Of : nullptr;
  }
  /// Returns the class of that run if it has at least three rows. If there are classes with loaded
  /// values, only if it is long enough, as its first rows may belong to those.
  const RowPattern *begun() const {
    return Last->Count >= 3 && (WithLoaded.empty() || settled()) ? Last->Of : nullptr;
  }
  uint32_t step() const { return Step; }
  bool givenUp() const { return GivenUp; }
  RowStructure finish();

private:
  struct Run {
    const RowPattern *Of = nullptr; // null: at most one row, with Kinds and Next
    size_t Entries = 0;             // 0: no row
    int64_t First = 0, Count = 0;
    std::vector<uint64_t> Next;
    std::vector<EntryKind> Kinds;
  };

  void begin(Run &R, const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  void end(Run &R, RowSegments &To);
  void addLoaded(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  void checkMemory();

  std::vector<RowClass> Classes;
  const size_t MaxEntries, MaxBytes;
  const uint32_t Step;
  const RowPatterns Exact, WithLoaded;
  std::vector<Run> Phases;
  size_t Phase = 0;
  const Run *Last = Phases.data(); // run of the row added last
  int64_t Row = 0;
  Run LoadedRun;
  RowSegments ExactSegments, LoadedSegments;
  bool GivenUp = false;
};

} // namespace specrt

#endif
