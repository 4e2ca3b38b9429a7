//===- structure/levels/row_schedule.h - execution orders for rows with dependences -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a row follows the one that it waits for, the processor idles between them; if all rows of a
// level (levels.h) are executed one after the other, memory accesses are irregular. The schedule
// therefore cuts the program's order into *strips* of consecutive rows, just large enough for
// several rows at a time to be independent, and sorts the rows of a strip by level. On a grid the
// levels of a strip are wavefronts across some of its lines; skewed_wavefronts.h handles lines that
// can be executed in the lanes of vectors.
//
// Threads take strips in ascending order. A strip consists of *chunks*; before a chunk, its thread
// waits until *counters* show that other threads have finished the chunks it depends on. The thread
// with the lowest strip never waits forever, whatever the number of threads. If that gives little
// parallelism and rows have few levels, threads share the rows level by level, and neighbouring
// levels that are too thin for that are merged into one that a single thread executes.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_SCHEDULE_H
#define SPECRT_STRUCTURE_LEVELS_ROW_SCHEDULE_H

#include "structure/levels/row_groups.h"

namespace specrt {

struct RowSchedule {
  /// A chunk may begin when the counter is at least Least.
  struct Wait {
    uint32_t Counter, Least;
  };
  struct Chunk {
    uint32_t FirstRow;  ///< in Order
    uint32_t FirstWait; ///< in Waits
  };
  /// A thread that has finished a chunk of the strip increments Counter.
  struct Strip {
    uint32_t FirstChunk, Counter;
  };
  /// Steps * Lanes consecutive rows of Order, step by step.
  struct Wavefront {
    uint32_t FirstPlace; ///< in Order
    uint32_t Steps;
    uint32_t FirstRun; ///< first of the Lanes runs, an index into \p Runs of scheduleRows

    uint32_t endPlace() const { return FirstPlace + Steps * SkewedWavefront::Lanes; }
  };

  LargeVector<uint32_t> Order; ///< all rows, each after those that it depends on
  std::vector<Strip> Strips;   ///< followed by an end marker
  std::vector<Chunk> Chunks;   ///< followed by an end marker
  std::vector<Wait> Waits;
  std::vector<Wavefront> Wavefronts; ///< sorted by place; chunks begin and end between steps
  /// Positions in Order where groups begin, ascending. No chunk begins or ends inside of a group.
  std::vector<uint32_t> Groups;
  uint32_t NumCounters = 0;
  uint32_t Levels = 0; ///< length of the longest dependence chain
  uint32_t Merged = 0; ///< number of strips, or of steps between which all threads meet
  double Width = 0;    ///< average number of independent consecutive rows in Order
  double Speedup = 1;  ///< predicted for Threads threads
};

struct RowScheduleOptions {
  unsigned Threads = 1;
  uint32_t ChunkRows = 256; ///< approximate number of rows that justifies waiting for a chunk
  double LeastWidth = 4;    ///< wanted of a strip
  double MeetingCost = 24;  ///< cost of a chunk that others wait for, in rows
};

/// Returns an order for \p Rows. \p KindOf: kind of each row; rows of the same kind are kept
/// together. \p Runs may become skewed wavefronts. \p GroupOf, if not empty: the kind of group that
/// each row may be in (row_groups.h).
RowSchedule scheduleRows(const RowDependences &Rows, std::span<const uint16_t> KindOf,
                         const RowScheduleOptions &Options = {},
                         std::span<const RowsOfRun> Runs = {},
                         std::span<const uint16_t> GroupOf = {});

} // namespace specrt

#endif
