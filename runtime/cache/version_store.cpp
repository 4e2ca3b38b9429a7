//===- runtime/cache/version_store.cpp - the folder of compiled versions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_store.h"
#include "profiler/store/trusted_path.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Returns whether Name consists of 32 hexadecimal digits and Ending.
bool hasOurForm(std::string_view Name, std::string_view Ending) {
  return Name.size() == 32 + Ending.size() && Name.ends_with(Ending) &&
         Name.find_first_not_of("0123456789abcdef") == 32;
}

/// Returns whether this is a version, the lock of one, or an unfinished write.
bool isOurs(std::string_view Name) {
  bool Unfinished = Name.starts_with('.') && Name.size() > 36 &&
                    hasOurForm(Name.substr(1, 35), ".so") && Name.substr(36).starts_with(".tmp-");
  return hasOurForm(Name, ".so") || hasOurForm(Name, ".lock") || Unfinished;
}

std::vector<std::string> namesIn(const Descriptor &Directory) {
  std::vector<std::string> Names;
  int Fd = openat(Directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *Stream = Fd >= 0 ? fdopendir(Fd) : nullptr;
  if (!Stream) {
    if (Fd >= 0)
      close(Fd);
    return Names;
  }
  std::unique_ptr<DIR, int (*)(DIR *)> Owner(Stream, closedir);
  while (const dirent *Entry = readdir(Stream))
    if (isOurs(Entry->d_name))
      Names.push_back(Entry->d_name);
  std::sort(Names.begin(), Names.end());
  return Names;
}

std::vector<std::string> versionNamesIn(const Descriptor &Directory) {
  std::vector<std::string> Found = namesIn(Directory);
  std::erase_if(Found, [](const std::string &Name) { return !hasOurForm(Name, ".so"); });
  return Found;
}

/// Removes an unfinished write, or a lock that no process holds: a process that holds it would not
/// notice a new one.
void removeUnused(const Descriptor &Directory, const std::string &Name) {
  std::string Error;
  bool IsLock = Name.ends_with(".lock");
  FileLock Held = IsLock ? lockFile(Directory, Name, 0, Error) : FileLock();
  if (IsLock && !Held)
    return;
  unlinkat(Directory.get(), Name.c_str(), 0);
}

/// Marks a file as used. The time is updated at most once an hour, which suffices to find old
/// files.
void touch(const Descriptor &File) {
  constexpr time_t Hour = 3600; // seconds
  struct stat Status;
  if (fstat(File.get(), &Status) == 0 && Status.st_mtime + Hour < time(nullptr))
    futimens(File.get(), nullptr);
}

} // namespace

VersionStore::VersionStore(const std::string &CacheDirectory, uint64_t LimitBytes,
                           StoreReporter Report, bool MayWrite, const StoreRoom &Room)
    : Room(Room), CacheDirectory(CacheDirectory), LimitBytes(LimitBytes), Report(std::move(Report)),
      MayWrite(MayWrite) {
  if (!CacheDirectory.empty())
    Path = CacheDirectory + "/" + Room.Folder;
}

Descriptor VersionStore::openDirectory(bool Create) {
  if (Path.empty())
    return Descriptor();
  std::string Error;
  Descriptor Directory = openPrivateDirectory(CacheDirectory, Create, Error);
  if (Directory)
    Directory = openPrivateDirectory(Path, Create, Error);
  if (!Error.empty())
    Report({"nothing is kept between runs: " + Error});
  return Directory;
}

void VersionStore::removeBad(const Descriptor &Directory, const std::string &Name,
                             const std::string &Why) {
  bool Removed = MayWrite && unlinkat(Directory.get(), Name.c_str(), 0) == 0;
  Report({"the " + std::string(Room.One) + " " + Path + "/" + Name + " " + Why +
              (Removed ? " and was removed" : " and is not used"),
          StoreMessage::Kind::UnusableFile});
}

void VersionStore::readAlso(std::vector<std::string> CacheDirectories) {
  Further = std::move(CacheDirectories);
}

/// Opens the folder of another cache directory; returns none, maybe after a message, when it cannot
/// be used.
Descriptor VersionStore::openFurther(const std::string &OtherCache) {
  std::string Error;
  Descriptor Directory = openTrustedDirectory(OtherCache, Error);
  if (Directory)
    Directory = openTrustedDirectory(OtherCache + "/" + Room.Folder, Error);
  if (!Error.empty())
    Report({Error});
  return Directory;
}

