//===- profiler/store/observation_files.h - stores large observations in files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's profile is read at each start. So an observation with a long text is stored in a file
// of its own, <cache directory>/profiles/observations/<program>-<hash of the text>.json. The
// profile refers to it by the hash, and it is read only when it is needed. The name determines the
// content, and files are never changed, so a reader gets either what its profile refers to or
// nothing. A file belongs to one profile, whose lock is held while files are added or removed.
//
// Other processes may save newer observations before a reader needs one. So files that a save
// replaces are kept until the next save. A missing or damaged file loses only that observation.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_OBSERVATION_FILES_H
#define SPECRT_PROFILER_STORE_OBSERVATION_FILES_H

#include "profiler/observations/observation.h"
#include "profiler/store/store_file.h"
#include "profiler/store/store_message.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace specrt {

/// The files of one profile. Functions use hashes as text and may throw std::bad_alloc.
class ObservationFiles {
public:
  /// The folder within that of profiles.
  static constexpr const char *Folder = "observations";
  /// Longer texts are stored in a file.
  static constexpr size_t MaxInlineBytes = 16u << 10;
  static constexpr uint64_t MaxFileBytes = 64u << 20;
  /// The limit of all files that a profile refers to.
  static constexpr uint64_t MaxTotalBytes = 256u << 20;

  /// \p Profiles is the absolute path of the folder of profiles, \p ProfileName the profile's file
  /// name. \p Whose is UserOrRoot for a folder that is only read.
  ObservationFiles(const std::string &Profiles, const std::string &ProfileName,
                   StoreReporter Report, Owners Whose = Owners::User);

  /// Fills an empty observation; leaves it empty, after a message, when the file is missing or does
  /// not fit the observation. Any thread.
  void load(const std::string &Hash, Observation &Into);

  /// Writes a file. Returns its hash, or "" after a message: then the observation is not stored.
  std::string store(const std::string &Text);

  /// Returns whether this file was found missing or damaged.
  bool isLost(const std::string &Hash);

  /// Returns whether the text may be a hash. References in profiles are not trusted.
  static bool isHash(const std::string &Text);

  /// Returns "", or why a file cannot be used, as half a sentence for "the file ...". For tools.
  std::string examine(const std::string &Hash) const;

  /// Returns the bytes of the profile's files, by hash.
  std::map<std::string, uint64_t> sizes() const;
  /// Removes the profile's files except those with these hashes, and unfinished files. Returns
  /// their number.
  size_t removeOthers(const std::set<std::string> &Keep) const;

private:
  std::string fileName(const std::string &Hash) const;
  std::string read(const std::string &Hash, nlohmann::json &Json) const;
  void report(const std::string &Key, const StoreMessage &Message);
  template <typename Visitor> void forEachFile(Visitor Visit) const;

  Descriptor openFolder(std::string &Error) const;

  std::string Path, Prefix;
  Owners Whose;
  StoreReporter Report;
  std::timed_mutex Lock; ///< timed, because a forked child may inherit it locked
  std::set<std::string>
      Reported; ///< hashes that were lost, and "" when a file could not be written
};

} // namespace specrt

#endif
