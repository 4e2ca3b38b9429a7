//===- tools/archive/collect.h - selects the files of a cache for an archive ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_COLLECT_H
#define SPECRT_TOOLS_ARCHIVE_COLLECT_H

#include "runtime/cache/identity.h"
#include "tools/archive/tar.h"
#include <map>
#include <string>
#include <vector>

namespace specrt::tools {

/// The files for an archive, and the numbers of files that were left out, by reason.
struct CollectedFiles {
  std::vector<ArchivedFile> Files;
  std::map<std::string, size_t> LeftOut;
};

/// Reads from \p CacheDirectory the profiles of \p Programs (paths or names; empty: of all
/// programs), the versions of their regions, and the persistent plans of these versions; for all
/// programs, all versions and plans. Leaves out damaged files, and those that libspecrt of another
/// build than \p Here compiled. Throws CommandError when there are no files of one of the programs.
CollectedFiles collectCache(const std::string &CacheDirectory,
                            const std::vector<std::string> &Programs, const Identity &Here);

} // namespace specrt::tools

#endif
