//===- runtime/cache/version_store.h - the folder of compiled versions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <cache directory>/versions, or another room of it: one file per key, named by the key's hash.
// Several processes use it at the same time without knowing each other:
//
//   reading   opens the file without following links, checks owner and mode, reads it, checks the
//             checksum and compares the whole key; only then does anybody map it
//   writing   a new file under a unique name, brought to disk, renamed over the old one
//   compiling under a lock per key, so that the others wait for the first and then read
//
// Further cache directories may have versions, too: those of a site or a package. They belong to
// the user or root, are looked at after the own one, and nothing is written there, not even
// removed.
//
// A file that is not what it should be is removed with one line in the log and made anew. When the
// directory cannot be used (no home, read-only, full, somebody else's), one line says so and the
// program runs without it. The time of last use is stored as the file's modification time; when all
// files together are larger than the limit, the longest unused are removed.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CACHE_VERSION_STORE_H
#define SPECRT_RUNTIME_CACHE_VERSION_STORE_H

#include "profiler/store/store_file.h"
#include "profiler/store/store_message.h"
#include "runtime/cache/version_file.h"
#include "runtime/cache/version_key.h"
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace specrt {

/// A file that passed every check.
struct StoredVersion {
  Descriptor File;         ///< open; what Bytes was read from
  std::string Path;        ///< absolute
  std::string Bytes;       ///< the whole file
  std::string_view Object; ///< the shared object within Bytes
  VersionDescription Description;
};

/// One file in the folder, checked or not.
struct VersionEntry {
  std::string Path;
  uint64_t Bytes = 0;
  uint64_t LastUsed = 0; ///< seconds since 1970
  std::string Problem;   ///< "" or why it cannot be used
  VersionDescription Description;
};

/// Which folder of the cache directory, and what its files are called in messages.
struct StoreRoom {
  const char *Folder;
  const char *One;
};
inline constexpr StoreRoom VersionsRoom = {"versions", "compiled version"};
/// What is known of the rows of loops (runtime/kept/kept_tables.h).
inline constexpr StoreRoom RowsRoom = {"rows", "table of rows"};

/// Thread-safe. No function throws except std::bad_alloc.
class VersionStore {
public:
  static constexpr uint64_t MaxFileBytes = 64u << 20;

  /// Touches no file yet. CacheDirectory "" makes an always-empty store. MayWrite false: find
  /// leaves the folder as it is, and who has such a store does not call put, lock and clear. Report
  /// receives problems, perhaps more than once.
  VersionStore(const std::string &CacheDirectory, uint64_t LimitBytes, StoreReporter Report,
               bool MayWrite = true, const StoreRoom &Room = VersionsRoom);

  /// Makes find, findAll, has and names look into these cache directories, too, after the own one.
  /// Must be called before any of these.
  void readAlso(std::vector<std::string> CacheDirectories);

  /// False: nothing there, or nothing usable. Marks what it finds as used, and removes what can
  /// never be used.
  bool find(const VersionKey &Key, StoredVersion &Found);
  /// Returns the versions with this key in all directories, the own one first.
  std::vector<StoredVersion> findAll(const VersionKey &Key);

  /// Is there a file under Key's name? Not checked further.
  bool has(const VersionKey &Key);

  /// May something be stored of so many bytes?
  bool hasRoomFor(uint64_t Bytes) const { return Bytes <= std::min(LimitBytes, MaxFileBytes); }
  /// The names of all files, VersionKey::fileName, ascending.
  std::vector<std::string> names();

  /// Stores Object. Description.Key and Created are filled in. False, after a message, when it
  /// could not be written. Not durable: after a crash of the machine the file may be damaged.
  bool put(const VersionKey &Key, VersionDescription Description, std::string_view Object,
           bool Durable = true);

  /// Waits until no other process compiles Key, while Wait() says so. An empty lock when Wait ended
  /// the waiting, and when there is no directory to lock in: the caller goes on all the same.
  FileLock lock(const VersionKey &Key, const std::function<bool()> &Wait);

  /// All files of the own directory, read and verified, for tools.
  std::vector<VersionEntry> list();
  /// Returns all files in the directories of readAlso, read and verified, for tools.
  std::vector<VersionEntry> listFurther();

  /// Removes all files that libspecrt wrote; their number.
  size_t clear();

  /// Absolute path of the folder; "" for an always-empty store.
  const std::string &path() const { return Path; }

private:
  Descriptor openDirectory(bool Create);
  Descriptor openFurther(const std::string &OtherCache);
  bool findOwn(const VersionKey &Key, StoredVersion &Found);
  bool findIn(const std::string &OtherCache, const VersionKey &Key, StoredVersion &Found);
  void removeBad(const Descriptor &Directory, const std::string &Name, const std::string &Why);
  void makeRoom(const Descriptor &Directory, const std::string &Keep);

  const StoreRoom &Room;
  std::string CacheDirectory, Path;
  uint64_t LimitBytes;
  StoreReporter Report;
  bool MayWrite;
  std::vector<std::string> Further; ///< cache directories
};

} // namespace specrt

#endif
