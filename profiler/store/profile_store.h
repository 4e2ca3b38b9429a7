//===- profiler/store/profile_store.h - stores profiles of programs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one JSON file per executable in <cache directory>/profiles. A region is found by its
// name and the hash of its bitcode, so a recompiled program never uses the profile of other code.
// The file is read once at start. At exit each process merges its results into the current content
// of the file, under a lock, and replaces it by rename: readers see the old or the new content, and
// concurrent processes lose nothing. Large observations are in files of their own
// (observation_files.h), which the JSON file refers to.
//
// Further cache directories, which are only read, may contain regions, too. There the profile of
// any program of the same base name is used, because a package may have been made where the program
// had another path. Their data about a region are merged with those of the user's own file when the
// region is needed, and are not copied into that file.
//
// An invalid file (damaged, foreign, written by a newer libspecrt, of another owner) is reported,
// moved aside to "<name>.bad" and ignored. A directory that cannot be written costs one message and
// the result of this run. No function throws.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_PROFILE_STORE_H
#define SPECRT_PROFILER_STORE_PROFILE_STORE_H

#include "profiler/plans/plan.h"
#include "profiler/store/store_file.h"
#include "profiler/store/store_message.h"
#include "profiler/store/stored_region.h"
#include "specrt/abi.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace specrt {

/// A region's identity across runs, with its new data.
struct StoreUpdate {
  std::string Name;
  uint64_t BitcodeHash[2] = {0, 0};
  StoredRegion Region;
};

/// Returns the cache directory by the XDG rules: $SPECRT_CACHE_DIR, else $XDG_CACHE_HOME/specrt,
/// else $HOME/.cache/specrt; "" when none is set. Getenv may return null. Relative paths are
/// ignored, as the rules demand.
std::string defaultCacheDirectory(const std::function<const char *(const char *)> &Getenv);

class ProfileContents;

/// Thread-safe except load() and the constructor, which must come first.
class ProfileStore {
public:
  static constexpr unsigned FormatVersion = 10;
  static constexpr unsigned MaxRegions = 4096;
  static constexpr uint64_t MaxAgeSeconds = 180u * 86400;
  static constexpr uint64_t MaxFileBytes = 64u << 20;
  static constexpr unsigned LockTimeoutMs = 3000;

  /// Accesses no file yet. CacheDirectory "" or Executable "" makes a store that is always empty.
  /// Report receives each problem once.
  ProfileStore(std::string CacheDirectory, std::string Executable, StoreReporter Report);
  ~ProfileStore();
  ProfileStore(const ProfileStore &) = delete;
  ProfileStore &operator=(const ProfileStore &) = delete;

  /// Makes load() read these cache directories, too. Must be called before it.
  void readAlso(std::vector<std::string> CacheDirectories);

  /// Reads the file if there is one. Creates nothing.
  void load() noexcept;

  /// Returns the number of regions that load() found; those of several files count several times.
  size_t size() const noexcept;

  /// Returns whether there is an entry for Region, of which only name and hash are read.
  bool knows(const specrt_region &Region) const noexcept;

  /// Returns the data of earlier runs about Region (with nothing packed), decoded at the call.
  /// Returns nothing if they did not call it or its entry does not fit Region. Region must be valid
  /// during the call only, unless the returned profile records calls.
  std::optional<StoredRegion> find(const specrt_region &Region) const noexcept;

  /// Returns whether a region of this name was hot in an earlier run, with any code.
  bool wasHot(const std::string &Name) const noexcept;

  /// Merges Updates into the file. The data are added, so a caller that saves again must clear its
  /// profiles in between. Regions that this process did not call are kept, within the limits above
  /// (the least recently used ones are dropped first). Waits for other processes at most
  /// LockTimeoutMs. Returns false, after a message, when nothing could be written.
  bool save(const std::vector<StoreUpdate> &Updates) noexcept;

  /// A summary of a file.
  struct Summary {
    std::string Executable; ///< absolute path
    size_t NumRegions = 0, NumHot = 0;
  };
  /// Checks a file's text as load() would, for tools; the profile of a region is decoded only when
  /// the region is needed. Returns "", or why the file is invalid, as half a sentence for "the file
  /// ...".
  static std::string examine(const std::string &Text, Summary &Into);

  /// Returns the absolute path of the file; "" for a store that is always empty.
  const std::string &path() const { return Path; }

private:
  struct Reading;
  void report(const StoreMessage &Message) const;
  Descriptor openDirectory(bool Create) const;
  bool readFile(const Descriptor &Directory, ProfileContents &Into);
  void loadFurther(const std::string &CacheDirectory);
  std::optional<StoredRegion> read(const Reading &From, const std::string &Key,
                                   const specrt_region &Region) const;
  bool saveLocked(const std::vector<StoreUpdate> &Updates);
  void mergeUpdate(const StoreUpdate &Update, uint64_t Now, ProfileContents &Into) const;

  std::string CacheDirectory;
  std::string FileName;
  std::string Path;
  std::string Executable;
  StoreReporter Report;
  std::shared_ptr<ObservationFiles> Observations; ///< null if the store is always empty
  /// Held during save() and while find() reports. Timed, because a child forked while another
  /// thread saves inherits it locked for ever.
  mutable std::timed_mutex Lock;
  mutable std::set<std::string> Reported;
  std::unique_ptr<const ProfileContents> Loaded; ///< immutable after load()
  std::vector<std::string> FurtherDirectories;
  std::vector<Reading> Further; ///< immutable after load()
};

} // namespace specrt

#endif
