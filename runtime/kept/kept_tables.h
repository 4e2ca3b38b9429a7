//===- runtime/kept/kept_tables.h - stores tables of rows for later runs --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding an order for rows that wait takes as long as some hundred calls of them. So results that
// took long are stored in the cache directory (runtime/cache/version_store.h). For each loop, and
// the inputs that decide about it, a file has the grounds of a few tables: the places that the loop
// has read to decide, and a hash of their contents. Another run that would read the same contents
// uses the table, which is a file of its own.
//
// Every function here may fail to find or to store a table: then the rows are inspected.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_KEPT_KEPT_TABLES_H
#define SPECRT_RUNTIME_KEPT_KEPT_TABLES_H

#include <cstddef>
#include <memory>

namespace specrt {

class VersionStore;

struct KeptTables {
  std::shared_ptr<VersionStore> Where = nullptr; ///< null: tables are not kept
  bool MayWrite = false;                         ///< store new tables, too
  bool (*AreBuildsKnown)() = nullptr;            ///< called before anything is read
};
/// Sets where tables are kept from now on. Tables that wait to be written are dropped. Any thread.
void keepTables(const KeptTables &How);

/// Writes one of the waiting tables. Returns the number of its bytes; 0 if none waits. Takes some
/// milliseconds; any thread.
size_t writeKeptTable();

} // namespace specrt

#endif
