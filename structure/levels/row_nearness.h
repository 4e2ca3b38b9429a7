//===- structure/levels/row_nearness.h - how near are rows to those they wait for? ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A processor has some rows in flight at a time. Where those seldom wait for each other, it does
// them at the same time by itself, and another order only makes it meet memory in leaps.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_NEARNESS_H
#define SPECRT_STRUCTURE_LEVELS_ROW_NEARNESS_H

#include "structure/levels/row_dependences.h"

namespace specrt {

struct RowNearness {
  /// Rows that are in flight at a time, about.
  static constexpr uint32_t Window = 8;

  /// Of the rows in a window, as many as wait for each other: from 1, none, to Window, all. 0
  /// without a window.
  double Levels = 0;
  /// Of the dependences, those on rows that are near neither to the row itself nor to what the row
  /// before it waits for: what rows access has no order.
  double ScatteredShare = 0;
};

RowNearness nearnessOf(const RowDependences &Rows);

} // namespace specrt

#endif
