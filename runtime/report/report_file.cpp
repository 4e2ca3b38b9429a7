//===- runtime/report/report_file.cpp - writes reports to files -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/report_file.h"
#include "profiler/store/store_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/decide/persistence.h"
#include "runtime/report/html_report.h"
#include "runtime/report/region_figures.h"
#include "runtime/report/report.h"
#include "support/write_all.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

bool anythingHot(Registry &R) {
  bool Hot = false;
  RegistryLock Guard(R, /*TimeoutMs=*/1000);
  if (Guard.owns_lock())
    R.forEach(Guard, [&](const Registry::View &V) { Hot |= isHot(V); });
  return Hot;
}

std::string cannotBeWritten() { return std::string("cannot be written: ") + std::strerror(errno); }

/// Returns the descriptor that Path names ("/dev/stderr", "/dev/fd/3"); -1 for other paths.
int descriptorOf(const std::string &Path) {
  char Link[32];
  ssize_t Length = Path.starts_with("/dev/std") ? readlink(Path.c_str(), Link, sizeof(Link)) : 0;
  std::string Name = Length > 0 ? std::string(Link, static_cast<size_t>(Length)) : Path;
  for (std::string_view Folder : {"/dev/fd/", "/proc/self/fd/"})
    if (Name.starts_with(Folder)) {
      int Number = -1;
      const char *End = Name.data() + Name.size();
      auto [Rest, Problem] = std::from_chars(Name.data() + Folder.size(), End, Number);
      return Rest == End && Problem == std::errc() ? Number : -1;
    }
  return -1;
}

/// Opens a file that is not regular. Non-blocking, because a pipe may have no reader, or one that
/// does not read.
int openInPlace(const std::string &Path) {
  return open(Path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
}

std::string writeTo(Descriptor File, const std::string &Text) {
  constexpr int WaitMs = 1000; // the limit of a delay by a reader that does not read
  return File && writeAll(File.get(), Text, WaitMs) ? "" : cannotBeWritten();
}

} // namespace

std::string writeFileAtomically(const std::string &Path, const std::string &Text) {
  // The file is not opened anew or replaced: it may be a log that others write to.
  if (int Open = descriptorOf(Path); Open >= 0)
    return writeTo(Descriptor(fcntl(Open, F_DUPFD_CLOEXEC, 0)), Text);
  struct stat Status, Link;
  bool Exists = stat(Path.c_str(), &Status) == 0;
  bool LeadsNowhere = !Exists && lstat(Path.c_str(), &Link) == 0;
  if (LeadsNowhere || (Exists && !S_ISREG(Status.st_mode)))
    return writeTo(Descriptor(openInPlace(Path)), Text);
  std::unique_ptr<char, decltype(&std::free)> Real(
      Exists ? realpath(Path.c_str(), nullptr) : nullptr, &std::free);
  std::string Target = Real ? Real.get() : Path;
  size_t Slash = Target.rfind('/');
  std::string Folder = Slash == std::string::npos ? "." : Target.substr(0, Slash + 1);
  Descriptor Directory(open(Folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!Directory)
    return cannotBeWritten();
  return replaceFile(Directory, Target.substr(Slash + 1), Text,
                     {.Durable = false, .Private = false});
}

bool writeReport(Registry &R, const std::string &Path) {
  bool Page = std::string_view(Path).ends_with(".html");
  std::string Text = reportText(R, {.Indented = !Page});
  std::string Problem = writeFileAtomically(Path, Page ? htmlReport(Text) : Text);
  if (!Problem.empty())
    logLine(LogLevel::Warning, "the report %s %s", Path.c_str(), Problem.c_str());
  return Problem.empty();
}

void keepReport(Registry &R, bool Told) {
  constexpr size_t KeptCold = 32; // each takes 7 us, and all together should take less than 1 ms
  if (!R.Store || !R.Settings.writesProfile() || R.Program.empty() || !anythingHot(R))
    return;
  const double ElapsedMs = static_cast<double>(monotonicNs() - R.StartNs) * 1e-6;
  const std::string &Cache = R.Settings.CacheDirectory, Path = Cache + "/" + ReportFolder;
  std::string Problem;
  if (!openPrivateDirectory(Cache, /*Create=*/true, Problem))
    Told = true; // the store has the same directory
  else if (Descriptor Folder = openPrivateDirectory(Path, /*Create=*/true, Problem))
    // The file is not forced to disk: that takes longer than all other steps, and a report may be
    // lost.
    Problem = replaceFile(
        Folder, storeFileName(R.Program),
        reportText(R, {.MaxCold = KeptCold, .ExtraMs = std::min(20.0, 0.01 * ElapsedMs)}),
        {.Durable = false, .KeepSpare = true});
  if (!Problem.empty())
    logLine(Told ? LogLevel::Debug : LogLevel::Warning, "the report of this run is not kept: %s",
            Problem.c_str());
}

} // namespace specrt
