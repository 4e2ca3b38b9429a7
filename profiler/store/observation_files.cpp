//===- profiler/store/observation_files.cpp - stores large observations in files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/observation_files.h"

#include "profiler/json/json_reader.h"
#include "profiler/store/stored_json.h"
#include "profiler/store/trusted_path.h"
#include "support/content_hash.h"
#include <algorithm>
#include <chrono>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt {

using nlohmann::json;

static constexpr std::string_view Ending = ".json";

ObservationFiles::ObservationFiles(const std::string &Profiles, const std::string &ProfileName,
                                   StoreReporter Report, Owners Whose)
    : Path(Profiles + "/" + Folder),
      Prefix(ProfileName.substr(0, ProfileName.size() - Ending.size()) + "-"), Whose(Whose),
      Report(std::move(Report)) {}

/// Opens the folder for reading. Returns no descriptor when it does not exist.
Descriptor ObservationFiles::openFolder(std::string &Error) const {
  return Whose == Owners::User ? openPrivateDirectory(Path, /*Create=*/false, Error)
                               : openTrustedDirectory(Path, Error);
}

bool ObservationFiles::isHash(const std::string &Text) {
  return Text.size() == 32 && Text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string ObservationFiles::fileName(const std::string &Hash) const {
  return Prefix + Hash + std::string(Ending);
}

void ObservationFiles::report(const std::string &Key, const StoreMessage &Message) {
  std::unique_lock Guard(Lock, std::chrono::seconds(1));
  if (Guard.owns_lock() && Reported.insert(Key).second && Report)
    Report(Message);
}

bool ObservationFiles::isLost(const std::string &Hash) {
  std::unique_lock Guard(Lock, std::chrono::seconds(1));
  return Guard.owns_lock() && Reported.contains(Hash);
}

/// Returns "", or why there is no observation, as half a sentence for "the file ...".
std::string ObservationFiles::read(const std::string &Hash, json &Json) const {
  std::string Text, Error;
  Descriptor Directory = openFolder(Error);
  ReadResult Read = ReadResult::Missing;
  if (Directory)
    Read = readPrivateFile(Directory, fileName(Hash), MaxFileBytes, Text, Error, Whose);
  if (Read != ReadResult::Ok)
    return Error.empty() ? "is missing" : Error;
  return contentHash(Text).text() == Hash ? parseStored(Text, Json) : "is damaged (wrong checksum)";
}

std::string ObservationFiles::examine(const std::string &Hash) const {
  json Json;
  const EmptyJsonAtEnd Guard(Json);
  return read(Hash, Json);
}

void ObservationFiles::load(const std::string &Hash, Observation &Into) {
  json Json;
  const EmptyJsonAtEnd Guard(Json);
  std::string Problem = read(Hash, Json);
  if (Problem.empty()) {
    JsonReader In;
    Into.readJson(In, Json);
    if (In.good())
      return;
    Into.clear();
    Problem = "does not fit its region";
  }
  report(Hash, {"the observation " + Path + "/" + fileName(Hash) + " " + Problem +
                    (Whose == Owners::User ? " and is made anew" : " and is not used"),
                StoreMessage::Kind::UnusableFile});
}

std::string ObservationFiles::store(const std::string &Text) {
  std::string Hash = contentHash(Text).text(), Error;
  if (Text.size() > MaxFileBytes) {
    Error = "is too large";
  } else if (Descriptor Directory = openPrivateDirectory(Path, /*Create=*/true, Error)) {
    // An incomplete file, after a crash of the machine, is detected by its checksum.
    Error = replaceFile(Directory, fileName(Hash), Text, {.Durable = false});
    if (Error.empty())
      return Hash;
  }
  report("", {"an observation is not kept: " + Path + "/" + fileName(Hash) + " " + Error});
  return "";
}

/// Calls Visit(directory, name, hash); the hash is "" for an unfinished file.
template <typename Visitor> void ObservationFiles::forEachFile(Visitor Visit) const {
  std::string Error;
  Descriptor Directory = openFolder(Error);
  if (!Directory)
    return;
  std::unique_ptr<DIR, int (*)(DIR *)> Entries(opendir(Path.c_str()), closedir);
  if (!Entries)
    return;
  while (const dirent *Entry = readdir(Entries.get())) {
    std::string Name = Entry->d_name;
    if (Name.starts_with("." + Prefix) && Name.find(".tmp-") != std::string::npos)
      Visit(Directory, Name, std::string());
    if (!Name.starts_with(Prefix) || !Name.ends_with(Ending))
      continue;
    std::string Hash = Name.substr(Prefix.size(), Name.size() - Prefix.size() - Ending.size());
    if (isHash(Hash))
      Visit(Directory, Name, Hash);
  }
}

std::map<std::string, uint64_t> ObservationFiles::sizes() const {
  std::map<std::string, uint64_t> Sizes;
  forEachFile([&](const Descriptor &Directory, const std::string &Name, const std::string &Hash) {
    struct stat Status;
    if (!Hash.empty() && fstatat(Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) == 0)
      Sizes[Hash] = static_cast<uint64_t>(Status.st_size);
  });
  return Sizes;
}

size_t ObservationFiles::removeOthers(const std::set<std::string> &Keep) const {
  size_t Removed = 0;
  forEachFile([&](const Descriptor &Directory, const std::string &Name, const std::string &Hash) {
    if (!Keep.contains(Hash))
      Removed += unlinkat(Directory.get(), Name.c_str(), 0) == 0;
  });
  return Removed;
}

} // namespace specrt
