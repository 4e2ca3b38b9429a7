//===- tests/profiler/store/observation_files_test.cpp - large observations between runs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/observation_files.h"

#include "profiler/observations/alias_profile.h"
#include "profiler/observations/time_profile.h"
#include "tests/profiler/store/test_store.h"
#include <functional>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace specrt;
using namespace specrt_test;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

/// Writes through so many pointers that what is known of their pairs is large.
struct Wide : TestRegion {
  explicit Wide(std::string Name = "wide:10")
      : TestRegion(std::vector<uint8_t>(Arrays, SPECRT_KIND_POINTER), {}, {}, std::move(Name)) {
    for (uint16_t A = 0; A < Arrays; ++A)
      Accesses.push_back(access(A, polynomial({term(8)}), SPECRT_ACCESS_WRITE));
  }
  static constexpr uint16_t Arrays = 32;

  /// Calls in which all arrays are one.
  StoreUpdate update(int Calls) {
    RegionProfile P(get());
    std::vector<uint64_t> Packed(Arrays, 0x1000);
    for (int I = 0; I < Calls; ++I)
      P.record(Packed.data(), 1000);
    return {Name, {get().bitcode_hash[0], get().bitcode_hash[1]}, {.Profile = P, .Hot = true}};
  }
  /// A run that met the region and saw nothing new.
  StoreUpdate renewal() {
    StoreUpdate Update = update(0);
    Update.Region.Runs = 1;
    return Update;
  }
};

uint64_t overlaps(const RegionProfile &Profile) {
  return Profile.get<AliasProfile>().pairs()[0].Counts[PairProfile::Same];
}

class ObservationFilesTest : public ProfileStoreTest {
protected:
  void SetUp() override {
    ProfileStoreTest::SetUp();
    Folder = Cache / "profiles" / ObservationFiles::Folder;
  }
  /// Of another program.
  ProfileStore other() {
    return {Cache.string(), "/usr/bin/another",
            [this](const std::string &Message) { Messages.push_back(Message); }};
  }
  std::vector<fs::path> files() {
    std::vector<fs::path> Found;
    if (fs::exists(Folder))
      for (const auto &Entry : fs::directory_iterator(Folder))
        Found.push_back(Entry.path());
    return Found;
  }
  json profileJson() { return json::parse(text())["regions"][0]["profile"]; }
  void edit(const std::function<void(json &)> &Change) {
    json Root = json::parse(text());
    Change(Root);
    write(Root.dump());
  }

  fs::path Folder;
};

TEST_F(ObservationFilesTest, LargeOnesAreOutsideOfTheProfile) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(3)}));
  ASSERT_EQ(files().size(), 1u);
  EXPECT_GT(fs::file_size(files()[0]), ObservationFiles::MaxInlineBytes);
  EXPECT_LT(fs::file_size(open()->path()), ObservationFiles::MaxInlineBytes);
  EXPECT_FALSE(profileJson()["observations"].contains("aliasing"));
  EXPECT_TRUE(profileJson()["observations"].contains("times"));
  std::string Hash = profileJson()["observation_files"]["aliasing"];
  EXPECT_THAT(files()[0].string(), HasSubstr(Hash));
  struct stat S;
  ASSERT_EQ(stat(files()[0].c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, 0600u);

  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_EQ(overlaps(Found->Profile), 3u);
  EXPECT_EQ(plans(Found->Profile, K.get(), 1).at(0).Assumed.Overlaps[1], 2);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ObservationFilesTest, RunsAddUpAndOldFilesGo) {
  Wide K;
  for (int Run = 1; Run <= 5; ++Run) {
    ASSERT_TRUE(open()->save({K.update(2)}));
    EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 2u * Run);
    EXPECT_LE(files().size(), 2u); // what was replaced goes with the next save
  }
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ObservationFilesTest, WhoStartedEarlierStillFindsItsFile) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(2)}));
  auto Earlier = open();
  ASSERT_TRUE(open()->save({K.update(2)}));
  EXPECT_EQ(overlaps(Earlier->find(K.get())->Profile), 2u);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ObservationFilesTest, WhatNobodyAddsToStaysAsItIs) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(2)}));
  auto Written = fs::last_write_time(files()[0]);
  ASSERT_TRUE(open()->save({K.renewal()}));
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(fs::last_write_time(files()[0]), Written);
  EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 2u);
  EXPECT_EQ(open()->find(K.get())->Runs, 1u);
}

