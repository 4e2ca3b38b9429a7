//===- structure/levels/level_cutter.h - cuts one level into segments -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the rows of a level in ascending order. The rows of a run differ by constant steps in
// number and values; runs that are long enough and have a class become segments, the rows between
// them rest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_LEVEL_CUTTER_H
#define SPECRT_STRUCTURE_LEVELS_LEVEL_CUTTER_H

#include "structure/levels/trace_log.h"
#include "structure/rows/row_candidates.h"

#include <span>

namespace specrt {

/// Appends segments of RestClass for \p Rows, which are ascending.
void addRest(RowStructure &To, std::span<const int64_t> Rows);

class LevelCutter {
public:
  LevelCutter(const TraceLog &Log, const RowMinerOptions &Options);

  /// Calls Found(Run) for each run that is long enough, and Left(Row) for each row outside of runs
  /// and for the rows of a run for which Found returns false.
  template <typename FoundFunction, typename LeftFunction>
  void walk(std::span<const int64_t> RowsOfLevel, FoundFunction Found, LeftFunction Left) {
    setRows(RowsOfLevel);
    size_t Begin = 0; // of the run
    const auto Leave = [&](size_t End) {
      for (; Begin < End; ++Begin)
        Left(Rows[Begin]);
    };
    const auto Take = [&](size_t End) {
      if (Run.count() < 2 || Run.count() < MinRows || !Found(Run))
        return;
      Run.clear();
      Begin = End;
    };
    Run.clear();
    for (size_t At = 0; At < Rows.size(); ++At) {
      const std::vector<EntryKind> &Kinds = Log.kinds(Rows[At]);
      Log.trace(Rows[At], Trace.data());
      if (Run.extend(Rows[At], Kinds.data(), Trace.data(), Kinds.size()))
        continue;
      Take(At);
      if (Run.pair(Rows[At], Kinds.data(), Trace.data(), Kinds.size())) {
        Leave(At - 1);
        const RowView View = Run.view();
        MinRows = MinRowsOf(View.values(), View.Step);
        continue;
      }
      Leave(At);
      if (Kinds.empty())
        Run.clear();
      else
        Run.start(Rows[At], Kinds.data(), Trace.data(), Kinds.size());
    }
    Take(Rows.size());
    Leave(Rows.size());
  }

  /// Appends the segments of a level to \p To. \p Classes contains the classes of \p To under their
  /// index. Returns their cost in cycles.
  double cut(RowStructure &To, const RowClassTable &Classes, std::span<const int64_t> RowsOfLevel);
  double originalCycles(std::span<const int64_t> Of) const;

private:
  void setRows(std::span<const int64_t> RowsOfLevel);

  const TraceLog &Log;
  const RowCosts &Costs;
  const MinRowsTable MinRowsOf;
  RowRun Run;
  int64_t MinRows = 0; // of a run of at least two rows
  std::vector<int64_t> Trace;
  std::vector<int64_t> Rows; // rows of the level, in the order in which they are taken
  std::vector<size_t> Next;  // per layout, position in Rows of its next row
  std::vector<int64_t> Rest;
};

} // namespace specrt

#endif
