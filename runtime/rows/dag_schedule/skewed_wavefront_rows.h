//===- runtime/rows/dag_schedule/skewed_wavefront_rows.h - rows of skewed wavefronts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_DAG_SCHEDULE_SKEWED_WAVEFRONT_ROWS_H
#define SPECRT_RUNTIME_ROWS_DAG_SCHEDULE_SKEWED_WAVEFRONT_ROWS_H

#include "runtime/rows/row_table.h"
#include "structure/levels/row_schedule.h"
#include "structure/rows/row_miner.h"

#include <optional>

namespace specrt {

static_assert(SkewedWavefront::Lanes == SPECRT_ROWS_LANES);

/// Finds consecutive rows in classes that have code for lanes.
class SkewedWavefrontRows {
public:
  explicit SkewedWavefrontRows(const specrt_sparse_loop &Loop);

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
  /// Adds \p Count steps of a skewed wavefront, from \p Step on.
  void addSteps(RowTable &T, const RowSchedule &S, const RowSchedule::Wavefront &B, uint32_t Step,
                uint32_t Count) const;

private:
  std::optional<std::vector<int64_t>> tiesOf(const RowSegment &Of) const;

  const specrt_sparse_loop &Loop;
  std::vector<uint32_t> Numbers;
  RowMiner Miner;
  RowStructure Found;
  std::vector<RowsOfRun> Runs;
  std::vector<size_t> SegmentOf; ///< by run: index in Found
};

} // namespace specrt

#endif
