//===- runtime/cache/version_store.h - the folder of compiled versions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <cache directory>/versions, or another room of it: one file per key, named by the key's hash.
// Several processes use it at the same time without knowing each other:
//
//   reading   opens the file without following links, checks owner and mode, reads it, checks the
//             checksum and compares the whole key; only then is it mapped
//   writing   a new file under a unique name, brought to disk, renamed over the old one
//   compiling under a lock per key, so that the others wait for the first and then read
//
// Further cache directories, of a site or a package, may contain versions, too. They belong to the
// user or root, are searched after the user's own one, and are never written to.
//
// A file that is invalid is removed with one line in the log and made anew. When the directory
// cannot be used (no home, read-only, full, another owner), one line reports it and the program
// runs without it. The time of last use is stored as the file's modification time; when all files
// together are larger than the limit, the least recently used ones are removed.
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

/// A file that passed all checks.
struct StoredVersion {
  Descriptor File;         ///< open; Bytes was read from it
  std::string Path;        ///< absolute
  std::string Bytes;       ///< the whole file
  std::string_view Object; ///< the shared object within Bytes
  VersionDescription Description;
};

/// A file in the folder, valid or not.
struct VersionEntry {
  std::string Path;
  uint64_t Bytes = 0;
  uint64_t LastUsed = 0; ///< seconds since 1970
  std::string Problem;   ///< "" or why it cannot be used
  VersionDescription Description;
};

/// A folder of the cache directory, and the name of its files in messages.
struct StoreRoom {
  const char *Folder;
  const char *One;
};
inline constexpr StoreRoom VersionsRoom = {"versions", "compiled version"};
/// Data about rows of loops (runtime/plans/persistent_plans.h).
inline constexpr StoreRoom RowsRoom = {"rows", "persistent plan"};

/// Thread-safe. No function throws except std::bad_alloc.
class VersionStore {
public:
  /// Bounds the memory for a file; shared objects of versions take some ten kilobytes.
  static constexpr uint64_t MaxFileBytes = 64u << 20;

  /// Accesses no file yet. CacheDirectory "" makes a store that is always empty. With MayWrite
  /// false, find does not change the folder, and put, lock and clear must not be called. Report
  /// receives problems, perhaps repeatedly.
  VersionStore(const std::string &CacheDirectory, uint64_t LimitBytes, StoreReporter Report,
               bool MayWrite = true, const StoreRoom &Room = VersionsRoom);

  /// Makes find, findAll, has and names search these cache directories, too, after the user's own
  /// one. Must be called before any of these.
  void readAlso(std::vector<std::string> CacheDirectories);

  /// Returns false if there is no usable file. Marks a file that it finds as used, and removes
  /// files that can never be used.
  bool find(const VersionKey &Key, StoredVersion &Found);
  /// Returns the versions with this key in all directories, the own one first.
  std::vector<StoredVersion> findAll(const VersionKey &Key);

  /// Returns whether there is a file with Key's name, without verifying it.
  bool has(const VersionKey &Key);

  /// Returns whether a file of this size may be stored.
  bool hasRoomFor(uint64_t Bytes) const { return Bytes <= std::min(LimitBytes, MaxFileBytes); }
  /// Returns the names of all files, as VersionKey::fileName, ascending.
  std::vector<std::string> names();

  /// Stores Object. Fills in Description.Key and Created. Returns false, after a message, when it
  /// could not be written. If not Durable, the file may be damaged after a crash of the machine.
  bool put(const VersionKey &Key, VersionDescription Description, std::string_view Object,
           bool Durable = true);

  /// Waits until no other process compiles Key, as long as Wait() returns true. Returns an empty
  /// lock when Wait ended the waiting, or when there is no directory for the lock: the caller
  /// continues in both cases.
  FileLock lock(const VersionKey &Key, const std::function<bool()> &Wait);

  /// Returns all files of the user's own directory, read and verified, for tools.
  std::vector<VersionEntry> list();
  /// Returns all files in the directories of readAlso, read and verified, for tools.
  std::vector<VersionEntry> listFurther();

  /// Removes all files that libspecrt wrote; returns their number.
  size_t clear();

  /// Returns the absolute path of the folder; "" for a store that is always empty.
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
