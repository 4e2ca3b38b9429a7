//===- structure/levels/level_cutter.h - cuts one level into segments -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a level are taken in ascending order. Runs of them lie as far apart as their values
// do; those that are long enough and have a class are segments, the rows between them are rest.
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

  /// Calls Found(Run) for each run that is long enough, and Left(Row) for each row that is in none
  /// or in one for which Found says false.
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

  /// Appends the segments of a level to \p To, whose \p Classes are in the table by their index.
  /// Returns what they take.
  double cut(RowStructure &To, const RowClassTable &Classes, std::span<const int64_t> RowsOfLevel);
  double originalCycles(std::span<const int64_t> Of) const;

private:
  void setRows(std::span<const int64_t> RowsOfLevel);

  const TraceLog &Log;
  const RowCosts &Costs;
  const MinRowsTable MinRowsOf;
  RowRun Run;
  int64_t MinRows = 0; // of a run of two rows and more
  std::vector<int64_t> Trace;
  std::vector<int64_t> Rows; // of the level, in the order in which they are taken
  std::vector<size_t> Next;  // per layout, where its next row comes in Rows
  std::vector<int64_t> Rest;
};

} // namespace specrt

#endif
