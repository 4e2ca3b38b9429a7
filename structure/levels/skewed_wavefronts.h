//===- structure/levels/skewed_wavefronts.h - runs of rows in vector lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consecutive rows of one class are a *run*, for example each line of a grid. A row waits for the
// one before it in its run, and for rows of other runs. If consecutive runs can be executed at the
// same time, each some rows behind the one before it, they form a *skewed wavefront*: step T
// executes one row of each run, and these rows do not wait for each other. Other rows, at both ends
// and between the runs, are executed before or after the steps.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_SKEWED_WAVEFRONTS_H
#define SPECRT_STRUCTURE_LEVELS_SKEWED_WAVEFRONTS_H

#include "structure/levels/row_dependences.h"

namespace specrt {

/// Rows First to First + Count - 1.
struct RowsOfRun {
  uint32_t First, Count;
  uint32_t Class; ///< runs in a skewed wavefront have the same class
  uint32_t Ties;  ///< likewise: identifies how values relate to row numbers
};

struct SkewedWavefront {
  /// Enough lanes to fill the time that a row waits for the one before it.
  static constexpr uint32_t Lanes = 8;

  uint32_t First, End;                 ///< the wavefront consists of the rows First .. End - 1
  uint32_t FirstRun;                   ///< first of Lanes runs
  uint32_t Steps;                      ///< rows of each lane
  std::array<uint32_t, Lanes> FirstOf; ///< row of each lane in the first step
  std::vector<uint32_t> Before, After; ///< all other rows, ascending
};

/// Returns wavefronts of \p Runs, which are ascending. The wavefronts are ascending and do not
/// overlap.
std::vector<SkewedWavefront> findSkewedWavefronts(const RowDependences &Rows,
                                                  std::span<const RowsOfRun> Runs);

} // namespace specrt

#endif