TEST_F(ObservationFilesTest, FilesGoWithTheirRegion) {
  Wide K, Other("other:20");
  ASSERT_TRUE(open()->save({K.update(2)}));
  edit([](json &Root) { Root["regions"][0]["last_used"] = 1; }); // decades ago
  ASSERT_TRUE(open()->save({Other.update(3)}));
  ASSERT_TRUE(open()->save({Other.renewal()}));
  EXPECT_FALSE(open()->find(K.get()));
  EXPECT_EQ(overlaps(open()->find(Other.get())->Profile), 3u);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(ObservationFilesTest, FilesOfOtherProgramsStay) {
  Wide K;
  ASSERT_TRUE(other().save({K.update(5)}));
  std::ofstream(Folder / "notes.json") << "mine";
  for (int Run = 0; Run < 3; ++Run)
    ASSERT_TRUE(open()->save({K.update(2)}));
  ProfileStore Other = other();
  Other.load();
  EXPECT_EQ(overlaps(Other.find(K.get())->Profile), 5u);
  EXPECT_TRUE(fs::exists(Folder / "notes.json"));
  EXPECT_THAT(Messages, IsEmpty());
}

/// The profile stays, and the next run knows the observation again.
TEST_F(ObservationFilesTest, AFileThatIsLostCostsOneObservationAndOneMessage) {
  const std::pair<const char *, std::function<void(const fs::path &)>> Ways[] = {
      {"is missing", [](const fs::path &F) { fs::remove(F); }},
      {"is damaged", [](const fs::path &F) { std::ofstream(F) << "[]"; }},
      {"is damaged",
       [](const fs::path &F) { std::ofstream(F, std::ios::in | std::ios::out) << "?"; }},
      {"only the user can write",
       [](const fs::path &F) {
         fs::permissions(F, fs::perms::others_write, fs::perm_options::add);
       }},
      {"cannot be opened", [](const fs::path &F) {
         fs::remove(F);
         fs::create_symlink("/etc/passwd", F);
       }}};
  for (const auto &[Message, Harm] : Ways) {
    SCOPED_TRACE(Message);
    Wide K;
    fs::remove_all(Cache);
    Messages.clear();
    ASSERT_TRUE(open()->save({K.update(3)}));
    Harm(files().at(0));
    auto Store = open();
    auto Found = Store->find(K.get());
    ASSERT_TRUE(Found);
    EXPECT_THAT(Messages, IsEmpty()) << "nobody asked yet";
    EXPECT_EQ(overlaps(Found->Profile), 0u);
    EXPECT_EQ(Found->Profile.get<TimeProfile>().totalNs(), 3000u);
    EXPECT_EQ(overlaps(Store->find(K.get())->Profile), 0u);
    EXPECT_THAT(Messages, ElementsAre(HasSubstr(Message)));
    ASSERT_TRUE(Store->save({K.update(2)}));
    EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 2u);
    EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 5u);
    EXPECT_EQ(Messages.size(), 1u);
  }
}

TEST_F(ObservationFilesTest, WhatIsLostIsNotAskedForAgain) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(3)}));
  std::ofstream(files().at(0)) << "[]";
  auto Store = open();
  EXPECT_EQ(overlaps(Store->find(K.get())->Profile), 0u);
  ASSERT_TRUE(Store->save({K.renewal()}));
  EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 0u);
  EXPECT_EQ(Messages.size(), 1u);
}

