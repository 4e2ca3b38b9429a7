//===- structure/levels/row_bundles.h - runs of rows that are executed side by side -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive rows of one class are a *run*, for example each line of a grid. A row waits for the
// one before it in its run, and for rows of other runs. If consecutive runs can be executed side by
// side, each some rows behind the one before it, they form a *bundle*: step T executes one row of
// each run, and these rows do not wait for each other. Other rows, at both ends and between the
// runs, are executed before or after the steps.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_BUNDLES_H
#define SPECRT_STRUCTURE_LEVELS_ROW_BUNDLES_H

#include "structure/levels/row_dependences.h"

namespace specrt {

/// Rows First to First + Count - 1.
struct RowsOfRun {
  uint32_t First, Count;
  uint32_t Class; ///< runs in a bundle have the same class
  uint32_t Ties;  ///< also the same in a bundle: identifies how values relate to row numbers
};

struct RowBundle {
  /// Enough lanes to fill the time that a row waits for the one before it.
  static constexpr uint32_t Lanes = 8;

  uint32_t First, End;                 ///< the bundle consists of the rows First .. End - 1
  uint32_t FirstRun;                   ///< first of Lanes runs
  uint32_t Steps;                      ///< rows of each lane
  std::array<uint32_t, Lanes> FirstOf; ///< row of each lane in the first step
  std::vector<uint32_t> Before, After; ///< all other rows, ascending
};

/// Returns bundles of \p Runs, which are ascending. The bundles are ascending and do not overlap.
std::vector<RowBundle> findBundles(const RowDependences &Rows, std::span<const RowsOfRun> Runs);

} // namespace specrt

#endif
