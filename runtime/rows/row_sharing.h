//===- runtime/rows/row_sharing.h - runs dependent rows on several threads ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_ROW_SHARING_H
#define SPECRT_RUNTIME_ROWS_ROW_SHARING_H

#include "specrt/rows.h"
#include "structure/levels/row_schedule.h"
#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// Runs the strips of a schedule on any number of threads. One execution at a time.
class RowSharing {
public:
  /// The members of a schedule. Chunk I consists of segments FirstSegment[I] to FirstSegment[I + 1]
  /// - 1.
  struct Plan {
    std::vector<RowSchedule::Strip> Strips;
    std::vector<RowSchedule::Chunk> Chunks;
    std::vector<RowSchedule::Wait> Waits;
    std::vector<uint64_t> FirstSegment;
    uint32_t NumCounters = 0;
  };

  explicit RowSharing(Plan P);

  const Plan &plan() const { return Of; }
  /// Must be called before an execution: marks all chunks as not done.
  void begin();
  /// Does the remaining work, together with other threads that call this. The thread with the
  /// lowest of the begun strips never waits for a thread that waits.
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
