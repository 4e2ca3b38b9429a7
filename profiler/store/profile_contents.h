//===- profiler/store/profile_contents.h - a file of profiles in its JSON form ---===//
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
  ContentHash Hash;       ///< of the text that was read; whoever reads the file sets it
  std::string Executable; ///< as the file says

  ProfileContents() = default;
  ~ProfileContents();
  ProfileContents(const ProfileContents &) = default;
  ProfileContents &operator=(const ProfileContents &) = default;

  static std::string key(const std::string &Name, const std::string &Hash) {
    return Hash + " " + Name;
  }

  /// Takes a file's text apart. Returns "" or why it is not understood: half a sentence for "the
  /// file ...".
  std::string parse(const std::string &Text);
  /// The text of a file. One line per region, without other space: every run reads all of it, and
  /// most write it.
  std::string dump(const std::string &OfExecutable) const;

  /// Returns when a program used \p Region last, in seconds since 1970.
  static uint64_t lastUsed(const nlohmann::json &Region);

  /// Adds the regions of another file. A region that both files have is taken from the file in
  /// which it was used last; when the times are equal, from this one.
  void addNewer(const ProfileContents &Other);

  /// Forgets what was not used since Oldest, then the longest unused beyond Limit regions.
  void prune(uint64_t Oldest, size_t Limit);

  /// The hashes of all files that regions refer to.
  std::set<std::string> references();
  /// Forgets those that are lost, and of the rest the longest unused beyond the limit.
  void pruneReferences(ObservationFiles &Files);

private:
  void filterReferences(const std::function<bool(const std::string &)> &Visit);
};

} // namespace specrt

#endif
