//===- runtime/rows/table_keeper.h - who keeps tables for other runs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_TABLE_KEEPER_H
#define SPECRT_RUNTIME_ROWS_TABLE_KEEPER_H

#include "runtime/rows/row_table.h"

namespace specrt {

/// What takes less long to find out is not kept, in nanoseconds. Tests change it.
std::atomic<double> &leastKeptNs();

/// Can a table of the loop be of any use to another run? Code for certain rows holds in it what
/// others have in tables.
inline bool mayBeKept(const specrt_rows_site &Site) {
  return (Site.digest[0] | Site.digest[1]) != 0 && Site.places != SPECRT_ROWS_HERE &&
         !Site.unrolled;
}

/// Any thread.
struct TableKeeper {
  /// The table for such a call that an earlier run has kept; without one: there is none. To be
  /// called where inspectRows might be, see there.
  InspectedRows (*Recall)(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies);
  /// Other runs may have what was found for \p Site. True: they will, most probably.
  bool (*Keep)(const specrt_rows_site &Site, const InspectedRows &Found);
};

/// Null: nobody does.
std::atomic<const TableKeeper *> &tableKeeper();

} // namespace specrt

#endif
