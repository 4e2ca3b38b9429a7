//===- profiler/store/observation_files.h - large observations outside of the profile ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's profile is read at each start. So an observation whose text is long is kept in a file
// of its own, <cache directory>/profiles/observations/<program>-<hash of the text>.json, which the
// profile refers to by the hash and which is read when somebody asks for that observation. The name
// says what must be in the file, and files are never changed, so that a reader gets what its
// profile meant or nothing. A file belongs to one profile, whose lock is held by who adds or
// removes any.
//
// Between a start and the question, other processes may have saved newer observations. So what a
// save replaces stays until the next one. A file that is missing or damaged costs that observation.
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

/// The files of one profile. Functions take and give hashes as text and may throw std::bad_alloc.
class ObservationFiles {
public:
  /// The folder within that of profiles.
  static constexpr const char *Folder = "observations";
  /// Longer texts get a file.
  static constexpr size_t MaxInlineBytes = 16u << 10;
  static constexpr uint64_t MaxFileBytes = 64u << 20;
  /// Of all that a profile refers to.
  static constexpr uint64_t MaxTotalBytes = 256u << 20;

  /// Profiles: absolute path of the folder of profiles. ProfileName: the profile's file name.
  /// Whose: UserOrRoot for a folder that is only read.
  ObservationFiles(const std::string &Profiles, const std::string &ProfileName,
                   StoreReporter Report, Owners Whose = Owners::User);

  /// Fills an empty observation; leaves it empty, after a message, when there is no such file or it
  /// does not say what Into can have seen. Any thread.
  void load(const std::string &Hash, Observation &Into);

  /// Writes a file. Returns its hash, or "" after a message: then the observation is not kept.
  std::string store(const std::string &Text);

  /// Was this file found missing or damaged?
  bool isLost(const std::string &Hash);

  /// Can it be a hash? What a profile refers to is not trusted.
  static bool isHash(const std::string &Text);

  /// "" or why a file cannot be used: half a sentence for "the file ...". For tools.
  std::string examine(const std::string &Hash) const;

  /// Bytes of the profile's files, by hash.
  std::map<std::string, uint64_t> sizes() const;
  /// Removes the profile's files but those with these hashes, and what interrupted writers left.
  /// Returns their number.
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
