//===- structure/levels/level_miner.h - segments of loop-carried kernels ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As RowMiner, for kernels in which rows wait for rows: segments lie within levels (levels.h), and
// the rows of a segment are those of the level that lie a constant distance apart. On a grid these
// are diagonals: row numbers in steps of its width less one. So the classes are wavefronts.
//
// Between levels all threads must meet. Where levels are too thin for that to pay, neighbouring
// ones become one that is serial.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_LEVEL_MINER_H
#define SPECRT_STRUCTURE_LEVELS_LEVEL_MINER_H

#include "structure/levels/levels.h"
#include "structure/levels/trace_log.h"
#include "structure/rows/row_candidates.h"
#include "structure/rows/row_miner.h"

namespace specrt {

struct LevelMinerOptions : RowMinerOptions {
  LevelMinerOptions() { Costs.CarriedCycles = 16; } // a division, mostly
  unsigned Threads = 4;
  double BarrierCycles = 4000; ///< what it costs that all threads meet
};

class LevelMiner {
public:
  /// finish() will return classes, by what they save, without segments.
  static LevelMiner discover(const LevelMinerOptions &Options = {});
  /// finish() will return \p Classes (their Rows counted anew), segments and levels. Classes with
  /// loaded values are not used.
  static LevelMiner assign(std::vector<RowClass> Classes, const LevelMinerOptions &Options = {});

  /// The next row; \p Others as in RowLevels::row.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries, const int64_t *Others,
           size_t NumOthers);
  bool givenUp() const { return GivenUp; }
  /// Once, after the last row.
  RowStructure finish();

private:
  LevelMiner(std::vector<RowClass> Classes, bool Discovers, const LevelMinerOptions &Options);

  LevelMinerOptions Options;
  std::vector<RowClass> Classes;
  bool Discovers, GivenUp = false;
  RowLevels Levels;
  TraceLog Log;
  int64_t Rows = 0;
};

} // namespace specrt

#endif
