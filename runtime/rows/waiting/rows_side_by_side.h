//===- runtime/rows/waiting/rows_side_by_side.h - rows that wait, side by side ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_WAITING_ROWS_SIDE_BY_SIDE_H
#define SPECRT_RUNTIME_ROWS_WAITING_ROWS_SIDE_BY_SIDE_H

#include "runtime/rows/row_table.h"
#include "structure/levels/row_schedule.h"
#include "structure/rows/row_miner.h"

#include <optional>

namespace specrt {

static_assert(RowBundle::Lanes == SPECRT_ROWS_LANES);

/// Finds consecutive rows in classes that have code for lanes.
class RowsSideBySide {
public:
  explicit RowsSideBySide(const specrt_rows_site &Site);

  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    if (!Numbers.empty())
      Miner.row(Kinds, Trace, Entries);
  }
  /// Must be called after the last row.
  void finish();
  const std::vector<RowsOfRun> &runs() const { return Runs; }
  size_t bytes() const {
    return Found.Segments.capacity() * sizeof(RowSegment) +
           Found.Origins.capacity() * sizeof(int64_t) + Runs.capacity() * sizeof(RowsOfRun);
  }
  /// Adds \p Count steps of a bundle, from \p Step on.
  void addSteps(RowTable &T, const RowSchedule &S, const RowSchedule::Bundle &B, uint32_t Step,
                uint32_t Count) const;

private:
  std::optional<std::vector<int64_t>> tiesOf(const RowSegment &Of) const;

  const specrt_rows_site &Site;
  std::vector<uint32_t> Numbers;
  RowMiner Miner;
  RowStructure Found;
  std::vector<RowsOfRun> Runs;
  std::vector<size_t> SegmentOf; ///< by run: index in Found
};

} // namespace specrt

#endif
