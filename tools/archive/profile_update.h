//===- tools/archive/profile_update.h - merges regions into a profile of the cache ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_ARCHIVE_PROFILE_UPDATE_H
#define SPECRT_TOOLS_ARCHIVE_PROFILE_UPDATE_H

#include "profiler/store/profile_contents.h"
#include "tools/archive/staged_files.h"
#include <set>
#include <string>

namespace specrt::tools {

/// Regions that are merged into one profile where they are newer than those that it has. Functions
/// throw CommandError.
class ProfileUpdate {
public:
  /// \p Folder is the absolute path of the folder of profiles, \p Name the file name.
  ProfileUpdate(std::string Folder, std::string Name)
      : Folder(std::move(Folder)), Name(std::move(Name)) {}

  const std::string &name() const { return Name; }
  void add(const ProfileContents &New);

  /// Writes the updated profile under a temporary name.
  void stage();
  /// After stage: return whether the profile differs from the existing one, and whether it refers
  /// to this observation.
  bool changesAnything() const { return IsNewer; }
  bool references(const std::string &Hash) const { return Referenced.contains(Hash); }
  /// After stage: replaces the profile. Merges again if programs have saved it since.
  void commit();

private:
  std::string readOld() const;
  std::string mergeInto(const std::string &Old);

  const std::string Folder, Name;
  ProfileContents Added;
  ContentHash Seen; ///< of the text that was there
  bool IsNewer = false;
  std::set<std::string> Referenced;
  StagedFiles Staged;
};

} // namespace specrt::tools

#endif
