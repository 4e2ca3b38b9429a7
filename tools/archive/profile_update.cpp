//===- tools/archive/profile_update.cpp - merges regions into a profile of the cache ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/profile_update.h"
#include "profiler/store/profile_store.h"
#include "support/content_hash.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

namespace specrt::tools {

void ProfileUpdate::add(const ProfileContents &New) {
  Added.Executable = New.Executable;
  Added.addNewer(New);
}

/// Returns the text of the profile; "" if there is no usable file, for which programs would make a
/// new one.
std::string ProfileUpdate::readOld() const {
  std::string Text, Error;
  const Descriptor Directory = openPrivateDirectory(Folder, /*Create=*/false, Error);
  if (!Directory)
    return "";
  const ReadResult Read = readPrivateFile(Directory, Name, ProfileStore::MaxFileBytes, Text, Error);
  if (Read == ReadResult::Unreadable)
    throw CommandError(ExitUsage, fmt::format("{}/{} {}", printable(Folder), Name, Error));
  return Read == ReadResult::Ok ? Text : "";
}

std::string ProfileUpdate::mergeInto(const std::string &Old) {
  ProfileContents Merged;
  if (!Merged.parse(Old).empty())
    Merged = {};
  const auto Before = Merged.Regions;
  Merged.addNewer(Added);
  IsNewer = Before.empty() || Merged.Regions != Before;
  Referenced = Merged.references();
  std::string Text = Merged.dump(Added.Executable);
  if (Text.size() > ProfileStore::MaxFileBytes)
    throw CommandError(ExitUsage, fmt::format("the profile of {} would be too large",
                                              printable(Added.Executable)));
  return Text;
}

void ProfileUpdate::stage() {
  const std::string Old = readOld();
  Seen = contentHash(Old);
  const std::string Text = mergeInto(Old);
  if (IsNewer)
    Staged.add(Folder, Name, Text);
}

void ProfileUpdate::commit() {
  if (!IsNewer)
    return;
  const std::string Lock = Name + ".lock";
  std::string Error;
  const Descriptor Directory = openPrivateDirectory(Folder, /*Create=*/true, Error);
  const bool WasThere = Directory && faccessat(Directory.get(), Lock.c_str(), F_OK, 0) == 0;
  const FileLock Held =
      Directory ? lockFile(Directory, Lock, ProfileStore::LockTimeoutMs, Error) : FileLock();
  if (!Held)
    throw CommandError(ExitUsage, fmt::format("not all was imported: {}/{} {}", printable(Folder),
                                              printable(Lock), Error));
  if (const std::string Now = readOld(); contentHash(Now) == Seen) {
    Staged.commit();
  } else {
    const std::string Text = mergeInto(Now);
    if (IsNewer)
      Error = replaceFile(Directory, Name, Text);
    if (IsNewer && !Error.empty())
      throw CommandError(
          ExitUsage, fmt::format("not all was imported: {}/{} {}", printable(Folder), Name, Error));
  }
  // The lock file is removed if it was not there before, so that a folder that is packaged does not
  // contain it.
  if (!WasThere)
    unlinkat(Directory.get(), Lock.c_str(), 0);
}

} // namespace specrt::tools
