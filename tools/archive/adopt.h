//===- tools/archive/adopt.h - adds the files of an archive to a cache ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a cache and an archive both have an entry, the newer one is kept:
//
//   region of a profile         the one that a program used last; the cache's at the same time
//   compiled version, or what   the one that was written last; the cache's at the same time
//   is known of rows
//
// All files are first written under temporary names in the same folders, so that a full disk leaves
// the cache unchanged.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_ARCHIVE_ADOPT_H
#define SPECRT_TOOLS_ARCHIVE_ADOPT_H

#include "runtime/cache/identity.h"
#include "tools/archive/tar.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace specrt::tools {

struct AdoptionTerms {
  /// Absolute path of a program, or "". Profiles of programs with its base name, or the only
  /// profile if there is none, become its profile. With "" every profile keeps its program.
  std::string As = {};
  /// The build and processor that compiled files must fit; null: any.
  const Identity *Here = nullptr;
};

struct Adoption {
  size_t Profiles = 0, Versions = 0, Rows = 0; ///< files that are new, or have changed
  size_t AlreadyThere = 0; ///< files that the cache already has, in the same or a newer version
  /// Numbers of skipped files by their kind ("profile") and the reason ("is damaged").
  std::map<std::pair<std::string, std::string>, size_t> Skipped;
};

/// Adds \p Files, the result of decodeArchive, to the cache; their contents may be any bytes. \p
/// CacheDirectory must be private to the user and is created if necessary. Throws CommandError.
Adoption adoptFiles(const std::string &CacheDirectory, const std::vector<ArchivedFile> &Files,
                    const AdoptionTerms &Terms);

} // namespace specrt::tools

#endif
