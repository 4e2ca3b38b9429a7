//===- profiler/store/profile_store.cpp - what earlier runs of this program learned ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_store.h"

#include "profiler/json/json_reader.h"
#include "profiler/json/json_writer.h"
#include "profiler/store/stored_json.h"
#include "support/content_hash.h"
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace specrt {
namespace {

using nlohmann::json;

constexpr const char *FormatName = "specrt-profile";

/// JSON is UTF-8; a name that is not keeps its ASCII part, the same in every run.
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

/// The regions of one file in their JSON form, by hash and name.
struct ProfileStore::Contents {
  std::map<std::string, json> Regions;
  ContentHash Hash;       ///< of the text that was read; readFile sets it
  std::string Executable; ///< as the file says

  Contents() = default;
  ~Contents() {
    for (auto &[Key, Region] : Regions)
      emptyJson(Region);
  }
  Contents(const Contents &) = default;
  Contents &operator=(const Contents &) = default;

  static std::string key(const std::string &Name, const std::string &Hash) {
    return Hash + " " + Name;
  }

  /// Takes a file's text apart. Returns "" or why it is not understood.
  std::string parse(const std::string &Text) {
    json Root;
    const EmptyJsonAtEnd Guard(Root);
    JsonReader In;
    if (std::string Problem = parseStored(Text, Root); !Problem.empty())
      return Problem;
    if (In.string(Root, "format") != FormatName)
      return "was not written by libspecrt";
    uint64_t Version = In.count(Root, "version");
    if (In.good() && Version > FormatVersion)
      return "was written by a newer libspecrt";
    if (!In.good() || Version == 0)
      return "is damaged (no version)";
    if (Version < FormatVersion)
      return "was written by an older libspecrt";
    Executable = JsonReader().string(Root, "executable"); // not needed to understand the rest
    json *Found = Root.contains("regions") ? &Root["regions"] : nullptr;
    if (!Found || !Found->is_array())
      return "is damaged (no regions)";
    for (json &Region : *Found) {
      std::string Key = key(In.string(Region, "name"), In.string(Region, "bitcode_hash"));
      if (!In.good())
        return "is damaged (a region without a name)";
      Regions[Key] = std::move(Region);
    }
    return "";
  }

  static uint64_t lastUsed(const json &Region) {
    JsonReader In;
    return In.count(Region, "last_used");
  }

  /// Forgets what was not used since Oldest, then the longest unused beyond Limit regions.
  void prune(uint64_t Oldest, size_t Limit) {
    std::erase_if(Regions, [&](const auto &R) { return lastUsed(R.second) < Oldest; });
    if (Regions.size() <= Limit)
      return;
    std::vector<uint64_t> Stamps;
    Stamps.reserve(Regions.size());
    for (const auto &[Key, Region] : Regions)
      Stamps.push_back(lastUsed(Region));
    size_t Excess = Regions.size() - Limit;
    std::nth_element(Stamps.begin(), Stamps.begin() + Excess, Stamps.end());
    uint64_t FirstKept = Stamps[Excess];
    for (auto I = Regions.begin(); I != Regions.end() && Regions.size() > Limit;)
      I = lastUsed(I->second) < FirstKept ? Regions.erase(I) : std::next(I);
    while (Regions.size() > Limit) // equally old ones
      Regions.erase(std::find_if(Regions.begin(), Regions.end(),
                                 [&](const auto &R) { return lastUsed(R.second) == FirstKept; }));
  }

  /// Calls Visit(reference) for the hash of each file that a region refers to, from the region used
  /// last to the longest unused, and forgets the reference where it returns false.
  template <typename Visitor> void filterReferences(Visitor Visit) {
    std::vector<json *> ByUse;
    for (auto &[Key, Region] : Regions)
      if (observationFilesOf(Region))
        ByUse.push_back(&Region);
    std::sort(ByUse.begin(), ByUse.end(),
              [](json *A, json *B) { return lastUsed(*A) > lastUsed(*B); });
    for (json *Region : ByUse) {
      json &References = *observationFilesOf(*Region);
      for (auto I = References.begin(); I != References.end();)
        I = I->is_string() && Visit(I->get_ref<const std::string &>()) ? std::next(I)
                                                                       : References.erase(I);
    }
  }

  std::set<std::string> references() {
    std::set<std::string> Hashes;
    filterReferences([&](const std::string &Hash) { return Hashes.insert(Hash), true; });
    return Hashes;
  }

  /// Forgets what is lost, and of the rest the longest unused beyond the limit.
  void pruneReferences(ObservationFiles &Files) {
    const std::map<std::string, uint64_t> Sizes = Files.sizes();
    uint64_t Total = 0;
    filterReferences([&](const std::string &Hash) {
      auto Found = Sizes.find(Hash);
      if (Found == Sizes.end() || Files.isLost(Hash))
        return false;
      Total += Found->second;
      return Total <= ObservationFiles::MaxTotalBytes;
    });
  }

  /// One line per region. Without other space: every run reads all of it, and most write it.
  std::string dump(const std::string &Executable) const {
    const json Head = {
        {"format", FormatName}, {"version", FormatVersion}, {"executable", Executable}};
    std::string Result = jsonText(Head, -1);
    Result.resize(Result.rfind('}'));
    Result += ",\n\"regions\":[";
    const char *Between = "\n";
    for (const auto &[Key, Region] : Regions) {
      Result += std::exchange(Between, ",");
      Result += jsonText(Region, -1);
    }
    return Result + "]}\n";
  }
};

std::string ProfileStore::examine(const std::string &Text, Summary &Into) {
  Contents Read;
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
  if (this->CacheDirectory.empty() || this->Executable.empty())
    return;
  FileName = storeFileName(this->Executable);
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

/// False: the file exists and must not be replaced.
bool ProfileStore::readFile(const Descriptor &Directory, Contents &Into) {
  std::string Text, Error;
  switch (readPrivateFile(Directory, FileName, MaxFileBytes, Text, Error)) {
  case ReadResult::Missing:
    return true;
  case ReadResult::Unreadable:
    report({"the profile " + Path + " " + Error, StoreMessage::Kind::UnusableFile});
    return false;
  case ReadResult::Ok:
    Into.Hash = contentHash(Text);
    // Most often nobody else has written it since.
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

void ProfileStore::load() noexcept try {
  if (Path.empty())
    return;
  Descriptor Directory = openDirectory(/*Create=*/false);
  if (!Directory)
    return;
  auto Read = std::make_unique<Contents>();
  readFile(Directory, *Read);
  Loaded = std::move(Read);
} catch (...) {
  // Out of memory: this run starts without a profile.
}

size_t ProfileStore::size() const noexcept { return Loaded ? Loaded->Regions.size() : 0; }

bool ProfileStore::knows(const specrt_region &Region) const noexcept try {
  return size() > 0 && Loaded->Regions.contains(
                           Contents::key(validName(Region.name), hashText(Region.bitcode_hash)));
} catch (...) {
  return false;
}

std::optional<StoredRegion> ProfileStore::find(const specrt_region &Region) const noexcept try {
  if (size() == 0)
    return std::nullopt;
  std::string Name = validName(Region.name);
  auto Found = Loaded->Regions.find(Contents::key(Name, hashText(Region.bitcode_hash)));
  if (Found == Loaded->Regions.end())
    return std::nullopt;
  auto Stored = readRegion(Found->second, RegionProfile(Region), Observations);
  if (!Stored) {
    std::unique_lock Guard(Lock, std::chrono::milliseconds(LockTimeoutMs));
    if (Guard.owns_lock())
      report({"the profile of " + Name + " in " + Path + " is damaged and is ignored",
              StoreMessage::Kind::UnusableFile});
  }
  // Drops decisions that assume cells which the region does not have.
  if (Stored)
    std::erase_if(Stored->Decisions, [&](const StoredDecision &Decision) {
      return !haveCellsOf(Region, Decision.Assumed);
    });
  return Stored;
} catch (...) {
  return std::nullopt;
}

bool ProfileStore::wasHot(const std::string &Name) const noexcept try {
  if (size() == 0)
    return false;
  std::string Suffix = Contents::key(validName(Name), "");
  return std::any_of(Loaded->Regions.begin(), Loaded->Regions.end(), [&](const auto &R) {
    JsonReader In;
    return R.first.ends_with(Suffix) && In.boolean(R.second, "hot");
  });
} catch (...) {
  return false;
}

void ProfileStore::mergeUpdate(const StoreUpdate &Update, uint64_t Now, Contents &Into) const {
  std::string Name = validName(Update.Name), Hash = hashText(Update.BitcodeHash);
  json &Entry = Into.Regions[Contents::key(Name, Hash)];
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
  Contents Merged;
  if (!readFile(Directory, Merged))
    return false;
  // Other processes may have started from what is replaced, and not have read its files yet.
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
  // Not brought to disk, for which every run would wait at its end: what a crash of the machine
  // leaves of the file is not JSON, is set aside, and learned anew.
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
  return false; // out of memory, or a reporter that throws
}

} // namespace specrt
