//===- structure/levels/row_nearness.h - distances between rows and the rows they wait for -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor executes several rows at the same time. If these seldom wait for each other, it
// overlaps them by itself, and another order would only make memory accesses irregular.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_NEARNESS_H
#define SPECRT_STRUCTURE_LEVELS_ROW_NEARNESS_H

#include "structure/levels/row_dependences.h"

namespace specrt {

struct RowNearness {
  /// Approximate number of rows that are in flight at a time.
  static constexpr uint32_t Window = 8;

  /// Average length of the longest dependence chain in a window: from 1 (no dependences) to Window
  /// (each row waits for the previous one). 0 without a window.
  double Levels = 0;
  /// Share of the dependences on rows that are near neither to the row nor to a row that the
  /// previous row waits for: a measure of irregular access.
  double ScatteredShare = 0;
};

RowNearness nearnessOf(const RowDependences &Rows);

} // namespace specrt

#endif
