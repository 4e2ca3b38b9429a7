//===- profiler/store/profile_contents.h - the content of a file of profiles ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_PROFILE_CONTENTS_H
#define SPECRT_PROFILER_STORE_PROFILE_CONTENTS_H

#include "profiler/store/observation_files.h"
#include "support/content_hash.h"
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace specrt {

/// The regions of one file, by hash and name. A value type; functions may throw std::bad_alloc.
class ProfileContents {
public:
  std::map<std::string, nlohmann::json> Regions;
  ContentHash Hash;       ///< of the text that was read; the reader sets it
  std::string Executable; ///< the path in the file

  ProfileContents() = default;
  ~ProfileContents();
  ProfileContents(const ProfileContents &) = default;
  ProfileContents &operator=(const ProfileContents &) = default;

  static std::string key(const std::string &Name, const std::string &Hash) {
    return Hash + " " + Name;
  }

  /// Parses a file's text. Returns "", or why it is invalid, as half a sentence for "the file ...".
  std::string parse(const std::string &Text);
  /// Returns the text of a file: one line per region, without other space, because every run reads
  /// all of it, and most write it.
  std::string dump(const std::string &OfExecutable) const;

  /// Returns when a program used \p Region last, in seconds since 1970.
  static uint64_t lastUsed(const nlohmann::json &Region);

  /// Adds the regions of another file. A region that both files have is taken from the file in
  /// which it was used last; when the times are equal, from this one.
  void addNewer(const ProfileContents &Other);

  /// Removes regions that were not used since Oldest, then the least recently used beyond Limit.
  void prune(uint64_t Oldest, size_t Limit);

  /// Returns the hashes of all files that regions refer to.
  std::set<std::string> references();
  /// Removes references to lost files, and the least recently used ones beyond the limit.
  void pruneReferences(ObservationFiles &Files);

private:
  void filterReferences(const std::function<bool(const std::string &)> &Visit);
};

} // namespace specrt

#endif
