//===- runtime/rows/row_sharing.h - threads that share rows which wait for rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_ROW_SHARING_H
#define SPECRT_RUNTIME_ROWS_ROW_SHARING_H

#include "specrt/rows.h"
#include "structure/levels/row_schedule.h"
#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// How the strips of a schedule are done by any number of threads. One execution at a time.
class RowSharing {
public:
  /// As a schedule has it. Chunk I consists of segments FirstSegment[I] to FirstSegment[I + 1] - 1.
  struct Plan {
    std::vector<RowSchedule::Strip> Strips;
    std::vector<RowSchedule::Chunk> Chunks;
    std::vector<RowSchedule::Wait> Waits;
    std::vector<uint64_t> FirstSegment;
    uint32_t NumCounters = 0;
  };

  explicit RowSharing(Plan P);

  const Plan &plan() const { return Of; }
  /// Before an execution: nothing is done.
  void begin();
  /// Does what is left, together with other threads that call this. Who has the least of the strips
  /// that were begun waits for nobody who waits.
  void work(specrt_rows_segments *Segments, void *Words);

private:
  struct alignas(64) Counter {
    std::atomic<uint32_t> Done{0};
  };

  const Plan Of;
  const std::unique_ptr<Counter[]> Counters;
  std::atomic<uint32_t> NextStrip{0};
};

} // namespace specrt

#endif