/// With the right checksum, but about something else.
TEST_F(ObservationFilesTest, AFileThatDoesNotFitItsRegionIsLost) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(3)}));
  edit([](json &Root) {
    json &Profile = Root["regions"][0]["profile"];
    Profile["observations"].erase("times");
    Profile["observation_files"]["times"] = Profile["observation_files"]["aliasing"];
  });
  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Profile.get<TimeProfile>().totalNs(), 0u);
  EXPECT_EQ(overlaps(Found->Profile), 3u);
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("does not fit")));
}

TEST_F(ObservationFilesTest, ReferencesAreNotTrusted) {
  Wide K;
  for (const json &Hostile :
       {json("../../../etc/passwd"), json(5), json(std::string(32, 'G')), json::object()}) {
    fs::remove_all(Cache);
    Messages.clear();
    ASSERT_TRUE(open()->save({K.update(3)}));
    edit([&](json &Root) {
      Root["regions"][0]["profile"]["observation_files"]["aliasing"] = Hostile;
    });
    EXPECT_FALSE(open()->find(K.get()));
    EXPECT_THAT(Messages, ElementsAre(HasSubstr("damaged")));
    ASSERT_TRUE(open()->save({K.update(2)}));
    EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 2u);
  }
}

/// Of the same format, with a kind that this one does not have.
TEST_F(ObservationFilesTest, WhatANewerLibspecrtLeftIsKept) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(3)}));
  std::string Hash = profileJson()["observation_files"]["aliasing"];
  edit([&](json &Root) {
    json &Profile = Root["regions"][0]["profile"];
    Profile["observation_files"]["weather"] = Hash;
    Profile["observations"]["climate"] = "mild";
  });
  for (int Run = 0; Run < 3; ++Run)
    ASSERT_TRUE(open()->save({K.update(2)}));
  EXPECT_EQ(profileJson()["observation_files"]["weather"], Hash);
  EXPECT_EQ(profileJson()["observations"]["climate"], "mild");
  EXPECT_EQ(files().size(), 3u); // that one, what is known now, and what was known before
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ObservationFilesTest, TheLongestUnusedMakeRoom) {
  Wide Old("old:1"), New("new:2");
  ASSERT_TRUE(open()->save({Old.update(2)}));
  // As large as all files together may be.
  fs::path First = files().at(0);
  fs::resize_file(First, ObservationFiles::MaxTotalBytes);
  edit([](json &Root) {
    json &Used = Root["regions"][0]["last_used"];
    Used = Used.get<uint64_t>() - 100;
  });
  ASSERT_TRUE(open()->save({New.update(3)}));
  ASSERT_TRUE(open()->save({New.renewal()}));
  EXPECT_FALSE(fs::exists(First));
  EXPECT_EQ(overlaps(open()->find(New.get())->Profile), 3u);
  EXPECT_TRUE(open()->find(Old.get()));
}

TEST_F(ObservationFilesTest, WhatInterruptedWritersLeftGoes) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(2)}));
  fs::path Left = Folder / ("." + files().at(0).filename().string() + ".tmp-1-2-3");
  std::ofstream(Left) << "half";
  ASSERT_TRUE(open()->save({K.renewal()}));
  EXPECT_FALSE(fs::exists(Left));
}

TEST_F(ObservationFilesTest, AFullDiskLeavesNothingBehind) {
  Wide K;
  ASSERT_TRUE(open()->save({K.update(3)}));
  EXPECT_TRUE(onFullDisk([&] {
    auto Store = open();
    const bool Saved = Store->save({K.update(3)}) || Store->save({K.update(3)});
    return !Saved && Messages.size() == 2; // one for each of the files
  }));
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 3u);
}

TEST_F(ObservationFilesTest, AFolderThatIsNotOursCostsTheObservationOnly) {
  Wide K;
  fs::create_directories(Folder);
  fs::permissions(Cache, fs::perms::owner_all);
  fs::permissions(Cache / "profiles", fs::perms::owner_all);
  fs::permissions(Folder, fs::perms::all);
  ASSERT_TRUE(open()->save({K.update(3)}));
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("writable by nobody else")));
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 3u);
  EXPECT_EQ(overlaps(open()->find(K.get())->Profile), 0u);
}

} // namespace
