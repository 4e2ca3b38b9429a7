//===- tools/archive/collect.h - what of a cache goes into an archive -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_COLLECT_H
#define SPECRT_TOOLS_ARCHIVE_COLLECT_H

#include "runtime/cache/identity.h"
#include "tools/archive/tar.h"
#include <map>
#include <string>
#include <vector>

namespace specrt::tools {

/// Files for an archive, and how many were left out for which reason.
struct CollectedFiles {
  std::vector<ArchivedFile> Files;
  std::map<std::string, size_t> LeftOut;
};

/// Reads the profiles of \p Programs (paths or names; none: of all programs) in \p CacheDirectory,
/// the versions of their regions, and the tables of rows of these versions; without programs, all
/// versions and tables. Leaves out what is damaged, and what libspecrt of another build than
/// \p Here compiled. Throws CommandError when nothing is kept of one of the programs.
CollectedFiles collectCache(const std::string &CacheDirectory,
                            const std::vector<std::string> &Programs, const Identity &Here);

} // namespace specrt::tools

#endif
