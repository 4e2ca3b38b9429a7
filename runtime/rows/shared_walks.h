//===- runtime/rows/shared_walks.h - shares inspections of rows between loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates of a region have the same row loops, and programs contain the same loop in several
// places. Loops with equal digests (specrt/rows.h) take over tables from each other, and while
// there are several such loops, inspections are kept, from which tables for other numbers of
// threads can be made. Loops with other digests that read the same arrays watch them together
// (runtime/watch).
//
// All functions here may miss existing data: then rows are inspected, or watched, once more.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_SHARED_WALKS_H
#define SPECRT_RUNTIME_ROWS_SHARED_WALKS_H

#include "runtime/rows/row_table.h"

namespace specrt {

/// Returns a table for such a call that another loop has, or that is made from another loop's
/// inspection; without a table if there is none. May be called where inspectRows may be, see there.
InspectedRows takeOver(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows);
/// Allows other loops to take over \p Found.
void share(const specrt_sparse_loop &Loop, const InspectedRows &Found);

/// Record that \p Loop exists from now on, or no longer.
void addSharer(const specrt_sparse_loop &Loop);
void removeSharer(const specrt_sparse_loop &Loop);

/// Frees inspections that were not requested lately. takeOver and share do that, too.
void forgetOldWalks();
/// Returns the number of kept inspections.
size_t keptWalks();

} // namespace specrt

#endif
