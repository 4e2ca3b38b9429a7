//===- runtime/rows/table_keeper.h - the interface of the store for tables ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_TABLE_KEEPER_H
#define SPECRT_RUNTIME_ROWS_TABLE_KEEPER_H

#include "runtime/rows/row_table.h"

namespace specrt {

/// Returns the time, in nanoseconds, below which results of inspections are not kept. Tests change
/// it.
std::atomic<double> &leastKeptNs();

/// Returns whether a table of the loop can be used by another run. Code for certain rows contains
/// the data of its table.
inline bool mayBeKept(const specrt_rows_site &Site) {
  return (Site.digest[0] | Site.digest[1]) != 0 && Site.places != SPECRT_ROWS_HERE &&
         !Site.unrolled;
}

/// Functions that store tables. Any thread.
struct TableKeeper {
  /// Returns the table for such a call that an earlier run has stored; without a table if there is
  /// none. May be called where inspectRows may be, see there.
  InspectedRows (*Recall)(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies);
  /// Offers \p Found to later runs. Returns true if it will probably be stored.
  bool (*Keep)(const specrt_rows_site &Site, const InspectedRows &Found);
};

/// Returns null if tables are not stored.
std::atomic<const TableKeeper *> &tableKeeper();

} // namespace specrt

#endif
