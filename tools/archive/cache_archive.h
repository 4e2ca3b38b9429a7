//===- tools/archive/cache_archive.h - a cache in one file -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An archive is a tar file with the files of a cache directory under their own names, in this
// order:
//
//     specrt-cache.json                                   format, and name, size and hash of each
//     profiles/<program>-<hash of path>.json
//     profiles/observations/<program>-<hash of path>-<hash of text>.json
//     rows/<hash of key>.so
//     versions/<hash of key>.so
//
// Equal files make equal archives. Reports are not included, because they describe a single run.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TOOLS_ARCHIVE_CACHE_ARCHIVE_H
#define SPECRT_TOOLS_ARCHIVE_CACHE_ARCHIVE_H

#include "tools/archive/tar.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// The parts of a file name in an archive.
struct ArchivedName {
  enum class Kind : uint8_t { Profile, Observation, Rows, Version };
  Kind Is;
  std::string File;         ///< its name within its folder
  std::string Profile = {}; ///< the file name of an observation's profile
  std::string Hash = {};    ///< the hash in the name of an observation
};

/// Returns the folder of the cache directory that contains such files.
const char *folderOf(ArchivedName::Kind Kind);

/// Returns nothing for a name that no file in an archive has, for example a path that leads
/// outside.
std::optional<ArchivedName> parseArchivedName(std::string_view Name);

/// Returns an archive of \p Files, whose names are archived names. Throws CommandError when it
/// would be too large.
std::string encodeArchive(std::vector<ArchivedFile> Files);

/// Reads an archive, which may be any bytes, into \p Files. Returns "", or why it is refused, as
/// half a sentence for "the file ...". If it is accepted, the names are archived names, ascending,
/// and each file has the size and the hash that the archive states; the contents of the files are
/// not checked.
std::string decodeArchive(std::string_view Bytes, std::vector<ArchivedFile> &Files);

} // namespace specrt::tools

#endif
