//===- tools/archive/adopt.h - what an archive has goes into a cache ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a cache and an archive both have something, the newer stays:
//
//   region of a profile         the one that a program used last; the cache's at the same time
//   compiled version, or what   the one that was written last; the cache's at the same time
//   is known of rows
//
// All files are written beside their places first, so that a full disk leaves the cache as it was.
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
  /// Absolute path of a program. The profiles of programs with its base name, else the only one,
  /// become its profile. "": all belong to the programs that they are of.
  std::string As = {};
  /// Compiled files have to fit this build and processor. Null: they need not.
  const Identity *Here = nullptr;
};

struct Adoption {
  size_t Profiles = 0, Versions = 0, Rows = 0; ///< files that are new, or have changed
  size_t AlreadyThere = 0;                     ///< the cache has these, or newer ones
  /// How many files were skipped, by what they are ("profile") and why ("is damaged").
  std::map<std::pair<std::string, std::string>, size_t> Skipped;
};

/// \p Files: of decodeArchive; their contents may be any bytes. \p CacheDirectory must be the
/// user's alone, and is created if necessary. Throws CommandError.
Adoption adoptFiles(const std::string &CacheDirectory, const std::vector<ArchivedFile> &Files,
                    const AdoptionTerms &Terms);

} // namespace specrt::tools

#endif
