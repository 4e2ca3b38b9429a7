//===- tools/archive/staged_files.cpp - makes several new files visible together ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/staged_files.h"
#include "support/write_all.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace specrt::tools {
namespace {

[[noreturn]] void fail(const std::string &Path) {
  const int Code = errno;
  throw CommandError(ExitUsage, fmt::format("nothing was imported: {} cannot be written: {}",
                                            printable(Path), std::strerror(Code)));
}

/// Returns a temporary name. Caches remove files of this form when their writer has ended.
std::string temporaryName(const std::string &Name, size_t Serial) {
  return fmt::format(".{}.tmp-{}-{}-{}", Name, getpid(), Serial, std::time(nullptr));
}

} // namespace

StagedFiles::~StagedFiles() {
  for (const File &Each : Files)
    if (!Each.IsNamed)
      unlinkat(Each.Directory->get(), Each.Temporary.c_str(), 0);
}

void StagedFiles::add(const std::string &Folder, const std::string &Name, std::string_view Bytes) {
  const std::string Path = std::string(Folder).append("/").append(Name);
  std::string Problem;
  auto Directory =
      Files.empty() || !Files.back().Path.starts_with(Folder + "/" + Files.back().Name)
          ? std::make_shared<Descriptor>(openPrivateDirectory(Folder, /*Create=*/true, Problem))
          : Files.back().Directory;
  if (!*Directory)
    throw CommandError(ExitUsage, "nothing was imported: " + printable(Problem));
  const std::string Temporary = temporaryName(Name, Files.size());
  const Descriptor File(openat(Directory->get(), Temporary.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!File)
    fail(Path);
  Files.push_back({.Directory = Directory, .Path = Path, .Name = Name, .Temporary = Temporary});
  if (!writeAll(File.get(), Bytes) || fsync(File.get()) != 0)
    fail(Path);
}

void StagedFiles::commit() {
  for (File &Each : Files) {
    const int Directory = Each.Directory->get();
    if (renameat(Directory, Each.Temporary.c_str(), Directory, Each.Name.c_str()) != 0)
      throw CommandError(ExitUsage, fmt::format("not all was imported: {} cannot be written: {}",
                                                printable(Each.Path), std::strerror(errno)));
    Each.IsNamed = true;
  }
}

} // namespace specrt::tools