bool VersionStore::findIn(const std::string &OtherCache, const VersionKey &Key,
                          StoredVersion &Found) {
  const Descriptor Directory = openFurther(OtherCache);
  if (!Directory)
    return false;
  const std::string Name = Key.fileName();
  Found.Path = OtherCache + "/" + Room.Folder + "/" + Name;
  std::string Error;
  const ReadResult Opened =
      openPrivateFile(Directory, Name, MaxFileBytes, Found.File, Error, Owners::UserOrRoot);
  if (Opened == ReadResult::Missing)
    return false;
  if (Opened == ReadResult::Ok && readAll(Found.File, Found.Bytes, Error))
    Error = decodeVersion(Found.Bytes, Found.Description, Found.Object);
  if (!Error.empty())
    Report({"the " + std::string(Room.One) + " " + Found.Path + " " + Error + " and is not used",
            StoreMessage::Kind::UnusableFile});
  return Error.empty() && Found.Description.Key == Key.Text;
}

bool VersionStore::find(const VersionKey &Key, StoredVersion &Found) {
  if (findOwn(Key, Found))
    return true;
  return std::any_of(Further.begin(), Further.end(), [&](const std::string &Each) {
    Found = StoredVersion();
    return findIn(Each, Key, Found);
  });
}

std::vector<StoredVersion> VersionStore::findAll(const VersionKey &Key) {
  std::vector<StoredVersion> All;
  if (StoredVersion Found; findOwn(Key, Found))
    All.push_back(std::move(Found));
  for (const std::string &Each : Further)
    if (StoredVersion Found; findIn(Each, Key, Found))
      All.push_back(std::move(Found));
  return All;
}

bool VersionStore::findOwn(const VersionKey &Key, StoredVersion &Found) {
  Descriptor Directory = openDirectory(/*Create=*/false);
  if (!Directory)
    return false;
  std::string Name = Key.fileName(), Error;
  switch (openPrivateFile(Directory, Name, MaxFileBytes, Found.File, Error)) {
  case ReadResult::Missing:
    return false;
  case ReadResult::Unreadable:
    Report({"the " + std::string(Room.One) + " " + Path + "/" + Name + " " + Error,
            StoreMessage::Kind::UnusableFile});
    return false;
  case ReadResult::Bad:
    removeBad(Directory, Name, Error);
    return false;
  case ReadResult::Ok:
    break;
  }
  if (!readAll(Found.File, Found.Bytes, Error)) {
    Report({"the " + std::string(Room.One) + " " + Path + "/" + Name + " " + Error,
            StoreMessage::Kind::UnusableFile});
    return false;
  }
  Error = decodeVersion(Found.Bytes, Found.Description, Found.Object);
  if (!Error.empty()) {
    removeBad(Directory, Name, Error);
    return false;
  }
  // The name is only a hash. A different key with the same hash is no damage: the next store
  // replaces it.
  if (Found.Description.Key != Key.Text)
    return false;
  Found.Path = Path + "/" + Name;
  if (MayWrite)
    touch(Found.File);
  return true;
}

bool VersionStore::has(const VersionKey &Key) {
  const auto IsIn = [Name = Key.fileName()](const Descriptor &Directory) {
    return Directory && faccessat(Directory.get(), Name.c_str(), F_OK, 0) == 0;
  };
  return IsIn(openDirectory(/*Create=*/false)) ||
         std::any_of(Further.begin(), Further.end(),
                     [&](const std::string &Each) { return IsIn(openFurther(Each)); });
}

bool VersionStore::put(const VersionKey &Key, VersionDescription Description,
                       std::string_view Object, bool Durable) {
  Descriptor Directory = openDirectory(/*Create=*/true);
  if (!Directory)
    return false;
  Description.Key = Key.Text;
  Description.Created = secondsNow();
  std::string Bytes = encodeVersion(Object, Description), Name = Key.fileName();
  if (!hasRoomFor(Bytes.size())) {
    Report({"a " + std::string(Room.One) + " of " + Description.Region +
            " is larger than SPECRT_CACHE_LIMIT allows"});
    return false;
  }
  std::string Error = replaceFile(Directory, Name, Bytes, {.Durable = Durable});
  if (!Error.empty()) {
    Report({"what this run learned is not kept: " + Path + "/" + Name + " " + Error});
    return false;
  }
  makeRoom(Directory, Name);
  return true;
}

