//===- structure/levels/level_miner.h - segments of loop-carried kernels ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like RowMiner, for kernels in which rows depend on each other: segments lie within levels
// (levels.h), and the rows of a segment are rows of the level at a constant distance. On a grid
// these are diagonals, with the width less one as the distance of row numbers, so that the classes
// are wavefronts.
//
// All threads meet between levels. If neighbouring levels are too thin for that to pay, they are
// merged into one serial level.
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
  LevelMinerOptions() { Costs.CarriedCycles = 16; } // mostly a division
  unsigned Threads = 4;
  double BarrierCycles = 4000; ///< cost of a meeting of all threads
};

class LevelMiner {
public:
  /// Makes finish() return classes, sorted by what they save, without segments.
  static LevelMiner discover(const LevelMinerOptions &Options = {});
  /// Makes finish() return \p Classes, with Rows counted anew, segments and levels. Classes with
  /// loaded values are not used.
  static LevelMiner assign(std::vector<RowClass> Classes, const LevelMinerOptions &Options = {});

  /// Adds the next row; \p Others as in RowLevels::row.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries, const int64_t *Others,
           size_t NumOthers);
  bool givenUp() const { return GivenUp; }
  /// Must be called once, after the last row.
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
