//===- tools/archive/adopt.cpp - adds the files of an archive to a cache --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/archive/adopt.h"
#include "profiler/store/profile_contents.h"
#include "profiler/store/profile_store.h"
#include "profiler/store/stored_json.h"
#include "runtime/cache/version_store.h"
#include "support/content_hash.h"
#include "tools/archive/cache_archive.h"
#include "tools/archive/fit.h"
#include "tools/archive/profile_update.h"
#include "tools/archive/staged_files.h"
#include "tools/cache_entries.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <algorithm>
#include <fmt/format.h>
#include <list>

namespace specrt::tools {
namespace {

using Kind = ArchivedName::Kind;

const char *nounOf(Kind Of) {
  switch (Of) {
  case Kind::Profile:
    return "profile";
  case Kind::Observation:
    return "observation";
  case Kind::Rows:
    return "persistent plan";
  case Kind::Version:
    return "compiled version";
  }
  return "file";
}

class Adopter {
public:
  Adopter(const std::string &CacheDirectory, const std::vector<ArchivedFile> &Files,
          const AdoptionTerms &Terms)
      : CacheDirectory(CacheDirectory), Files(Files), Terms(Terms) {}

  Adoption run() {
    findTarget();
    forEach(Kind::Profile, [&](const auto &Name, const auto &Bytes) { readProfile(Name, Bytes); });
    for (ProfileUpdate &Each : Updates)
      Each.stage();
    forEach(Kind::Observation,
            [&](const auto &Name, const auto &Bytes) { stageObservation(Name, Bytes); });
    for (const Kind Of : {Kind::Rows, Kind::Version})
      forEach(Of, [&](const auto &Name, const auto &Bytes) { stageCompiled(Name, Bytes); });
    // The files that a profile refers to must exist before it.
    Staged.commit();
    for (ProfileUpdate &Each : Updates) {
      ++(Each.changesAnything() ? Done.Profiles : Done.AlreadyThere);
      Each.commit();
    }
    return std::move(Done);
  }

private:
  template <typename Visitor> void forEach(Kind Of, Visitor Visit) {
    for (const ArchivedFile &File : Files)
      if (const auto Name = parseArchivedName(File.Name); Name && Name->Is == Of)
        Visit(*Name, File.Bytes);
  }

  void skip(Kind Of, const std::string &Why) { ++Done.Skipped[{nounOf(Of), Why}]; }
  std::string folderFor(Kind Of) const { return CacheDirectory + "/" + folderOf(Of); }

  /// Finds the profiles that are to become that of Terms.As.
  void findTarget() {
    if (Terms.As.empty())
      return;
    Target = storeFileName(Terms.As);
    size_t Count = 0;
    std::string Only;
    forEach(Kind::Profile, [&](const ArchivedName &Name, const std::string &) {
      ++Count;
      Only = Name.File;
      if (isForSameBaseName(Name.File, Target))
        Renamed.push_back(Name.File);
    });
    if (Renamed.empty() && Count == 1)
      Renamed.push_back(Only);
    if (Renamed.empty())
      throw CommandError(ExitNothing, fmt::format("the archive has no profile of a program '{}'",
                                                  printable(Terms.As)));
  }

  bool isRenamed(const std::string &Profile) const {
    return std::find(Renamed.begin(), Renamed.end(), Profile) != Renamed.end();
  }
  std::string targetOf(const std::string &Profile) const {
    return isRenamed(Profile) ? Target : Profile;
  }
  ProfileUpdate *updateOf(const std::string &Profile) {
    const auto Found = std::find_if(Updates.begin(), Updates.end(), [&](const ProfileUpdate &U) {
      return U.name() == targetOf(Profile);
    });
    return Found == Updates.end() ? nullptr : &*Found;
  }

