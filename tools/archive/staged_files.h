//===- tools/archive/staged_files.h - makes several new files visible together ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_STAGED_FILES_H
#define SPECRT_TOOLS_ARCHIVE_STAGED_FILES_H

#include "profiler/store/store_file.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// Files of mode 0600 that are written under temporary names and get their final names when all of
/// them are on disk. The destructor removes those without a final name. Functions throw
/// CommandError.
class StagedFiles {
public:
  StagedFiles() = default;
  ~StagedFiles();
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;

  /// Writes a file into \p Folder, which is created if necessary and must be private to the user.
  void add(const std::string &Folder, const std::string &Name, std::string_view Bytes);
  /// Gives each file its final name, in the order in which they were added.
  void commit();

private:
  struct File {
    std::shared_ptr<Descriptor> Directory;
    std::string Path, Name, Temporary;
    bool IsNamed = false;
  };
  std::vector<File> Files;
};

} // namespace specrt::tools

#endif
