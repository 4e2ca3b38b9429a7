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

  /// Calls Found(Run, Part) for each run that is long enough. The parts of \p Rows are ascending
  /// and disjoint.
  template <typename FoundFunction> void walk(std::span<const int64_t> Rows, FoundFunction Found) {
    size_t Begin = 0; // of the run
    Run.clear();
    const auto End = [&](size_t At) {
      if (Run.count() >= 2 && Run.count() >= MinRows) {
        Found(Run, Rows.subspan(Begin, At - Begin));
        Run.clear();
      }
    };
    for (size_t At = 0; At < Rows.size(); ++At) {
      const std::vector<EntryKind> &Kinds = Log.kinds(Rows[At]);
      Log.trace(Rows[At], Trace.data());
      if (Run.extend(Rows[At], Kinds.data(), Trace.data(), Kinds.size()))
        continue;
      End(At);
      if (Kinds.empty()) {
        Run.clear();
      } else if (Run.pair(Rows[At], Kinds.data(), Trace.data(), Kinds.size())) {
        Begin = At - 1;
        const RowView View = Run.view();
        MinRows = MinRowsOf(View.values(), View.Step);
      } else {
        Begin = At;
        Run.start(Rows[At], Kinds.data(), Trace.data(), Kinds.size());
      }
    }
    End(Rows.size());
  }

  /// Appends the segments of a level to \p To, whose \p Classes are in the table by their index.
  /// Returns what they take.
  double cut(RowStructure &To, const RowClassTable &Classes, std::span<const int64_t> Rows);
  double originalCycles(std::span<const int64_t> Rows) const;

private:
  const TraceLog &Log;
  const RowCosts &Costs;
  const MinRowsTable MinRowsOf;
  RowRun Run;
  int64_t MinRows = 0; // of a run of two rows and more
  std::vector<int64_t> Trace;
};

} // namespace specrt

#endif