  void readProfile(const ArchivedName &Name, const std::string &Text) {
    ProfileStore::Summary Ignored;
    ProfileContents New;
    std::string Problem = ProfileStore::examine(Text, Ignored);
    if (Problem.empty())
      Problem = New.parse(Text);
    if (!Problem.empty())
      return skip(Kind::Profile, Problem);
    if (isRenamed(Name.File))
      New.Executable = Terms.As;
    if (storeFileName(New.Executable) != targetOf(Name.File))
      return skip(Kind::Profile, "does not belong to its name");
    ProfileUpdate *Known = updateOf(Name.File);
    if (!Known)
      Known = &Updates.emplace_back(folderFor(Kind::Profile), targetOf(Name.File));
    Known->add(New);
  }

  void stageObservation(const ArchivedName &Name, const std::string &Text) {
    nlohmann::json Ignored;
    if (contentHash(Text).text() != Name.Hash)
      return skip(Kind::Observation, "is damaged (wrong checksum)");
    if (const std::string Problem = parseStored(Text, Ignored); !Problem.empty())
      return skip(Kind::Observation, Problem);
    ProfileUpdate *Of = updateOf(Name.Profile);
    if (!Of || !Of->references(Name.Hash))
      return; // the observation's profile is skipped, or has newer observations
    const std::string Stem = Of->name().substr(0, Of->name().rfind('.'));
    const std::string File = Stem + "-" + Name.Hash + ".json";
    std::string Old;
    if (!read(Kind::Observation, File, Old) || Old != Text)
      Staged.add(folderFor(Kind::Observation), File, Text);
  }

  bool read(Kind Of, const std::string &Name, std::string &Bytes) const {
    std::string Ignored;
    const Descriptor Directory = openPrivateDirectory(folderFor(Of), /*Create=*/false, Ignored);
    return Directory &&
           readPrivateFile(Directory, Name, MaxArchivedFileBytes, Bytes, Ignored) == ReadResult::Ok;
  }

  /// Returns "", or why a compiled version or persistent plan does not fit this cache.
  std::string examine(const ArchivedName &Name, const std::string &Bytes,
                      VersionDescription &About) const {
    std::string_view Object;
    if (std::string Problem = decodeVersion(Bytes, About, Object); !Problem.empty())
      return Problem;
    if (VersionKey{About.Key}.fileName() != Name.File)
      return "does not belong to its name";
    switch (Terms.Here ? fitOf(About.Key, Name.Is == Kind::Rows, *Terms.Here) : Fit::Here) {
    case Fit::OtherBuild:
      return "was made by another build of libspecrt or LLVM";
    case Fit::OtherProcessor:
      return "was made for another processor";
    case Fit::Here:
      break;
    }
    return "";
  }

  void stageCompiled(const ArchivedName &Name, const std::string &Bytes) {
    VersionDescription New, Old;
    std::string Existing;
    std::string_view Object;
    if (const std::string Problem = examine(Name, Bytes, New); !Problem.empty())
      return skip(Name.Is, Problem);
    if (read(Name.Is, Name.File, Existing) && decodeVersion(Existing, Old, Object).empty() &&
        Old.Key == New.Key && Old.Created >= New.Created) {
      ++Done.AlreadyThere;
      return;
    }
    Staged.add(folderFor(Name.Is), Name.File, Bytes);
    ++(Name.Is == Kind::Rows ? Done.Rows : Done.Versions);
  }

  const std::string &CacheDirectory;
  const std::vector<ArchivedFile> &Files;
  const AdoptionTerms &Terms;
  std::string Target;               ///< the file name of the profile of Terms.As
  std::vector<std::string> Renamed; ///< file names of the profiles that become it
  std::list<ProfileUpdate> Updates;
  StagedFiles Staged;
  Adoption Done;
};

} // namespace

Adoption adoptFiles(const std::string &CacheDirectory, const std::vector<ArchivedFile> &Files,
                    const AdoptionTerms &Terms) {
  return Adopter(CacheDirectory, Files, Terms).run();
}

} // namespace specrt::tools
