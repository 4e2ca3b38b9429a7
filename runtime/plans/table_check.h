//===- runtime/plans/table_check.h - checks tables that were read from files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that runs the rows of a table assumes that the table is well formed, as those that this
// process makes are. Tables from files are checked here, in time proportional to the numbers of
// rows and of segments. Whether values and orders are those of the actual rows is not checked,
// because that requires another inspection of the rows: see SECURITY.md.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PLANS_TABLE_CHECK_H
#define SPECRT_RUNTIME_PLANS_TABLE_CHECK_H

#include "runtime/rows/row_table.h"

#include <span>

namespace specrt {

/// Returns whether the segments of \p T contain each of \p Rows rows once, in forms for which \p
/// Loop has code, with origins that fit their classes; counts their rows in \p Counts then. All
/// origins of the segments must be readable. May throw std::bad_alloc: uses a bit for each row.
bool haveAllRows(const specrt_sparse_loop &Loop, uint64_t Rows, const RowTable &T,
                 RowCounts &Counts);

/// Returns whether these strips run each of \p NumSegments segments once and end, for any number of
/// threads. Threads take strips in ascending order, so they end if a single thread would never
/// wait.
bool canBeShared(const RowSharing::Plan &Plan, uint64_t NumSegments);

} // namespace specrt

#endif
