//===- tools/cache_entries.h - the files of the cache directory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three kinds of files live in the cache directory: profiles and reports, one per program, and
// The cache directory contains profiles and reports, one per program, and compiled versions, one
// per region and values, which programs with the same code share. Files that libspecrt did not
// write are neither listed nor changed.
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_CACHE_ENTRIES_H
#define SPECRT_TOOLS_CACHE_ENTRIES_H

#include <cstdint>
#include <string>
#include <vector>

namespace specrt::tools {

struct CacheEntry {
  std::string Kind;     ///< "profiles", "reports", "versions" or "rows": the name of its folder
  std::string Path;     ///< absolute
  std::string Subject;  ///< the executable or the region that it is about; "" if unknown
  std::string Contents; ///< in words
  std::string Problem;  ///< "" or why it cannot be used
  uint64_t Bytes = 0;
  uint64_t LastUsed = 0; ///< seconds since 1970
};

/// The entries that a command is about; "" selects all.
struct CacheFilter {
  std::string Kind;
  std::string Program; ///< path or name; compiled versions belong to no program
};

/// Returns whether this is the name of a file with data of one program: "<name>-<16 hexadecimal
/// digits>.json".
bool isEntryName(const std::string &Name);

/// Returns whether the program of such a file has the same file name as Program, in any folder.
bool isNamedLike(const std::string &EntryName, const std::string &Program);

/// Returns whether an entry belongs to \p Program, a path or a base name; "" means every program.
bool isAbout(const std::string &EntryName, const std::string &Program);

/// Returns all entries that match, ordered by kind and path. Appends one sentence to Errors for
/// each folder with a problem, for example one that belongs to another user.
std::vector<CacheEntry> listCache(const std::string &CacheDirectory, const CacheFilter &Filter,
                                  std::vector<std::string> &Errors);

/// Lists a directory of SPECRT_CACHE_PATH in the same way. A missing directory has no entries.
std::vector<CacheEntry> listFurtherCache(const std::string &CacheDirectory,
                                         const CacheFilter &Filter,
                                         std::vector<std::string> &Errors);

/// Removes the matching entries, with their locks and the files of interrupted writers. Keeps
/// profiles that a program is writing. Returns the number of files removed.
size_t clearCache(const std::string &CacheDirectory, const CacheFilter &Filter,
                  std::vector<std::string> &Errors);

} // namespace specrt::tools

#endif
