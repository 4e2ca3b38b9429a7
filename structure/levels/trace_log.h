//===- structure/levels/trace_log.h - compressed traces of all rows -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive rows whose values change by constant amounts take the memory of one; a row without a
// pattern takes the memory of its trace.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_TRACE_LOG_H
#define SPECRT_STRUCTURE_LEVELS_TRACE_LOG_H

#include "structure/rows/row_run.h"

namespace specrt {

class TraceLog {
public:
  /// Adds the next row.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  /// Must be called after the last row.
  void finish() { endRun(); }

  int64_t rows() const { return Rows; }
  size_t bytes() const;
  /// Returns the kinds of a row's entries.
  const std::vector<EntryKind> &kinds(int64_t Row) const {
    return Layouts[runOf(Row).Layout].Kinds;
  }
  /// Returns the number of the row's layout, less than numLayouts(). Rows of equal kinds have equal
  /// numbers.
  uint32_t layout(int64_t Row) const { return runOf(Row).Layout; }
  size_t numLayouts() const { return Layouts.size(); }
  size_t values(int64_t Row) const { return Layouts[runOf(Row).Layout].Values; }
  /// Writes a row's trace to \p Trace, which has room for it.
  void trace(int64_t Row, int64_t *Trace) const;

private:
  struct Run {
    uint32_t Layout; // in Layouts
    uint32_t Entries;
    int64_t First;
    uint64_t Words; // position of the first trace; in runs of several rows followed by the
                    // increments per row
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
