//===- profiler/store/profile_store.cpp - stores profiles of programs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_store.h"

#include "profiler/json/json_reader.h"
#include "profiler/store/profile_contents.h"
#include "profiler/store/trusted_path.h"
#include "support/content_hash.h"
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace specrt {

using nlohmann::json;

namespace {

/// Returns a name in UTF-8 for JSON; another name keeps its ASCII part, the same in every run.
std::string validName(const std::string &Name) {
  std::string Quoted = json(Name).dump(-1, ' ', false, json::error_handler_t::ignore);
  std::string Strict = json(Name).dump(-1, ' ', false, json::error_handler_t::replace);
  if (Quoted == Strict)
    return Name;
  std::string Valid = Name;
  for (char &C : Valid)
    if (static_cast<unsigned char>(C) >= 0x80)
      C = '?';
  return Valid;
}

std::string hashText(const uint64_t Hash[2]) {
  char Text[40];
  std::snprintf(Text, sizeof(Text), "%016" PRIx64 "%016" PRIx64, Hash[1], Hash[0]);
  return Text;
}

} // namespace

/// A file that was read, and the place of its large observations.
struct ProfileStore::Reading {
  std::string Path;
  std::shared_ptr<const ProfileContents> What;
  std::shared_ptr<ObservationFiles> Observations;
};

std::string ProfileStore::examine(const std::string &Text, Summary &Into) {
  ProfileContents Read;
  std::string Problem = Read.parse(Text);
  Into.Executable = Read.Executable;
  Into.NumRegions = Read.Regions.size();
  for (const auto &[Key, Region] : Read.Regions) {
    JsonReader In;
    Into.NumHot += In.boolean(Region, "hot");
    if (!In.good() && Problem.empty())
      Problem = "is damaged (in the region " + In.string(Region, "name") + ")";
  }
  return Problem;
}

std::string defaultCacheDirectory(const std::function<const char *(const char *)> &Getenv) {
  const char *Own = Getenv("SPECRT_CACHE_DIR");
  if (Own && *Own == '/')
    return Own;
  const char *Xdg = Getenv("XDG_CACHE_HOME");
  if (Xdg && *Xdg == '/')
    return std::string(Xdg) + "/specrt";
  const char *Home = Getenv("HOME");
  if (Home && *Home == '/')
    return std::string(Home) + "/.cache/specrt";
  return "";
}

ProfileStore::ProfileStore(std::string CacheDirectory, std::string Executable, StoreReporter Report)
    : CacheDirectory(std::move(CacheDirectory)), Executable(std::move(Executable)),
      Report(std::move(Report)) {
  if (this->Executable.empty())
    return;
  FileName = storeFileName(this->Executable);
  if (this->CacheDirectory.empty())
    return;
  Path = this->CacheDirectory + "/profiles/" + FileName;
  Observations = std::make_shared<ObservationFiles>(this->CacheDirectory + "/profiles", FileName,
                                                    this->Report);
}

ProfileStore::~ProfileStore() = default;

void ProfileStore::report(const StoreMessage &Message) const {
  if (Report && Reported.insert(Message.Text).second)
    Report(Message);
}

Descriptor ProfileStore::openDirectory(bool Create) const {
  std::string Error;
  Descriptor Directory = openPrivateDirectory(CacheDirectory, Create, Error);
  if (Directory)
    Directory = openPrivateDirectory(CacheDirectory + "/profiles", Create, Error);
  if (!Error.empty())
    report({"nothing is kept between runs: " + Error});
  return Directory;
}

/// Returns false if the file exists and must not be replaced.
bool ProfileStore::readFile(const Descriptor &Directory, ProfileContents &Into) {
  std::string Text, Error;
  switch (readPrivateFile(Directory, FileName, MaxFileBytes, Text, Error)) {
  case ReadResult::Missing:
    return true;
  case ReadResult::Unreadable:
    report({"the profile " + Path + " " + Error, StoreMessage::Kind::UnusableFile});
    return false;
  case ReadResult::Ok:
    Into.Hash = contentHash(Text);
    // Usually no other process has written it since.
    if (Loaded && Loaded->Hash == Into.Hash) {
      Into = *Loaded;
      return true;
    }
    Error = Into.parse(Text);
    if (Error.empty())
      return true;
    break;
  case ReadResult::Bad:
    break;
  }
  Into = {};
  bool Moved = setAside(Directory, FileName);
  report({"the profile " + Path + " " + Error + " and is ignored" +
              (Moved ? "; it was moved to " + FileName + ".bad" : ""),
          StoreMessage::Kind::UnusableFile});
  return Moved;
}

void ProfileStore::readAlso(std::vector<std::string> CacheDirectories) {
  FurtherDirectories = std::move(CacheDirectories);
}

void ProfileStore::load() noexcept try {
  if (FileName.empty())
    return;
  if (Descriptor Directory = Path.empty() ? Descriptor() : openDirectory(/*Create=*/false)) {
    auto Read = std::make_unique<ProfileContents>();
    readFile(Directory, *Read);
    Loaded = std::move(Read);
  }
  for (const std::string &Each : FurtherDirectories)
    loadFurther(Each);
} catch (...) {
  // Without memory this run starts without a profile, or with those that have been read.
}

/// Returns the profiles in a folder of programs with the same base name as the one with \p
/// FileName; its own comes first.
static std::vector<std::string> profilesLike(const std::string &FileName,
                                             const Descriptor &Directory) {
  constexpr size_t MostFiles = 8; // each is read at every start
  std::vector<std::string> Names;
  const int Fd = openat(Directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR *)> Entries(Fd >= 0 ? fdopendir(Fd) : nullptr, closedir);
  if (!Entries && Fd >= 0)
    close(Fd);
  while (const dirent *Entry = Entries ? readdir(Entries.get()) : nullptr)
    if (isForSameBaseName(Entry->d_name, FileName))
      Names.emplace_back(Entry->d_name);
  std::sort(Names.begin(), Names.end(), [&](const std::string &A, const std::string &B) {
    return std::pair(A != FileName, A) < std::pair(B != FileName, B);
  });
  Names.resize(std::min(Names.size(), MostFiles));
  return Names;
}

void ProfileStore::loadFurther(const std::string &CacheDirectory) {
  const std::string Folder = CacheDirectory + "/profiles";
  std::string Error;
  Descriptor Directory = openTrustedDirectory(CacheDirectory, Error);
  if (Directory)
    Directory = openTrustedDirectory(Folder, Error);
  if (!Error.empty())
    report({Error});
  if (!Directory)
    return;
  for (const std::string &Name : profilesLike(FileName, Directory)) {
    auto Read = std::make_shared<ProfileContents>();
    std::string Text;
    const ReadResult Result =
        readPrivateFile(Directory, Name, MaxFileBytes, Text, Error, Owners::UserOrRoot);
    if (Result == ReadResult::Missing)
      continue;
    if (Result == ReadResult::Ok)
      Error = Read->parse(Text);
    const std::string File = std::string(Folder).append("/").append(Name);
    if (Error.empty())
      Further.push_back(
          {File, std::move(Read),
           std::make_shared<ObservationFiles>(Folder, Name, Report, Owners::UserOrRoot)});
    else
      report({std::string("the profile ").append(File).append(" ") + Error + " and is not used",
              StoreMessage::Kind::UnusableFile});
    Error.clear();
  }
}

size_t ProfileStore::size() const noexcept {
  size_t Sum = Loaded ? Loaded->Regions.size() : 0;
  for (const Reading &Each : Further)
    Sum += Each.What->Regions.size();
  return Sum;
}

bool ProfileStore::knows(const specrt_region &Region) const noexcept try {
  if (size() == 0)
    return false;
  const std::string Key =
      ProfileContents::key(validName(Region.name), hashText(Region.bitcode_hash));
  return (Loaded && Loaded->Regions.contains(Key)) ||
         std::any_of(Further.begin(), Further.end(),
                     [&](const Reading &Each) { return Each.What->Regions.contains(Key); });
} catch (...) {
  return false;
}

/// Returns the data of the file \p From about \p Region. Returns nothing when the file does not
/// contain the region, and after a message when the entry is damaged.
std::optional<StoredRegion> ProfileStore::read(const Reading &From, const std::string &Key,
                                               const specrt_region &Region) const {
  const auto Found = From.What->Regions.find(Key);
  if (Found == From.What->Regions.end())
    return std::nullopt;
  auto Stored = readRegion(Found->second, RegionProfile(Region), From.Observations);
  if (!Stored) {
    std::unique_lock Guard(Lock, std::chrono::milliseconds(LockTimeoutMs));
    if (Guard.owns_lock())
      report({"the profile of " + validName(Region.name) + " in " + From.Path +
                  " is damaged and is ignored",
              StoreMessage::Kind::UnusableFile});
  }
  // Decisions that assume cells which the region does not have are dropped.
  if (Stored)
    std::erase_if(Stored->Decisions, [&](const StoredDecision &Decision) {
      return !haveCellsOf(Region, Decision.Assumed);
    });
  return Stored;
}

/// Merges the user's own file with the first further file that contains the region. More than one
/// would count calls twice, because cache directories may be copies of each other.
std::optional<StoredRegion> ProfileStore::find(const specrt_region &Region) const noexcept try {
  if (size() == 0)
    return std::nullopt;
  const std::string Key =
      ProfileContents::key(validName(Region.name), hashText(Region.bitcode_hash));
  std::optional<StoredRegion> Own, Other;
  if (Loaded) // Reading does not own it
    Own = read({Path, {std::shared_ptr<void>(), Loaded.get()}, Observations}, Key, Region);
  for (auto Each = Further.begin(); Each != Further.end() && !Other; ++Each)
    Other = read(*Each, Key, Region);
  if (!Own || !Other)
    return Own ? Own : Other;
  if (Own->LastUsed < Other->LastUsed)
    std::swap(Own, Other);
  merge(*Other, *Own);
  return Other;
} catch (...) {
  return std::nullopt;
}

bool ProfileStore::wasHot(const std::string &Name) const noexcept try {
  if (size() == 0)
    return false;
  const std::string Suffix = ProfileContents::key(validName(Name), "");
  const auto WasHot = [&](const ProfileContents &In) {
    return std::any_of(In.Regions.begin(), In.Regions.end(), [&](const auto &R) {
      JsonReader Fields;
      return R.first.ends_with(Suffix) && Fields.boolean(R.second, "hot");
    });
  };
  return (Loaded && WasHot(*Loaded)) ||
         std::any_of(Further.begin(), Further.end(),
                     [&](const Reading &Each) { return WasHot(*Each.What); });
} catch (...) {
  return false;
}

void ProfileStore::mergeUpdate(const StoreUpdate &Update, uint64_t Now,
                               ProfileContents &Into) const {
  std::string Name = validName(Update.Name), Hash = hashText(Update.BitcodeHash);
  json &Entry = Into.Regions[ProfileContents::key(Name, Hash)];
  StoredRegion New = Update.Region;
  New.LastUsed = Now;
  for (StoredDecision &Decision : New.Decisions)
    Decision.Stamp = Decision.Stamp ? Decision.Stamp : Now;

  std::optional<StoredRegion> Old;
  if (!Entry.is_null()) {
    Old = readRegion(Entry, New.Profile, Observations);
    if (!Old) {
      report({"the profile of " + Name + " in " + Path + " is damaged and is replaced",
              StoreMessage::Kind::UnusableFile});
      Entry = json();
    }
  }
  if (!Old) {
    Old = StoredRegion{.Profile = New.Profile};
    Old->Profile.clear();
  }
  merge(*Old, New);
  Entry["name"] = Name;
  Entry["bitcode_hash"] = Hash;
  write(*Old, *Observations, Entry);
}

bool ProfileStore::saveLocked(const std::vector<StoreUpdate> &Updates) {
  Descriptor Directory = openDirectory(/*Create=*/true);
  if (!Directory)
    return false;
  std::string Error;
  FileLock Exclusive = lockFile(Directory, FileName + ".lock", LockTimeoutMs, Error);
  if (!Exclusive) {
    report({"what this run learned is not kept: " + Path + ".lock " + Error});
    return false;
  }
  ProfileContents Merged;
  if (!readFile(Directory, Merged))
    return false;
  // Other processes may have started with the old references and may still need to read their
  // files.
  std::set<std::string> Before = Merged.references();
  uint64_t Now = static_cast<uint64_t>(std::time(nullptr));
  for (const StoreUpdate &Update : Updates)
    mergeUpdate(Update, Now, Merged);
  Merged.prune(Now > MaxAgeSeconds ? Now - MaxAgeSeconds : 0, MaxRegions);
  Merged.pruneReferences(*Observations);
  std::string Text = Merged.dump(Executable);
  while (Text.size() > MaxFileBytes && Merged.Regions.size() > 1) {
    Merged.prune(0, Merged.Regions.size() / 2);
    Text = Merged.dump(Executable);
  }
  // The file is not forced to disk, because every run would wait for that at its end. After a crash
  // of the machine it may not be JSON; it is set aside then, and its data are collected again.
  Error = replaceFile(Directory, FileName, Text, {.Durable = false, .KeepSpare = true});
  if (Error.empty())
    Before.merge(Merged.references());
  else
    report({"what this run learned is not kept: " + Path + " " + Error});
  Observations->removeOthers(Before);
  return Error.empty();
}

bool ProfileStore::save(const std::vector<StoreUpdate> &Updates) noexcept try {
  if (Path.empty() || Updates.empty())
    return true;
  std::unique_lock Guard(Lock, std::chrono::milliseconds(LockTimeoutMs));
  return Guard.owns_lock() && saveLocked(Updates);
} catch (...) {
  return false; // without memory, or if a reporter throws
}

} // namespace specrt
