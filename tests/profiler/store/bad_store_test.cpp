//===- tests/profiler/store/bad_store_test.cpp - profiles that are of no use ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/store/test_store.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/stat.h>

using namespace specrt;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

TEST_F(ProfileStoreTest, FilesBelongToTheUserAlone) {
  mode_t Old = umask(0);
  Kernel K;
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  umask(Old);
  struct stat S;
  ASSERT_EQ(stat(open()->path().c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, 0600u);
  ASSERT_EQ(stat((Cache / "profiles").c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, 0700u);
  ASSERT_EQ(stat(Cache.c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, 0700u);
}

TEST_F(ProfileStoreTest, BadFilesAreReportedOnceAndSetAside) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  const std::string Good = text();
  nlohmann::json Newer = nlohmann::json::parse(Good);
  nlohmann::json Older = Newer;
  Newer["version"] = ProfileStore::FormatVersion + 1;
  Older["version"] = ProfileStore::FormatVersion - 1;
  const std::string Head = "{\"format\": \"specrt-profile\", \"version\": " +
                           std::to_string(ProfileStore::FormatVersion) + ", ";
  const std::pair<std::string, std::string> Cases[] = {
      {"", "not JSON"},
      {Good.substr(0, Good.size() / 2), "not JSON"},
      {std::string(Good.size(), '\0'), "not JSON"}, // as after a crash of the machine
      {"\x7f"
       "ELF",
       "not JSON"},
      {std::string(1000000, '['), "nested too deep"},
      {"{\"a\":" + std::string(50, '[') + std::string(50, ']') + "}", "nested too deep"},
      {"[1, 2]", "not written by libspecrt"},
      {"{\"format\": \"something\"}", "not written by libspecrt"},
      {"{\"format\": \"specrt-profile\", \"version\": \"1\", \"regions\": []}", "no version"},
      {Head + "\"regions\": {}}", "no regions"},
      {Head + "\"regions\": [7]}", "without a name"},
      {Newer.dump(), "newer libspecrt"},
      {Older.dump(), "older libspecrt"}};
  for (const auto &[Text, Reason] : Cases) {
    Messages.clear();
    fs::remove(open(false)->path() + ".bad");
    write(Text);
    auto Store = open();
    EXPECT_EQ(Store->size(), 0u);
    EXPECT_THAT(Messages, ElementsAre(HasSubstr(Reason))) << Text.substr(0, 80);
    EXPECT_TRUE(setAside());
    EXPECT_FALSE(Store->find(K.get()));
    EXPECT_TRUE(Store->save({K.update(5, 2)})); // and the next run starts anew
    EXPECT_EQ(Messages.size(), 1u);
    EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 2u);
  }
}

TEST_F(ProfileStoreTest, FileDamagedDuringTheRun) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  auto Store = open();
  write("damaged");
  EXPECT_TRUE(Store->save({K.update(1000, 4)}));
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("not JSON")));
  EXPECT_TRUE(setAside());
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 4u);
}

TEST_F(ProfileStoreTest, DamagedRegionCostsOnlyItself) {
  Kernel K, Other("other:20");
  ASSERT_TRUE(open()->save({K.update(1000, 3), Other.update(1, 1)}));
  nlohmann::json Json = nlohmann::json::parse(text());
  for (auto &Region : Json["regions"])
    if (Region["name"] == "kernel:10")
      Region["profile"]["observations"]["values"] = 5;
  write(Json.dump());
  auto Store = open();
  EXPECT_FALSE(Store->find(K.get()));
  EXPECT_FALSE(Store->find(K.get()));
  EXPECT_TRUE(Store->find(Other.get()));
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("kernel:10")));
  EXPECT_TRUE(Store->save({K.update(1000, 2)}));
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 2u);
}

TEST_F(ProfileStoreTest, FlippedBytesDoNoHarm) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  const std::string Good = text();
  std::mt19937_64 Random(4);
  for (int Case = 0; Case < 300; ++Case) {
    std::string Bad = Good;
    for (uint64_t I = 0, N = 1 + Random() % 3; I < N; ++I)
      Bad[Random() % Bad.size()] = static_cast<char>(Random());
    write(Bad);
    auto Store = open();
    if (auto Found = Store->find(K.get()))
      plans(Found->Profile, K.get(), 4);
    ASSERT_TRUE(Store->save({K.update(1000, 1)})); // the file is good again in any case
    Messages.clear();
    ASSERT_TRUE(open()->find(K.get()));
    ASSERT_THAT(Messages, IsEmpty());
  }
}

TEST_F(ProfileStoreTest, ForeignFilesAreRefused) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  fs::path File = open(false)->path();
  fs::permissions(File, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(open()->size(), 0u);
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("only the user can write")));
  Messages.clear();
  fs::path Elsewhere = Root / "elsewhere";
  std::ofstream(Elsewhere) << "precious";
  fs::create_symlink(Elsewhere, File);
  auto Store = open();
  EXPECT_EQ(Messages.size(), 1u);
  EXPECT_TRUE(Store->save({K.update(1000, 3)}));
  EXPECT_EQ(fs::file_size(Elsewhere), 8u); // the link was moved, not followed
  Messages.clear();
  fs::remove(File);
  ASSERT_EQ(mkfifo(File.c_str(), 0600), 0); // must not wait for a writer
  EXPECT_EQ(open()->size(), 0u);
  EXPECT_EQ(Messages.size(), 1u);
}

TEST_F(ProfileStoreTest, ForeignDirectoryIsRefused) {
  fs::create_directories(Cache / "profiles");
  fs::permissions(Cache / "profiles", fs::perms::all);
  Kernel K;
  auto Store = open();
  EXPECT_FALSE(Store->save({K.update(1000, 3)}));
  EXPECT_FALSE(Store->save({K.update(1000, 3)}));
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("writable by nobody else")));
  EXPECT_TRUE(fs::is_empty(Cache / "profiles"));
}

TEST_F(ProfileStoreTest, DirectoryThatCannotBeMade) {
  std::ofstream(Root / "cache") << "a file";
  Kernel K;
  auto Store = open(false);
  EXPECT_FALSE(Store->save({K.update(1000, 3)}));
  EXPECT_FALSE(Store->save({K.update(1000, 3)}));
  EXPECT_EQ(Messages.size(), 1u);
  ProfileStore Nowhere("", "/usr/bin/program", nullptr);
  Nowhere.load();
  EXPECT_TRUE(Nowhere.save({K.update(1000, 3)}));
  EXPECT_EQ(Nowhere.path(), "");
}

TEST_F(ProfileStoreTest, FullDiskKeepsTheOldFile) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  const std::string Before = text();
  EXPECT_TRUE(onFullDisk([&] {
    auto Store = open();
    const bool Saved = Store->save({K.update(1000, 3)}) || Store->save({K.update(1000, 3)});
    return !Saved && Messages.size() == 1;
  }));
  EXPECT_EQ(text(), Before);
  for (const auto &Entry : fs::directory_iterator(Cache / "profiles"))
    EXPECT_THAT(Entry.path().string(), testing::Not(HasSubstr(".tmp")));
}

} // namespace
