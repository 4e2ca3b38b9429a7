//===- tools/report_source.cpp - finds the report that a command is about -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/report_source.h"
#include "profiler/store/profile_store.h"
#include "profiler/store/store_file.h"
#include "runtime/base/config.h"
#include "runtime/report/report_file.h"
#include "tools/cache_entries.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

extern char **environ;

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// The limit for reports; libspecrt writes no larger ones.
constexpr uintmax_t MaxReportBytes = uintmax_t{256} << 20;

std::string readWhole(const fs::path &Path) {
  std::error_code Error;
  if (fs::is_directory(Path, Error))
    throw CommandError(ExitUsage, fmt::format("{} is a directory", printable(Path.string())));
  if (uintmax_t Size = fs::file_size(Path, Error); !Error && Size > MaxReportBytes)
    throw CommandError(ExitUsage,
                       fmt::format("{} is too large for a report", printable(Path.string())));
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Text;
  if (!In || !(Text << In.rdbuf() || In.peek() == std::ifstream::traits_type::eof()))
    throw CommandError(ExitUsage, fmt::format("{} cannot be read: {}", printable(Path.string()),
                                              std::strerror(errno)));
  return std::move(Text).str();
}

LoadedReport loadFile(const fs::path &Path) {
  LoadedReport Loaded;
  Loaded.Path = Path.string();
  Loaded.Text = readWhole(Path);
  std::string Problem = parseReport(Loaded.Text, Loaded.Content);
  if (!Problem.empty())
    throw CommandError(ExitUsage, fmt::format("{} {}", printable(Loaded.Path), Problem));
  return Loaded;
}

/// Returns the newest file in the folder of reports, of a program called Name unless that is ""; an
/// empty path when there is none.
fs::path newestReport(const fs::path &Folder, const std::string &Name) {
  fs::path Newest;
  fs::file_time_type Time;
  std::error_code Error;
  fs::directory_iterator Entries(Folder, Error);
  if (Error && Error != std::errc::no_such_file_or_directory)
    throw CommandError(ExitUsage, fmt::format("{} cannot be read: {}", printable(Folder.string()),
                                              Error.message()));
  for (; Entries != fs::directory_iterator(); Entries.increment(Error)) {
    std::string File = Entries->path().filename().string();
    if (!isEntryName(File) || (!Name.empty() && !isNamedLike(File, Name)))
      continue;
    fs::file_time_type Written = Entries->last_write_time(Error);
    if (!Error && (Newest.empty() || Written > Time)) {
      Newest = Entries->path();
      Time = Written;
    }
  }
  return Newest;
}

fs::path reportFolder() { return fs::path(knownCacheDirectory()) / ReportFolder; }

/// Returns the report of a program that is given by its path or name.
fs::path reportOfProgram(const std::string &Program) {
  fs::path Folder = reportFolder();
  std::error_code Error;
  fs::path Executable = fs::canonical(Program, Error);
  if (!Error) {
    fs::path Exact = Folder / storeFileName(Executable.string());
    if (fs::exists(Exact, Error))
      return Exact;
  }
  if (Program.find('/') != std::string::npos)
    return fs::path();
  return newestReport(Folder, Program);
}

} // namespace

std::string cacheDirectory() {
  std::vector<std::string> Warnings;
  Config Settings = configFromEnvironment(environ, environmentIsTrusted(), Warnings);
  if (!Settings.CacheDirectory.empty())
    return Settings.CacheDirectory;
  return defaultCacheDirectory([](const char *Name) -> const char * { return std::getenv(Name); });
}

std::string knownCacheDirectory() {
  std::vector<std::string> Warnings;
  const Config Settings = configFromEnvironment(environ, environmentIsTrusted(), Warnings);
  const char *Given = environmentIsTrusted() ? std::getenv("SPECRT_CACHE_DIR") : nullptr;
  if (Given && *Given && Settings.CacheDirectory.empty())
    throw CommandError(
        ExitUsage, fmt::format("SPECRT_CACHE_DIR={} is not an absolute path", printable(Given)));
  std::string Directory = cacheDirectory(), Problem;
  if (Directory.empty())
    throw CommandError(ExitUsage, "there is no cache directory: neither SPECRT_CACHE_DIR, "
                                  "XDG_CACHE_HOME nor HOME is set");
  // A directory that does not exist yet is valid.
  if (!openPrivateDirectory(Directory, /*Create=*/false, Problem) && !Problem.empty())
    throw CommandError(ExitUsage, printable(Problem));
  return Directory;
}

LoadedReport loadReport(const std::string &What) {
  if (What.ends_with(".json"))
    return loadFile(What);
  fs::path Found = What.empty() ? newestReport(reportFolder(), "") : reportOfProgram(What);
  if (Found.empty()) {
    std::string Of = What.empty() ? "there is no report"
                                  : fmt::format("there is no report of {}", printable(What));
    throw CommandError(
        ExitNothing,
        fmt::format("{} in {}; run a program that was compiled with specrt-clang for some "
                    "milliseconds, or name a file that SPECRT_REPORT wrote",
                    Of, printable(reportFolder().string())));
  }
  return loadFile(Found);
}

} // namespace specrt::tools
