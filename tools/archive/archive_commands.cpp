//===- tools/archive/archive_commands.cpp - specrt cache export and import ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/store_file.h"
#include "runtime/base/config.h"
#include "runtime/decide/timeline.h"
#include "runtime/report/report_file.h"
#include "support/write_all.h"
#include "tools/archive/adopt.h"
#include "tools/archive/cache_archive.h"
#include "tools/archive/collect.h"
#include "tools/archive/fit.h"
#include "tools/command_error.h"
#include "tools/commands.h"
#include "tools/report_model.h"
#include "tools/report_source.h"
#include "tools/terminal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

extern char **environ;

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// Writes an archive to \p File; "-" is standard output.
void writeArchive(const std::string &File, const std::string &Bytes) {
  std::string Problem;
  if (File != "-")
    Problem = writeFileAtomically(File, Bytes);
  else if (isatty(STDOUT_FILENO))
    Problem = "is a terminal; an archive goes to a file or a pipe";
  else if (!writeAll(STDOUT_FILENO, Bytes))
    Problem = std::string("cannot be written: ") + std::strerror(errno);
  if (!Problem.empty())
    throw CommandError(
        ExitUsage,
        fmt::format("{} {}", File == "-" ? "standard output" : printable(File), Problem));
}

/// Reads an archive from \p File; "-" is standard input.
std::string readArchive(const std::string &File) {
  const std::string Name = File == "-" ? "standard input" : printable(File);
  const Descriptor From(File == "-" ? dup(STDIN_FILENO) : open(File.c_str(), O_RDONLY | O_CLOEXEC));
  std::string Bytes;
  char Buffer[1 << 16];
  ssize_t Count = From ? 1 : -1;
  while (Count > 0) {
    Count = read(From.get(), Buffer, sizeof(Buffer));
    if (Count < 0 && errno == EINTR)
      Count = 1;
    else if (Count > 0)
      Bytes.append(Buffer, static_cast<size_t>(Count));
    if (Bytes.size() > MaxArchiveBytes)
      throw CommandError(ExitUsage, fmt::format("{} is too large for an archive", Name));
  }
  if (Count < 0)
    throw CommandError(ExitUsage, fmt::format("{} cannot be read: {}", Name, std::strerror(errno)));
  return Bytes;
}

/// Returns the path by which a running program identifies itself: symbolic links are resolved, as
/// in /proc/self/exe.
std::string pathOfProgram(const std::string &Given) {
  std::error_code Error;
  const fs::path Found = fs::canonical(Given, Error);
  if (!Error)
    return Found.string();
  if (!Given.starts_with('/'))
    throw CommandError(ExitUsage, fmt::format("{} does not exist; a program that is not there yet "
                                              "needs an absolute path",
                                              printable(Given)));
  return fs::path(Given).lexically_normal().string();
}

std::string plural(size_t Count, const std::string &Noun) {
  return Count == 1 ? "1 " + Noun : fmt::format("{} {}s", Count, Noun);
}

std::string contentsOf(size_t Profiles, size_t Versions, size_t Rows) {
  return fmt::format("{}, {}{}", plural(Profiles, "profile"), plural(Versions, "compiled version"),
                     Rows > 0 ? ", " + plural(Rows, "persistent plan") : "");
}

/// Warns if the cache exceeds its limit: the next program that stores a version removes the excess.
void warnOfLimit(const std::string &CacheDirectory) {
  std::vector<std::string> Ignored;
  const Config Settings = configFromEnvironment(environ, environmentIsTrusted(), Ignored);
  uint64_t Sum = 0;
  std::error_code Error;
  const fs::path Folder = fs::path(CacheDirectory) / folderOf(ArchivedName::Kind::Version);
  for (fs::directory_iterator I(Folder, Error), End; !Error && I != End; I.increment(Error))
    if (I->is_regular_file(Error))
      Sum += I->file_size(Error);
  if (Sum > Settings.CacheLimit)
    fmt::print(stderr,
               "specrt: warning: compiled versions take {}, which is more than SPECRT_CACHE_LIMIT "
               "allows: programs will remove the longest unused\n",
               bytesText(Sum));
}

} // namespace

int cacheExportCommand(const ArchiveOptions &Options) {
  const CollectedFiles Found =
      collectCache(knownCacheDirectory(), Options.Programs, identityOfLibrary());
  size_t Counts[4] = {};
  for (const ArchivedFile &File : Found.Files)
    ++Counts[static_cast<size_t>(parseArchivedName(File.Name)->Is)];
  for (const auto &[Why, Count] : Found.LeftOut)
    fmt::print(stderr, "specrt: {} left out: {}\n",
               Count == 1 ? "1 file is" : fmt::format("{} files are", Count), Why);
  if (Found.Files.empty())
    throw CommandError(ExitNothing, fmt::format("there is nothing to export in {}",
                                                printable(knownCacheDirectory())));
  const std::string Bytes = encodeArchive(Found.Files);
  writeArchive(Options.File, Bytes);
  using K = ArchivedName::Kind;
  const auto CountOf = [&](K Kind) { return Counts[static_cast<size_t>(Kind)]; };
  if (Options.File != "-")
    fmt::print("{} exported to {}, {}\n",
               contentsOf(CountOf(K::Profile), CountOf(K::Version), CountOf(K::Rows)),
               printable(Options.File), bytesText(Bytes.size()));
  return ExitSuccess;
}

int cacheImportCommand(const ArchiveOptions &Options) {
  const std::string Directory = knownCacheDirectory(), Bytes = readArchive(Options.File);
  std::vector<ArchivedFile> Files;
  if (const std::string Problem = decodeArchive(Bytes, Files); !Problem.empty())
    throw CommandError(ExitUsage,
                       fmt::format("{} {}",
                                   Options.File == "-" ? "standard input" : printable(Options.File),
                                   Problem));
  const Adoption Done = adoptFiles(Directory, Files,
                                   {.As = Options.As.empty() ? "" : pathOfProgram(Options.As),
                                    .Here = Options.Foreign ? nullptr : &identityOfLibrary()});
  for (const auto &[What, Count] : Done.Skipped)
    fmt::print(stderr, "specrt: {} skipped: {} {}\n",
               plural(Count, What.first) + (Count == 1 ? " is" : " are"),
               Count == 1 ? "it" : "each", What.second);
  fmt::print("{} imported into {}", contentsOf(Done.Profiles, Done.Versions, Done.Rows),
             printable(Directory));
  if (Done.AlreadyThere > 0)
    fmt::print("; {} there already, or newer",
               Done.AlreadyThere == 1 ? "1 file is"
                                      : fmt::format("{} files are", Done.AlreadyThere));
  fmt::print("\n");
  warnOfLimit(Directory);
  const bool IsAnythingHere =
      Done.Profiles + Done.Versions + Done.Rows + Done.AlreadyThere > 0 || Done.Skipped.empty();
  return IsAnythingHere ? ExitSuccess : ExitNothing;
}

} // namespace specrt::tools
