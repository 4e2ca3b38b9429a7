//===- runtime/kept/table_check.h - may a table that was read be used? ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that runs the rows of a table takes for granted that the table is well formed, because those
// that this process makes are. For those from files it is checked here, in time proportional to the
// numbers of rows and of segments. What cannot be told without walking the rows again, whether
// values and orders are those that the rows really have, is not checked: see SECURITY.md.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_KEPT_TABLE_CHECK_H
#define SPECRT_RUNTIME_KEPT_TABLE_CHECK_H

#include "runtime/rows/row_table.h"

#include <span>

namespace specrt {

/// Do the segments of \p T have each of \p Rows rows once, in forms for which the code of \p Site
/// exists, with origins that fit their classes? Then their rows are counted in \p Counts. All
/// origins of the segments must be there. May throw std::bad_alloc: takes a bit for each row.
bool haveAllRows(const specrt_rows_site &Site, uint64_t Rows, const RowTable &T, RowCounts &Counts);

/// Do these strips, by however many threads they are done, run each of \p NumSegments segments
/// once, and end? Threads take strips in ascending order, so they end if one thread would never
/// wait.
bool canBeShared(const RowSharing::Plan &Plan, uint64_t NumSegments);

} // namespace specrt

#endif
