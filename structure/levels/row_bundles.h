//===- structure/levels/row_bundles.h - runs of rows that are done side by side ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that follow each other and have one class are a *run*: each line of a grid, say. A row waits
// for the one before it in its run, and for rows of other runs. Where runs that follow each other
// can be done side by side, each so many rows behind the one before it, they are a *bundle*: step T
// does one row of each, and its rows do not wait for each other. What does not fit, at both ends
// and between the runs, is done before or after the steps.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_BUNDLES_H
#define SPECRT_STRUCTURE_LEVELS_ROW_BUNDLES_H

#include "structure/levels/row_dependences.h"

namespace specrt {

/// Rows First to First + Count - 1.
struct RowsOfRun {
  uint32_t First, Count;
  uint32_t Class; ///< runs in a bundle have the same
  uint32_t Ties;  ///< likewise: a number for how far values are from the rows' numbers
};

struct RowBundle {
  /// As many as it takes to fill the time that a row waits for the one before it.
  static constexpr uint32_t Lanes = 8;

  uint32_t First, End;                 ///< it consists of all rows from First to End - 1
  uint32_t FirstRun;                   ///< the first of Lanes
  uint32_t Steps;                      ///< rows of each lane
  std::array<uint32_t, Lanes> FirstOf; ///< the row of each lane in the first step
  std::vector<uint32_t> Before, After; ///< all other rows, ascending
};

/// \p Runs are ascending. So are the bundles, and they do not overlap.
std::vector<RowBundle> findBundles(const RowDependences &Rows, std::span<const RowsOfRun> Runs);

} // namespace specrt

#endif
