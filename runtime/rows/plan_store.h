//===- runtime/rows/plan_store.h - the interface of the store for execution plans ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_PLAN_STORE_H
#define SPECRT_RUNTIME_ROWS_PLAN_STORE_H

#include "runtime/rows/row_table.h"

namespace specrt {

/// Returns the time, in nanoseconds, below which results of inspections are not stored. Tests
/// change it.
std::atomic<double> &leastPersistentNs();

/// Returns whether a table of the loop can be used by another run. Code for certain rows contains
/// the data of its table.
inline bool mayPersist(const specrt_sparse_loop &Loop) {
  return (Loop.digest[0] | Loop.digest[1]) != 0 && Loop.places != SPECRT_ROWS_HERE &&
         !Loop.unrolled;
}

/// Functions that store execution plans. Any thread.
struct PlanStore {
  /// Returns the table for such a call that an earlier run has stored; without a table if there is
  /// none. May be called where inspectRows may be, see there.
  InspectedRows (*Recall)(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies);
  /// Offers \p Found to later runs. Returns true if it will probably be stored.
  bool (*Store)(const specrt_sparse_loop &Loop, const InspectedRows &Found);
};

/// Returns null if plans are not stored.
std::atomic<const PlanStore *> &planStore();

} // namespace specrt

#endif
