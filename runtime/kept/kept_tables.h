//===- runtime/kept/kept_tables.h - what is known of rows, from run to run ---===//
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
#ifndef SPECRT_RUNTIME_KEPT_KEPT_TABLES_H
#define SPECRT_RUNTIME_KEPT_KEPT_TABLES_H

#include <cstddef>
#include <memory>

namespace specrt {

class VersionStore;

struct KeptTables {
  std::shared_ptr<VersionStore> Where = nullptr; ///< null: nowhere
  bool MayWrite = false;                         ///< new ones, too
  bool (*AreBuildsKnown)() = nullptr;            ///< asked before anything is read
};
/// From now on tables are kept there. What waits to be written is not. Any thread.
void keepTables(const KeptTables &How);

/// Writes one of those that wait for that. Returns how many bytes; 0: none waits. Takes some
/// milliseconds; any thread.
size_t writeKeptTable();

} // namespace specrt

#endif
