//===- runtime/rows/kept_tables.h - what is known of rows, from run to run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To find an order for rows that wait takes as long as some hundred calls of them. So what took
// long to find out is kept beside the compiled versions (runtime/cache/version_store.h): a file for
// each table, named by the loop, the inputs that decide, and some bits of what was read. Another
// run takes it where all that its call would read is the same.
//
// Everything here may fail to find what is there, or to keep something: then rows are walked.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_KEPT_TABLES_H
#define SPECRT_RUNTIME_ROWS_KEPT_TABLES_H

#include "runtime/rows/row_table.h"

namespace specrt {

class VersionStore;

/// What takes less long to find out is not kept, in nanoseconds. Tests change it.
std::atomic<double> &leastKeptNs();
/// To take a table from its file takes at most that part of what finding it out has taken, about.
inline constexpr double RecallingShare = 1.0 / 8;

/// Can a table of the loop be of any use to another run? Code for certain rows holds in it what
/// others have in tables.
inline bool mayBeKept(const specrt_rows_site &Site) {
  return (Site.digest[0] | Site.digest[1]) != 0 && !Site.has_places && !Site.unrolled;
}

/// From now on tables are kept in \p Where; null: nowhere. \p MayWrite: new ones, too. What waits
/// to be written elsewhere is not. Any thread.
void keepTables(std::shared_ptr<VersionStore> Where, bool MayWrite);

/// The table for such a call that an earlier run has kept; without one: there is none. To be called
/// where inspectRows might be, see there. May throw std::bad_alloc.
InspectedRows recallTable(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies);

/// Other runs may have what was found for \p Site, as soon as writeKeptTables() was called. True:
/// they will, most probably. May throw std::bad_alloc.
bool keepForOthers(const specrt_rows_site &Site, const InspectedRows &Found);

/// Writes what waits for that. Takes some milliseconds; any thread. May throw std::bad_alloc.
void writeKeptTables();

} // namespace specrt

#endif
