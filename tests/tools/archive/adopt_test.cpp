//===- tests/tools/archive/adopt_test.cpp - archives and caches are joined ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_store.h"
#include "tests/tools/archive/archive_files.h"
#include "tools/archive/adopt.h"
#include "tools/archive/cache_archive.h"
#include "tools/archive/collect.h"
#include "tools/command_error.h"
#include "tools/commands.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace specrt;
using namespace specrt::tools;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
namespace fs = std::filesystem;

namespace {

class Adopt : public testing::Test {
protected:
  Adopt() {
    std::string Template = fs::temp_directory_path() / "specrt-adopt-XXXXXX";
    Root = mkdtemp(Template.data());
    Cache = Root / "cache";
  }
  ~Adopt() override { fs::remove_all(Root); }

  Adoption adopt(const std::vector<ArchivedFile> &Files, const std::string &As = "") {
    return adoptFiles(Cache, Files, {.As = As, .Here = &Here});
  }
  std::string read(const std::string &Name) const {
    std::ifstream In(fs::path(Cache) / Name, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  /// All regular files, with hidden ones.
  std::vector<std::string> filesThere() const {
    std::vector<std::string> Names;
    if (fs::exists(Cache))
      for (const auto &Entry : fs::recursive_directory_iterator(Cache))
        if (!Entry.is_directory())
          Names.push_back(fs::relative(Entry.path(), Cache));
    std::sort(Names.begin(), Names.end());
    return Names;
  }
  /// "name@time" of each region.
  std::vector<std::string> regionsOf(const std::string &Executable) const {
    ProfileContents Contents;
    std::vector<std::string> Regions;
    EXPECT_EQ(Contents.parse(read("profiles/" + storeFileName(Executable))), "");
    EXPECT_EQ(Contents.Executable, Executable);
    for (const auto &[Key, Region] : Contents.Regions)
      Regions.push_back(fmt::format("{}@{}", Region["name"].get<std::string>(),
                                    ProfileContents::lastUsed(Region)));
    return Regions;
  }

  fs::path Root;
  std::string Cache;
  Identity Here = someIdentity();
};

TEST_F(Adopt, WritesFilesForTheUserAlone) {
  const Adoption Done = adopt(someFiles());
  EXPECT_EQ(Done.Profiles, 1u);
  EXPECT_EQ(Done.Versions, 1u);
  EXPECT_EQ(Done.Rows, 1u);
  EXPECT_THAT(Done.Skipped, IsEmpty());
  EXPECT_EQ(filesThere().size(), 4u) << "no locks, no rests";
  for (const ArchivedFile &File : someFiles()) {
    struct stat Status{};
    ASSERT_EQ(stat((Cache + "/" + File.Name).c_str(), &Status), 0) << File.Name;
    EXPECT_EQ(Status.st_mode & 07777, 0600u);
  }
  for (const char *Folder : {"", "/profiles", "/profiles/observations", "/rows", "/versions"}) {
    struct stat Status{};
    ASSERT_EQ(stat((Cache + Folder).c_str(), &Status), 0) << Folder;
    EXPECT_EQ(Status.st_mode & 07777, 0700u);
  }
  const Adoption Again = adopt(someFiles());
  EXPECT_EQ(Again.Profiles + Again.Versions + Again.Rows, 0u);
  EXPECT_EQ(Again.AlreadyThere, 3u);
}

TEST_F(Adopt, WhatIsCollectedAgainIsTheSame) {
  adopt(someFiles());
  const CollectedFiles Found = collectCache(Cache, {}, Here);
  EXPECT_EQ(Found.Files.size(), 4u);
  for (const ArchivedFile &File : Found.Files)
    EXPECT_EQ(File.Bytes, read(File.Name)) << File.Name;
  EXPECT_THAT(Found.LeftOut, IsEmpty());
}

TEST_F(Adopt, CollectsWhatBelongsToAProgram) {
  const std::string Digest("\x11\x11\x11\x11\x11\x11\x11\x11\x22\x22\x22\x22\x22\x22\x22\x22");
  const std::string Loop = "22222222222222221111111111111111";
  adopt({profileFile("/bin/p", {{"f:1", 5}}), profileFile("/bin/q", {{"long:1", 5}}),
         compiledFile(versionKeyOf(Here, "f:1"), "with " + Digest, 3),
         compiledFile(versionKeyOf(Here, "long:1"), "without", 3),
         compiledFile(rowsKeyOf(Here, Loop), "rows", 3, "rows"),
         compiledFile(rowsKeyOf(Here, std::string(32, '3')), "others", 3, "rows")});
  const auto NamesFor = [&](const std::vector<std::string> &Programs) {
    std::vector<std::string> Names;
    for (const ArchivedFile &File : collectCache(Cache, Programs, Here).Files)
      Names.push_back(File.Name);
    return Names;
  };
  EXPECT_THAT(NamesFor({"p"}),
              ElementsAre(profileFile("/bin/p", {}).Name,
                          compiledFile(versionKeyOf(Here, "f:1"), "", 3).Name,
                          compiledFile(rowsKeyOf(Here, Loop), "", 3, "rows").Name));
  EXPECT_THAT(NamesFor({"/bin/q"}),
              ElementsAre(profileFile("/bin/q", {}).Name,
                          compiledFile(versionKeyOf(Here, "long:1"), "", 3).Name));
  EXPECT_EQ(NamesFor({"p", "q"}).size(), 5u);
  EXPECT_EQ(NamesFor({}).size(), 6u);
  EXPECT_THROW(NamesFor({"p", "r"}), CommandError);
}

TEST_F(Adopt, LeavesOutWhatNobodyCanUse) {
  Identity Other = Here;
  Other.Runtime = "r2";
  adoptFiles(Cache,
             {compiledFile(versionKeyOf(Other, "f:1"), "old", 3),
              compiledFile(versionKeyOf(Here, "f:1"), "new", 3)},
             {});
  Other = Here;
  Other.Cpu = "p2";
  adoptFiles(Cache, {compiledFile(versionKeyOf(Other, "f:1"), "other processor", 3)}, {});
  std::ofstream(Cache + "/" + compiledFile(versionKeyOf(Here, "g"), "", 3).Name) << "damaged";
  const CollectedFiles Found = collectCache(Cache, {}, Here);
  EXPECT_EQ(Found.Files.size(), 2u);
  EXPECT_THAT(Found.LeftOut, ElementsAre(Pair("compiled by another build of libspecrt or LLVM", 1u),
                                         Pair("damaged or not the user's alone", 1u)));
}

TEST_F(Adopt, SkipsWhatDoesNotFit) {
  const std::string Noun = "compiled version";
  struct Case {
    const char *Why;
    ArchivedFile File;
  };
  const auto With = [&](std::string Identity::*Field, bool IsRows = false) {
    Identity Other = Here;
    Other.*Field = "x";
    return IsRows ? compiledFile(rowsKeyOf(Other, "1"), "", 3, "rows")
                  : compiledFile(versionKeyOf(Other, "f:1"), "", 3);
  };
  const std::string Build = "was made by another build of libspecrt or LLVM";
  ArchivedFile Misnamed = compiledFile(versionKeyOf(Here, "f:1"), "", 3);
  Misnamed.Name = "versions/" + std::string(32, '0') + ".so";
  ArchivedFile Damaged = compiledFile(versionKeyOf(Here, "f:1"), "code", 3);
  Damaged.Bytes[0] ^= 1;
  std::string OldFormat = versionKeyOf(Here, "f:1");
  OldFormat.replace(0, OldFormat.find('\n'), "format=1 abi 1");
  ArchivedFile Foreign = profileFile("/bin/p", {});
  Foreign.Bytes = profileText("/bin/other", {});
  ArchivedFile Newer = profileFile("/bin/p", {});
  const auto Format = [](unsigned Version) { return "\"version\":" + std::to_string(Version); };
  const std::string Ours = Format(ProfileStore::FormatVersion);
  Newer.Bytes.replace(Newer.Bytes.find(Ours), Ours.size(), Format(ProfileStore::FormatVersion + 1));
  ArchivedFile NoJson = profileFile("/bin/p", {});
  NoJson.Bytes = "{";
  ArchivedFile Observed = observationFile("/bin/p", "[1]");
  Observed.Bytes = "[2]";
  const Case Cases[] = {
      {Build.c_str(), With(&Identity::Runtime)},
      {Build.c_str(), With(&Identity::Compiler)},
      {Build.c_str(), With(&Identity::Llvm)},
      {Build.c_str(), With(&Identity::Target)},
      {Build.c_str(), With(&Identity::Runtime, true)},
      {Build.c_str(), compiledFile(OldFormat, "", 3)},
      {Build.c_str(), compiledFile("region=f:1\n", "", 3)},
      {"was made for another processor", With(&Identity::Cpu)},
      {"was made for another processor", With(&Identity::Cpu, true)},
      {"does not belong to its name", Misnamed},
      {"is damaged (wrong checksum)", Damaged},
      {"does not belong to its name", Foreign},
      {"was written by a newer libspecrt", Newer},
      {"is damaged", NoJson},
      {"is damaged (wrong checksum)", Observed},
  };
  for (const Case &Each : Cases) {
    const Adoption Done = adopt({Each.File});
    ASSERT_EQ(Done.Skipped.size(), 1u) << Each.Why << " " << Each.File.Name;
    EXPECT_THAT(Done.Skipped.begin()->first.second, HasSubstr(Each.Why)) << Each.File.Name;
    EXPECT_THAT(filesThere(), IsEmpty()) << Each.Why;
  }
  const Adoption Both =
      adopt({With(&Identity::Cpu), compiledFile(versionKeyOf(Here, "f:1"), "", 3)});
  EXPECT_THAT(Both.Skipped, ElementsAre(Pair(Pair(Noun, "was made for another processor"), 1u)));
  EXPECT_EQ(Both.Versions, 1u);
}

TEST_F(Adopt, TheNewerVersionStays) {
  const std::string Key = versionKeyOf(Here, "f:1");
  const std::string Name = compiledFile(Key, "", 3).Name;
  struct Case {
    uint64_t Created;
    const char *Object;
    bool IsAdopted;
  };
  for (const Case &Each : {Case{5, "first", true}, Case{4, "older", false}, Case{5, "same", false},
                           Case{6, "newer", true}}) {
    const std::string Before = read(Name);
    const ArchivedFile File = compiledFile(Key, Each.Object, Each.Created);
    const Adoption Done = adopt({File});
    EXPECT_EQ(Done.Versions == 1, Each.IsAdopted) << Each.Object;
    EXPECT_EQ(Done.AlreadyThere == 0, Each.IsAdopted) << Each.Object;
    EXPECT_EQ(read(Name), Each.IsAdopted ? File.Bytes : Before) << Each.Object;
  }
  std::ofstream(Cache + "/" + Name) << "damaged";
  EXPECT_EQ(adopt({compiledFile(Key, "old but good", 1)}).Versions, 1u);
}

TEST_F(Adopt, RegionsThatWereUsedLastStay) {
  adopt({profileFile("/bin/p", {{"a", 5}, {"b", 5}, {"c", 5}})});
  const Adoption Done = adopt({profileFile("/bin/p", {{"b", 4}, {"c", 6}, {"d", 1}})});
  EXPECT_EQ(Done.Profiles, 1u);
  EXPECT_THAT(regionsOf("/bin/p"), ElementsAre("a@5", "b@5", "c@6", "d@1"));
  EXPECT_EQ(adopt({profileFile("/bin/p", {{"a", 5}, {"b", 1}})}).AlreadyThere, 1u);
}

TEST_F(Adopt, ObservationsComeWithTheRegionsThatReferToThem) {
  const ArchivedFile First = observationFile("/bin/p", "[1]"),
                     Other = observationFile("/bin/p", "[2]");
  adopt({profileFile("/bin/p", {{"a", 5, contentHash("[1]").text()}}), First, Other});
  EXPECT_EQ(read(First.Name), "[1]");
  EXPECT_EQ(read(Other.Name), "") << "nothing refers to it";
  adopt({profileFile("/bin/p", {{"a", 4, contentHash("[2]").text()}}), Other});
  EXPECT_EQ(read(Other.Name), "") << "the region is older";
  adopt({profileFile("/bin/p", {{"a", 6, contentHash("[2]").text()}}), Other});
  EXPECT_EQ(read(Other.Name), "[2]");
}

TEST_F(Adopt, ProfilesCanBecomeThoseOfAnotherPath) {
  const std::vector<ArchivedFile> Archive = {
      profileFile("/build/p", {{"a", 5, contentHash("[1]").text()}}),
      observationFile("/build/p", "[1]"), profileFile("/old/p", {{"b", 5}}),
      profileFile("/build/q", {{"c", 5}})};
  EXPECT_EQ(adopt(Archive, "/usr/bin/p").Profiles, 2u);
  EXPECT_THAT(regionsOf("/usr/bin/p"), ElementsAre("a@5", "b@5"));
  EXPECT_THAT(regionsOf("/build/q"), ElementsAre("c@5"));
  EXPECT_EQ(read(observationFile("/usr/bin/p", "[1]").Name), "[1]");
  EXPECT_EQ(filesThere().size(), 3u);
  EXPECT_THROW(adopt(Archive, "/usr/bin/r"), CommandError) << "which of the three?";
  adopt({profileFile("/build/q", {{"c", 5}})}, "/usr/bin/r");
  EXPECT_THAT(regionsOf("/usr/bin/r"), ElementsAre("c@5")) << "there is only one";
}

TEST_F(Adopt, AFullDiskLeavesTheCacheAsItWas) {
  adopt({profileFile("/bin/p", {{"a", 5}}), compiledFile(versionKeyOf(Here, "f:1"), "old", 1)});
  const std::vector<std::string> Before = filesThere();
  const std::string Profile = read(Before.at(0)), Version = read(Before.at(1));
  const std::vector<ArchivedFile> Archive = {
      profileFile("/bin/p", {{"a", 6}}), compiledFile(versionKeyOf(Here, "f:1"), "new", 2),
      compiledFile(versionKeyOf(Here, "f:22"), std::string(100'000, 'x'), 2)};
  struct rlimit Usual{};
  getrlimit(RLIMIT_FSIZE, &Usual);
  // The largest file exceeds each of these, smaller files exceed the first.
  for (const rlim_t Bytes : {100, 700, 50'000}) {
    const rlimit Little{.rlim_cur = Bytes, .rlim_max = Usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &Little);
    std::string Problem;
    try {
      adopt(Archive);
    } catch (const CommandError &Error) {
      Problem = Error.what();
      EXPECT_EQ(Error.code(), ExitUsage);
    }
    setrlimit(RLIMIT_FSIZE, &Usual);
    EXPECT_THAT(Problem, testing::AllOf(HasSubstr("nothing was imported"), HasSubstr("too large")));
    EXPECT_EQ(filesThere(), Before) << Bytes;
    EXPECT_EQ(read(Before[0]), Profile);
    EXPECT_EQ(read(Before[1]), Version);
  }
  EXPECT_EQ(adopt(Archive).Versions, 2u);
}

TEST_F(Adopt, CommandsSayWhatTheyDid) {
  setenv("SPECRT_CACHE_DIR", Cache.c_str(), 1);
  const std::string File = Root / "a.tar";
  const auto Import = [&](const std::vector<ArchivedFile> &Files, bool Foreign) {
    std::ofstream(File, std::ios::binary) << encodeArchive(Files);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int Status = cacheImportCommand({.File = File, .Foreign = Foreign});
    std::fflush(stdout);
    return std::tuple(Status, testing::internal::GetCapturedStdout(),
                      testing::internal::GetCapturedStderr());
  };
  const std::vector<ArchivedFile> Foreign = {compiledFile(versionKeyOf(Here, "f:1"), "a", 1),
                                             compiledFile(versionKeyOf(Here, "f:22"), "b", 1)};
  EXPECT_EQ(Import(Foreign, false),
            std::tuple(int(ExitNothing),
                       "0 profiles, 0 compiled versions imported into " + Cache + "\n",
                       "specrt: 2 compiled versions are skipped: each was made by another build of "
                       "libspecrt or LLVM\n"));
  EXPECT_EQ(Import({Foreign[0], profileFile("/bin/p", {{"a", 1}})}, false),
            std::tuple(int(ExitSuccess),
                       "1 profile, 0 compiled versions imported into " + Cache + "\n",
                       "specrt: 1 compiled version is skipped: it was made by another build of "
                       "libspecrt or LLVM\n"));
  EXPECT_EQ(Import(Foreign, true),
            std::tuple(int(ExitSuccess),
                       "0 profiles, 2 compiled versions imported into " + Cache + "\n", ""));
  EXPECT_EQ(Import(Foreign, true), std::tuple(int(ExitSuccess),
                                              "0 profiles, 0 compiled versions imported into " +
                                                  Cache + "; 2 files are there already, or newer\n",
                                              ""));
  setenv("SPECRT_CACHE_LIMIT", "1", 1);
  EXPECT_THAT(std::get<2>(Import(Foreign, true)), HasSubstr("more than SPECRT_CACHE_LIMIT allows"));
  unsetenv("SPECRT_CACHE_LIMIT");
  unsetenv("SPECRT_CACHE_DIR");
}

TEST_F(Adopt, AFolderThatOthersCanWriteToIsRefused) {
  adopt(someFiles());
  chmod((Cache + "/versions").c_str(), 0777);
  EXPECT_THROW(adopt({compiledFile(versionKeyOf(Here, "f:22"), "new", 2)}), CommandError);
}

} // namespace
