//===- profiler/store/profile_store.h - what earlier runs of this program learned ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One JSON file per executable in <cache directory>/profiles. A region is found by its name and the
// hash of its bitcode, so that a recompiled program never meets the profile of other code. The file
// is read once at start. At exit each process merges what it learned into what the file holds by
// then, under a lock, and replaces it by rename: readers see the old or the new content, and
// concurrent processes lose nothing. Large observations are in files of their own
// (observation_files.h), which the JSON file refers to.
//
// Further cache directories, which are only read, may know regions too. There the profile of any
// program of the same base name counts, because a package may have been made where the program had
// another path. What they know of a region is merged with what the own file knows when the region
// is met, and is not copied into the own file.
//
// A file that cannot be understood (damaged, foreign, written by a newer libspecrt, not the user's
// own) is reported, moved aside to "<name>.bad" and ignored. A directory that cannot be written
// costs one message and the result of this run, nothing else. No function throws.
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

/// The identity of a region across runs, with its contribution.
struct StoreUpdate {
  std::string Name;
  uint64_t BitcodeHash[2] = {0, 0};
  StoredRegion Region;
};

/// The cache directory by the XDG rules: $SPECRT_CACHE_DIR, else $XDG_CACHE_HOME/specrt, else
/// $HOME/.cache/specrt; "" when none is set. Getenv may return null. Relative paths are
/// ignored, as the rules demand.
std::string defaultCacheDirectory(const std::function<const char *(const char *)> &Getenv);

class ProfileContents;

/// Thread-safe except load() and the constructor, which come first.
class ProfileStore {
public:
  static constexpr unsigned FormatVersion = 8;
  static constexpr unsigned MaxRegions = 4096;
  static constexpr uint64_t MaxAgeSeconds = 180u * 86400;
  static constexpr uint64_t MaxFileBytes = 64u << 20;
  static constexpr unsigned LockTimeoutMs = 3000;

  /// Touches no file yet. CacheDirectory "" or Executable "" makes an always-empty store. Report
  /// receives each problem once.
  ProfileStore(std::string CacheDirectory, std::string Executable, StoreReporter Report);
  ~ProfileStore();
  ProfileStore(const ProfileStore &) = delete;
  ProfileStore &operator=(const ProfileStore &) = delete;

  /// Makes load() read these cache directories, too. To be called before it.
  void readAlso(std::vector<std::string> CacheDirectories);

  /// Reads the file if there is one. Creates nothing.
  void load() noexcept;

  /// Number of regions that load() found; those of several files count several times.
  size_t size() const noexcept;

  /// Is there an entry for Region? Reads only its name and hash.
  bool knows(const specrt_region &Region) const noexcept;

  /// What earlier runs knew about Region (with nothing packed), decoded on request; nothing when
  /// they did not meet it or its entry does not fit Region. Region must be valid during the call
  /// only, unless the returned profile shall record calls.
  std::optional<StoredRegion> find(const specrt_region &Region) const noexcept;

  /// Was a region of this name worth compiling in an earlier run, whatever its code was then?
  bool wasHot(const std::string &Name) const noexcept;

  /// Merges Updates into the file. Adds: a caller that saves again clears its profiles in between.
  /// Regions that this process did not meet are kept, within the limits above (the longest unused
  /// go first). Waits for other processes at most LockTimeoutMs. Returns false, after a message,
  /// when nothing could be written.
  bool save(const std::vector<StoreUpdate> &Updates) noexcept;

  /// What a file of the store is about.
  struct Summary {
    std::string Executable; ///< absolute path
    size_t NumRegions = 0, NumHot = 0;
  };
  /// Examines a file's text as load() would, for tools; the profile of a region is decoded only
  /// when the region is met. Returns "" or why the file is not understood: half a sentence for "the
  /// file ...".
  static std::string examine(const std::string &Text, Summary &Into);

  /// Absolute path of the file; "" for an always-empty store.
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
  std::shared_ptr<ObservationFiles> Observations; ///< null for an always-empty store
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
