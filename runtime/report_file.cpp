//===- runtime/report_file.cpp - where reports go -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report_file.h"
#include "profiler/store_file.h"
#include "runtime/html_report.h"
#include "runtime/log.h"
#include "runtime/persistence.h"
#include "runtime/report.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

bool anythingHot(Registry &R) {
  bool Hot = false;
  std::unique_lock Lock = lockRegistry(R, 1000);
  if (Lock.owns_lock())
    R.forEach([&](const Registry::View &V) { Hot |= V.Detail && V.Detail->Hot; });
  return Hot;
}

} // namespace

bool writeFileAtomically(const std::string &Path, const std::string &Text) {
  std::string Temporary = Path + ".XXXXXX";
  int File = mkostemp(Temporary.data(), O_CLOEXEC);
  if (File < 0)
    return false;
  const char *Next = Text.data();
  size_t Rest = Text.size();
  bool Good = true;
  while (Good && Rest > 0) {
    ssize_t Written = ::write(File, Next, Rest);
    if (Written < 0 && errno == EINTR)
      continue;
    Good = Written > 0;
    Next += Good ? Written : 0;
    Rest -= Good ? static_cast<size_t>(Written) : 0;
  }
  Good = fchmod(File, 0644) == 0 && Good;
  Good = ::close(File) == 0 && Good;
  Good = Good && rename(Temporary.c_str(), Path.c_str()) == 0;
  if (!Good) {
    int Error = errno;
    unlink(Temporary.c_str());
    errno = Error;
  }
  return Good;
}

bool writeReport(Registry &R, const std::string &Path) {
  bool Page = std::string_view(Path).ends_with(".html");
  std::string Text = reportText(R, {.Indented = !Page});
  if (writeFileAtomically(Path, Page ? htmlReport(Text) : Text))
    return true;
  logLine(LogLevel::Warning, "the report %s cannot be written: %s", Path.c_str(), strerror(errno));
  return false;
}

void keepReport(Registry &R) {
  constexpr size_t KeptCold = 32; // each takes 7 us, and the whole shall stay below 1 ms
  if (!R.Store || !R.Settings.writesProfile() || R.Program.empty() || !anythingHot(R))
    return;
  const std::string &Cache = R.Settings.CacheDirectory;
  std::string Error;
  if (!openPrivateDirectory(Cache, /*Create=*/true, Error))
    return;
  Descriptor Folder = openPrivateDirectory(Cache + "/" + ReportFolder, /*Create=*/true, Error);
  if (Folder) // not brought to disk: that takes longer than all the rest, and a report may be lost
    replaceFile(Folder, storeFileName(R.Program), reportText(R, {.MaxCold = KeptCold}),
                /*Durable=*/false);
}

} // namespace specrt
