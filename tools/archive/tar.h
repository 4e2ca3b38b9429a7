//===- tools/archive/tar.h - files in a tar archive -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_TAR_H
#define SPECRT_TOOLS_ARCHIVE_TAR_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// A regular file in an archive.
struct ArchivedFile {
  std::string Name; ///< a relative path
  std::string Bytes;
};

/// Limits of archives that are read or written, which are entirely in memory.
inline constexpr uint64_t MaxArchiveBytes = uint64_t{1} << 30;
inline constexpr uint64_t MaxArchivedFileBytes = uint64_t{64} << 20;
inline constexpr size_t MaxArchivedFiles = 100'000;

/// Returns an archive with these files, in their order. The result depends on nothing else: times,
/// users and groups are zero. Throws CommandError when it would be too large.
std::string writeTar(const std::vector<ArchivedFile> &Files);

/// Reads an archive, which may be any bytes, into \p Files. Uses at most MaxArchiveBytes of memory
/// besides it. Returns "", or why it is refused, as half a sentence for "the file ...". Refuses
/// everything but regular files; names are not checked.
std::string readTar(std::string_view Bytes, std::vector<ArchivedFile> &Files);

} // namespace specrt::tools

#endif
