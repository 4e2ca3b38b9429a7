//===- structure/levels/row_schedule.h - an order for rows that wait for rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row follows the one that it waits for a processor idles between them, and where all rows
// of a level (levels.h) come one after the other memory is met in leaps. So rows stay together in
// *strips*, rows that follow each other in the program, no more of them than it takes for some rows
// at a time to be independent; within a strip they come by level. On a grid these are wavefronts
// across some of its lines; where such lines can be done side by side, row_bundles.h says how.
//
// Threads take strips in ascending order. A strip consists of *chunks*; before a chunk its thread
// waits until others have come far enough with theirs, which *counters* say. So the thread with the
// least strip never waits for ever, whatever the number of threads is. Where hardly anything would
// happen at the same time that way, rows that are few levels deep are shared level by level:
// neighbouring levels that are too thin for that are merged into one that a single thread does.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_SCHEDULE_H
#define SPECRT_STRUCTURE_LEVELS_ROW_SCHEDULE_H

#include "structure/levels/row_groups.h"

namespace specrt {

struct RowSchedule {
  /// A chunk may begin when the counter is at least so much.
  struct Wait {
    uint32_t Counter, Least;
  };
  struct Chunk {
    uint32_t FirstRow;  ///< in Order
    uint32_t FirstWait; ///< in Waits
  };
  /// Who has done a chunk of it adds one to the counter.
  struct Strip {
    uint32_t FirstChunk, Counter;
  };
  /// Steps * Lanes rows that follow each other in Order, step by step.
  struct Bundle {
    uint32_t FirstPlace; ///< in Order
    uint32_t Steps;
    uint32_t FirstRun; ///< of Lanes that scheduleRows was given

    uint32_t endPlace() const { return FirstPlace + Steps * RowBundle::Lanes; }
  };

  LargeVector<uint32_t> Order; ///< all rows, each after those that it must come after
  std::vector<Strip> Strips;   ///< one more than there are: the end of the last
  std::vector<Chunk> Chunks;   ///< likewise
  std::vector<Wait> Waits;
  std::vector<Bundle> Bundles; ///< by place; chunks begin and end between steps
  /// Where in Order groups begin, ascending. No chunk begins or ends within one.
  std::vector<uint32_t> Groups;
  uint32_t NumCounters = 0;
  uint32_t Levels = 0; ///< rows on the longest way
  uint32_t Merged = 0; ///< what they became: strips, or steps between which all threads meet
  double Width = 0;    ///< how many rows that follow each other in Order are independent
  double Speedup = 1;  ///< foreseen, on so many threads
};

struct RowScheduleOptions {
  unsigned Threads = 1;
  uint32_t ChunkRows = 256; ///< rows that are worth being waited for, about
  double LeastWidth = 4;    ///< wanted of a strip
  double MeetingCost = 24;  ///< of a chunk that others wait for, in rows
};

/// \p KindOf says for each row what kind it is of: such of the same kind stay together. \p Runs may
/// be bundled. \p GroupOf, if it is not empty, says for each row in which groups it may be
/// (row_groups.h).
RowSchedule scheduleRows(const RowDependences &Rows, std::span<const uint16_t> KindOf,
                         const RowScheduleOptions &Options = {},
                         std::span<const RowsOfRun> Runs = {},
                         std::span<const uint16_t> GroupOf = {});

} // namespace specrt

#endif
