//===- tools/archive/staged_files.h - files that appear together ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_STAGED_FILES_H
#define SPECRT_TOOLS_ARCHIVE_STAGED_FILES_H

#include "profiler/store/store_file.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace specrt::tools {

/// Files of mode 0600 that are written beside their places and get their names when all of them are
/// on disk. Those without a name are removed at the end. Functions throw CommandError.
class StagedFiles {
public:
  StagedFiles() = default;
  ~StagedFiles();
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;

  /// Writes a file into \p Folder, which is created if necessary and must be the user's alone.
  void add(const std::string &Folder, const std::string &Name, std::string_view Bytes);
  /// Gives each file its name, in the order in which they were added.
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
