//===- runtime/rows/kept_tables.h - what is known of rows, from run to run ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To find an order for rows that wait takes as long as some hundred calls of them. So what took
// long to find out is kept in the cache directory (runtime/cache/version_store.h). For each loop,
// and the inputs that decide about it, a file has the grounds of a few tables: where the loop has
// read what decides, and a hash of what was there. Another run that would read the same takes the
// table, which is a file of its own.
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
  return (Site.digest[0] | Site.digest[1]) != 0 && Site.places != SPECRT_ROWS_HERE &&
         !Site.unrolled;
}

struct KeptTables {
  std::shared_ptr<VersionStore> Where = nullptr; ///< null: nowhere
  bool MayWrite = false;                         ///< new ones, too
  bool (*AreBuildsKnown)() = nullptr;            ///< asked before anything is read
};
/// From now on tables are kept there. What waits to be written is not. Any thread.
void keepTables(const KeptTables &How);

/// The table for such a call that an earlier run has kept; without one: there is none. To be called
/// where inspectRows might be, see there.
InspectedRows recallTable(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          WatchCopies Copies);

/// Other runs may have what was found for \p Site, once writeKeptTable() has written it. True: they
/// will, most probably.
bool keepForOthers(const specrt_rows_site &Site, const InspectedRows &Found);

/// Writes one of those that wait for that. Returns how many bytes; 0: none waits. Takes some
/// milliseconds; any thread.
size_t writeKeptTable();

} // namespace specrt

#endif
