//===- structure/levels/trace_log.h - remembers the traces of all rows ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that follow each other in the program and in their values take the memory of one; where no
// pattern is, a trace takes what it takes.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_TRACE_LOG_H
#define SPECRT_STRUCTURE_LEVELS_TRACE_LOG_H

#include "structure/rows/row_run.h"

namespace specrt {

class TraceLog {
public:
  /// The next row.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  /// After the last row.
  void finish() { endRun(); }

  int64_t rows() const { return Rows; }
  size_t bytes() const;
  /// A row's number of entries and their kinds.
  const std::vector<EntryKind> &kinds(int64_t Row) const {
    return Layouts[runOf(Row).Layout].Kinds;
  }
  /// Equal numbers mean equal kinds; less than numLayouts().
  uint32_t layout(int64_t Row) const { return runOf(Row).Layout; }
  size_t numLayouts() const { return Layouts.size(); }
  size_t values(int64_t Row) const { return Layouts[runOf(Row).Layout].Values; }
  /// A row's trace into \p Trace, which has room for it.
  void trace(int64_t Row, int64_t *Trace) const;

private:
  struct Run {
    uint32_t Layout; // in Layouts
    uint32_t Entries;
    int64_t First;
    uint64_t Words; // the first trace; then, if the run has more rows, what is added per row
  };

  struct Layout {
    std::vector<EntryKind> Kinds;
    size_t Values;
  };

  const Run &runOf(int64_t Row) const { return Runs[RunOf[static_cast<size_t>(Row)]]; }
  void endRun();
  uint32_t layoutOf(const std::vector<EntryKind> &Kinds);

  RowRun Growing;
  int64_t Rows = 0;
  std::vector<uint32_t> RunOf; // per row
  std::vector<Run> Runs;
  std::vector<int64_t> Words;
  std::vector<Layout> Layouts;
  std::unordered_multimap<uint64_t, uint32_t> LayoutByHash;
  size_t LayoutBytes = 0;
};

} // namespace specrt

#endif