/// Removes the least recently used files until nine tenths of the limit are left, and unfinished
/// writes of processes that were killed.
void VersionStore::makeRoom(const Descriptor &Directory, const std::string &Keep) {
  constexpr uint64_t AbandonedSeconds = 3600; // no write takes that long
  struct Candidate {
    uint64_t LastUsed, Bytes;
    std::string Name;
  };
  std::vector<Candidate> Files;
  uint64_t Sum = 0, Now = secondsNow();
  for (std::string &Name : namesIn(Directory)) {
    struct stat Status;
    if (fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    uint64_t Used = static_cast<uint64_t>(std::max<time_t>(Status.st_mtime, 0));
    if (hasOurForm(Name, ".so")) {
      Sum += static_cast<uint64_t>(Status.st_size);
      Files.push_back({Used, static_cast<uint64_t>(Status.st_size), std::move(Name)});
    } else if (Used + AbandonedSeconds < Now) {
      removeUnused(Directory, Name);
    }
  }
  if (Sum <= LimitBytes)
    return;
  std::sort(Files.begin(), Files.end(), [](const Candidate &A, const Candidate &B) {
    return A.LastUsed != B.LastUsed ? A.LastUsed < B.LastUsed : A.Name < B.Name;
  });
  for (const Candidate &File : Files) {
    if (Sum <= LimitBytes - LimitBytes / 10)
      break;
    if (File.Name == Keep || unlinkat(Directory.get(), File.Name.c_str(), 0) != 0)
      continue;
    Sum -= File.Bytes;
  }
}

FileLock VersionStore::lock(const VersionKey &Key, const std::function<bool()> &Wait) {
  Descriptor Directory = openDirectory(/*Create=*/true);
  if (!Directory)
    return FileLock();
  std::string Name = Key.fileName().substr(0, 32) + ".lock", Error;
  while (true) {
    constexpr unsigned SliceMs = 20; // the time between two calls of Wait
    Error.clear();
    if (FileLock Held = lockFile(Directory, Name, SliceMs, Error))
      return Held;
    if (faccessat(Directory.get(), Name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0 || !Wait())
      return FileLock();
  }
}

/// Adds the files in a folder with the path Path.
static void addEntries(const Descriptor &Directory, const std::string &Path, Owners Whose,
                       std::vector<VersionEntry> &Entries) {
  for (const std::string &Name : versionNamesIn(Directory)) {
    VersionEntry Entry;
    Entry.Path = std::string(Path).append("/").append(Name);
    struct stat Status;
    if (fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) == 0) {
      Entry.Bytes = static_cast<uint64_t>(Status.st_size);
      Entry.LastUsed = static_cast<uint64_t>(std::max<time_t>(Status.st_mtime, 0));
    }
    std::string Bytes;
    std::string_view Object;
    if (readPrivateFile(Directory, Name, VersionStore::MaxFileBytes, Bytes, Entry.Problem, Whose) ==
        ReadResult::Ok)
      Entry.Problem = decodeVersion(Bytes, Entry.Description, Object);
    if (Entry.Problem.empty() && VersionKey{Entry.Description.Key}.fileName() != Name)
      Entry.Problem = "does not belong to its name";
    Entries.push_back(std::move(Entry));
  }
}

std::vector<VersionEntry> VersionStore::list() {
  std::vector<VersionEntry> Entries;
  if (const Descriptor Directory = openDirectory(/*Create=*/false))
    addEntries(Directory, Path, Owners::User, Entries);
  return Entries;
}

std::vector<VersionEntry> VersionStore::listFurther() {
  std::vector<VersionEntry> Entries;
  for (const std::string &Each : Further)
    if (const Descriptor Directory = openFurther(Each))
      addEntries(Directory, Each + "/" + Room.Folder, Owners::UserOrRoot, Entries);
  return Entries;
}

std::vector<std::string> VersionStore::names() {
  std::vector<std::string> Found;
  const auto Add = [&](const Descriptor &Directory) {
    if (Directory)
      for (std::string &Name : versionNamesIn(Directory))
        Found.push_back(std::move(Name));
  };
  Add(openDirectory(/*Create=*/false));
  for (const std::string &Each : Further)
    Add(openFurther(Each));
  std::sort(Found.begin(), Found.end());
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return Found;
}

size_t VersionStore::clear() {
  Descriptor Directory = openDirectory(/*Create=*/false);
  size_t Removed = 0;
  if (Directory)
    for (const std::string &Name : namesIn(Directory))
      Removed += unlinkat(Directory.get(), Name.c_str(), 0) == 0;
  return Removed;
}

} // namespace specrt
