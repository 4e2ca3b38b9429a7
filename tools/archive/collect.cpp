//===- tools/archive/collect.cpp - selects the files of a cache for an archive ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/collect.h"
#include "profiler/json/json_reader.h"
#include "profiler/store/profile_contents.h"
#include "profiler/store/profile_store.h"
#include "runtime/cache/version_store.h"
#include "support/content_hash.h"
#include "tools/archive/cache_archive.h"
#include "tools/archive/fit.h"
#include "tools/cache_entries.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;
using Kind = ArchivedName::Kind;

constexpr const char *IsDamaged = "damaged or not the user's alone";
constexpr const char *IsOfOtherBuild = "compiled by another build of libspecrt or LLVM";

/// Returns the names of files in a folder of the user, ascending.
std::vector<std::string> filesIn(const std::string &Folder) {
  std::vector<std::string> Names;
  std::string Problem;
  if (!openPrivateDirectory(Folder, /*Create=*/false, Problem)) {
    if (!Problem.empty())
      throw CommandError(ExitUsage, printable(Problem));
    return Names;
  }
  std::error_code Failed;
  for (fs::directory_iterator I(Folder, Failed), End; !Failed && I != End; I.increment(Failed))
    Names.push_back(I->path().filename().string());
  if (Failed)
    throw CommandError(ExitUsage,
                       fmt::format("{} cannot be read: {}", printable(Folder), Failed.message()));
  std::sort(Names.begin(), Names.end());
  return Names;
}

class Collection {
public:
  Collection(const std::string &CacheDirectory, const std::vector<std::string> &Programs,
             const Identity &Here)
      : CacheDirectory(CacheDirectory), Programs(Programs), Here(Here) {}

  CollectedFiles run() {
    std::set<std::string> Missing(Programs.begin(), Programs.end());
    for (const std::string &Name : namesIn(Kind::Profile))
      if (isWanted(Name, Missing))
        addProfile(Name);
    if (!Missing.empty())
      throw CommandError(ExitNothing, fmt::format("nothing is kept of a program '{}'",
                                                  printable(*Missing.begin())));
    for (const std::string &Name : namesIn(Kind::Version))
      addCompiled(Kind::Version, Name);
    for (const std::string &Name : namesIn(Kind::Rows))
      addCompiled(Kind::Rows, Name);
    return std::move(All);
  }

private:
  std::string pathOf(Kind Of) const { return CacheDirectory + "/" + folderOf(Of); }

  std::vector<std::string> namesIn(Kind Of) const {
    std::vector<std::string> Names = filesIn(pathOf(Of));
    std::erase_if(Names, [&](const std::string &Name) {
      const auto Parsed = parseArchivedName(std::string(folderOf(Of)) + "/" + Name);
      return !Parsed || Parsed->Is != Of;
    });
    return Names;
  }

  /// Returns whether the profile is selected. Removes the programs that it is about from \p
  /// Missing.
  bool isWanted(const std::string &Name, std::set<std::string> &Missing) const {
    bool IsWanted = Programs.empty();
    for (const std::string &Program : Programs)
      if (isAbout(Name, Program)) {
        Missing.erase(Program);
        IsWanted = true;
      }
    return IsWanted;
  }

  bool read(Kind Of, const std::string &Name, std::string &Bytes) const {
    std::string Error;
    const Descriptor Directory = openPrivateDirectory(pathOf(Of), /*Create=*/false, Error);
    return Directory &&
           readPrivateFile(Directory, Name, MaxArchivedFileBytes, Bytes, Error) == ReadResult::Ok;
  }

  void add(Kind Of, const std::string &Name, std::string Bytes) {
    All.Files.push_back({std::string(folderOf(Of)) + "/" + Name, std::move(Bytes)});
  }
  void leaveOut(const char *Why) { ++All.LeftOut[Why]; }

  void addProfile(const std::string &Name) {
    std::string Text;
    ProfileContents Read;
    ProfileStore::Summary Ignored;
    if (!read(Kind::Profile, Name, Text) || !ProfileStore::examine(Text, Ignored).empty() ||
        !Read.parse(Text).empty())
      return leaveOut(IsDamaged);
    for (const auto &[Key, Region] : Read.Regions)
      Codes.insert(JsonReader().string(Region, "bitcode_hash"));
    const std::string Stem = Name.substr(0, Name.rfind('.'));
    for (const std::string &Hash : Read.references()) {
      const std::string File = std::string(Stem).append("-").append(Hash) + ".json";
      std::string Observed;
      // A file that another process has just replaced is missing; readers tolerate that.
      if (!ObservationFiles::isHash(Hash) || !read(Kind::Observation, File, Observed))
        continue;
      if (contentHash(Observed).text() == Hash)
        add(Kind::Observation, File, std::move(Observed));
      else
        leaveOut(IsDamaged);
    }
    add(Kind::Profile, Name, std::move(Text));
  }

  /// Adds a compiled version or a persistent plan. Versions must be added first, because plans
  /// depend on them.
  void addCompiled(Kind Of, const std::string &Name) {
    std::string Bytes;
    VersionDescription About;
    std::string_view Object;
    if (!read(Of, Name, Bytes) || !decodeVersion(Bytes, About, Object).empty() ||
        VersionKey{About.Key}.fileName() != Name)
      return leaveOut(IsDamaged);
    if (!Programs.empty() && !(Of == Kind::Version ? isOfRegion(About) : isOfVersion(About)))
      return;
    if (fitOf(About.Key, Of == Kind::Rows, Here) == Fit::OtherBuild)
      return leaveOut(IsOfOtherBuild);
    if (Of == Kind::Version)
      Objects.emplace_back(Object);
    add(Of, Name, std::move(Bytes));
  }

  bool isOfRegion(const VersionDescription &About) const {
    return Codes.contains(fieldOf(About.Key, "bitcode").value_or(""));
  }

  /// Returns whether a collected version contains the digest of the loop that the table is for.
  bool isOfVersion(const VersionDescription &About) const {
    const std::string Loop = fieldOf(About.Key, "loop").value_or("");
    constexpr size_t WordDigits = 16;
    uint64_t High = 0, Low = 0;
    if (Loop.size() != 2 * WordDigits)
      return false;
    std::from_chars(Loop.data(), Loop.data() + WordDigits, High, 16);
    std::from_chars(Loop.data() + WordDigits, Loop.data() + Loop.size(), Low, 16);
    char Digest[sizeof(Low) + sizeof(High)];
    std::memcpy(Digest, &Low, sizeof(Low));
    std::memcpy(Digest + sizeof(Low), &High, sizeof(High));
    return std::any_of(Objects.begin(), Objects.end(), [&](const std::string &Object) {
      return Object.find(std::string_view(Digest, sizeof(Digest))) != std::string::npos;
    });
  }

  const std::string &CacheDirectory;
  const std::vector<std::string> &Programs;
  const Identity &Here;
  std::set<std::string> Codes; ///< hashes of the bitcode of all regions
  std::vector<std::string> Objects;
  CollectedFiles All;
};

} // namespace

CollectedFiles collectCache(const std::string &CacheDirectory,
                            const std::vector<std::string> &Programs, const Identity &Here) {
  return Collection(CacheDirectory, Programs, Here).run();
}

} // namespace specrt::tools
