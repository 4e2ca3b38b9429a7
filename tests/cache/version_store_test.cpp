//===- tests/cache/version_store_test.cpp - a folder that others touch too ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_store.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace specrt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

VersionKey keyOf(const std::string &Name) { return {"region=" + Name + "\n"}; }

class VersionStoreTest : public testing::Test {
protected:
  fs::path Cache;
  std::vector<std::string> Messages;

  VersionStoreTest() {
    std::string Template = fs::temp_directory_path() / "specrt-store-XXXXXX";
    Cache = mkdtemp(Template.data());
  }
  ~VersionStoreTest() override {
    std::error_code Ignored;
    fs::permissions(Cache, fs::perms::owner_all, Ignored);
    fs::remove_all(Cache, Ignored);
  }

  VersionStore store(uint64_t Limit = 1 << 20) {
    return VersionStore(Cache, Limit, [this](const std::string &M) { Messages.push_back(M); });
  }
  fs::path fileOf(const VersionKey &Key) { return Cache / "versions" / Key.fileName(); }

  bool put(VersionStore &Store, const std::string &Name, const std::string &Object) {
    VersionDescription D;
    D.Region = Name;
    return Store.put(keyOf(Name), D, Object);
  }
  std::string objectOf(VersionStore &Store, const std::string &Name) {
    StoredVersion Found;
    return Store.find(keyOf(Name), Found) ? std::string(Found.Object) : "";
  }
  /// The file must be refused with one message that contains Why, be gone, and be replaceable.
  void expectRefused(const std::string &Why) {
    VersionStore Store = store();
    Messages.clear();
    EXPECT_EQ(objectOf(Store, "a"), "");
    ASSERT_EQ(Messages.size(), 1u);
    EXPECT_THAT(Messages[0], HasSubstr(Why));
    EXPECT_THAT(Messages[0], HasSubstr("removed"));
    EXPECT_FALSE(fs::exists(fs::symlink_status(fileOf(keyOf("a")))));
    EXPECT_TRUE(put(Store, "a", "new"));
    EXPECT_EQ(objectOf(Store, "a"), "new");
  }
};

TEST_F(VersionStoreTest, FindsWhatWasPut) {
  VersionStore Store = store();
  EXPECT_EQ(objectOf(Store, "a"), "");
  EXPECT_TRUE(put(Store, "a", "code of a"));
  EXPECT_TRUE(put(Store, "b", "code of b"));
  EXPECT_EQ(objectOf(Store, "a"), "code of a");
  VersionStore Other = store();
  EXPECT_EQ(objectOf(Other, "b"), "code of b");
  EXPECT_TRUE(Messages.empty());
  struct stat Status;
  ASSERT_EQ(stat((Cache / "versions").c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 0777, 0700u);
}

TEST_F(VersionStoreTest, AHashCollisionIsAMiss) {
  VersionStore Store = store();
  put(Store, "a", "code of a");
  fs::rename(fileOf(keyOf("a")), fileOf(keyOf("b")));
  EXPECT_EQ(objectOf(Store, "b"), "");
  EXPECT_TRUE(Messages.empty()) << "it is no damage";
  put(Store, "b", "code of b");
  EXPECT_EQ(objectOf(Store, "b"), "code of b");
}

TEST_F(VersionStoreTest, DamagedFilesAreRemovedAndMadeAnew) {
  VersionStore Store = store();
  put(Store, "a", "code");
  { // flipped
    std::fstream File(fileOf(keyOf("a")), std::ios::in | std::ios::out | std::ios::binary);
    File.put('C');
  }
  expectRefused("checksum");
  fs::resize_file(fileOf(keyOf("a")), 100);
  expectRefused("incomplete");
  fs::resize_file(fileOf(keyOf("a")), 0);
  expectRefused("incomplete");
}

TEST_F(VersionStoreTest, LinksAndOtherFilesAreRefused) {
  VersionStore Store = store();
  put(Store, "a", "code");
  fs::rename(fileOf(keyOf("a")), Cache / "elsewhere");
  fs::create_symlink(Cache / "elsewhere", fileOf(keyOf("a")));
  expectRefused("cannot be opened");
  EXPECT_TRUE(fs::exists(Cache / "elsewhere"));
  fs::remove(fileOf(keyOf("a")));
  ASSERT_EQ(mkfifo(fileOf(keyOf("a")).c_str(), 0600), 0);
  expectRefused("regular file");
}

TEST_F(VersionStoreTest, FilesThatOthersCanWriteAreRefused) {
  VersionStore Store = store();
  put(Store, "a", "code");
  chmod(fileOf(keyOf("a")).c_str(), 0620);
  expectRefused("only the user can write");
  chmod(fileOf(keyOf("a")).c_str(), 0602);
  expectRefused("only the user can write");
}

TEST_F(VersionStoreTest, FilesOfOthersAreRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  VersionStore Store = store();
  put(Store, "a", "code");
  ASSERT_EQ(chown(fileOf(keyOf("a")).c_str(), 12345, 12345), 0);
  expectRefused("only the user can write");
}

TEST_F(VersionStoreTest, FoldersThatOthersCanWriteAreNotUsed) {
  VersionStore Store = store();
  put(Store, "a", "code");
  chmod((Cache / "versions").c_str(), 0770);
  EXPECT_EQ(objectOf(Store, "a"), "");
  ASSERT_FALSE(Messages.empty());
  EXPECT_THAT(Messages[0], HasSubstr("writable by nobody else"));
  EXPECT_FALSE(put(Store, "b", "code"));
}

TEST_F(VersionStoreTest, ALinkToAFolderIsNotUsed) {
  fs::create_directories(Cache / "elsewhere");
  fs::create_symlink(Cache / "elsewhere", Cache / "versions");
  VersionStore Store = store();
  EXPECT_FALSE(put(Store, "a", "code"));
  EXPECT_TRUE(fs::is_empty(Cache / "elsewhere"));
  EXPECT_EQ(Messages.size(), 1u);
}

TEST_F(VersionStoreTest, AFullDiskCostsAMessage) {
  pid_t Child = fork();
  if (Child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit Limit = {100, 100};
    setrlimit(RLIMIT_FSIZE, &Limit);
    VersionStore Store = store();
    bool Good = !put(Store, "a", std::string(5000, 'x')) && Messages.size() == 1 &&
                objectOf(Store, "a").empty();
    _exit(Good ? 0 : 1);
  }
  int Status = -1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
  for (const auto &Entry : fs::directory_iterator(Cache / "versions"))
    ADD_FAILURE() << Entry.path() << " was left behind";
}

TEST_F(VersionStoreTest, WithoutADirectoryNothingHappens) {
  VersionStore Store("", 1 << 20, [](const std::string &) { ADD_FAILURE(); });
  EXPECT_FALSE(put(Store, "a", "code"));
  EXPECT_EQ(objectOf(Store, "a"), "");
  EXPECT_FALSE(Store.lock(keyOf("a"), [] { return true; }));
  EXPECT_TRUE(Store.list().empty());
}

TEST_F(VersionStoreTest, TheLongestUnusedGoFirst) {
  VersionStore Store = store(100'000);
  const std::string Object(20'000, 'x');
  for (int I = 0; I < 4; ++I) {
    put(Store, std::to_string(I), Object);
    timespec Old[2] = {{1'000'000 + I, 0}, {1'000'000 + I, 0}};
    utimensat(AT_FDCWD, fileOf(keyOf(std::to_string(I))).c_str(), Old, 0);
  }
  EXPECT_EQ(objectOf(Store, "0"), Object); // used: now the youngest
  put(Store, "4", Object);
  EXPECT_NE(objectOf(Store, "0"), "");
  EXPECT_EQ(objectOf(Store, "1"), "");
  EXPECT_NE(objectOf(Store, "3"), "");
  EXPECT_NE(objectOf(Store, "4"), "");
}

TEST_F(VersionStoreTest, WhatIsLargerThanTheLimitIsNotStored) {
  VersionStore Store = store(1000);
  EXPECT_FALSE(put(Store, "a", std::string(1000, 'x')));
  EXPECT_EQ(objectOf(Store, "a"), "");
}

TEST_F(VersionStoreTest, OneLockPerKey) {
  VersionStore Store = store();
  auto First = std::make_unique<FileLock>(Store.lock(keyOf("a"), [] { return true; }));
  ASSERT_TRUE(*First);
  EXPECT_TRUE(Store.lock(keyOf("b"), [] { return true; })) << "another key";
  EXPECT_FALSE(Store.lock(keyOf("a"), [] { return false; })) << "need not wait";
  std::thread Later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    First.reset();
  });
  FileLock Second = Store.lock(keyOf("a"), [] { return true; });
  Later.join();
  EXPECT_TRUE(Second);
}

/// A process that compiles forks, and is killed while its child lives on.
TEST_F(VersionStoreTest, AChildThatOutlivesItsParentHoldsNoLock) {
  int Ready[2];
  ASSERT_EQ(pipe(Ready), 0);
  pid_t Parent = fork();
  if (Parent == 0) {
    VersionStore Store = store();
    FileLock Held = Store.lock(keyOf("a"), [] { return true; });
    pid_t Child = fork();
    if (Child == 0) {
      FileLock::forgetAfterFork(); // as the runtime's fork handler does
      setsid();
      pause();
    }
    Child = Held ? Child : -1;
    if (write(Ready[1], &Child, sizeof(Child)) != sizeof(Child))
      _exit(1);
    pause();
  }
  pid_t Child = -1;
  ASSERT_EQ(read(Ready[0], &Child, sizeof(Child)), static_cast<ssize_t>(sizeof(Child)));
  ASSERT_GT(Child, 0);
  VersionStore Store = store();
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // the child closes its descriptors
  EXPECT_FALSE(Store.lock(keyOf("a"), [] { return false; })) << "the parent still has it";
  kill(Parent, SIGKILL);
  waitpid(Parent, nullptr, 0);
  EXPECT_TRUE(Store.lock(keyOf("a"), [] { return false; })) << "the child has it, too";
  kill(Child, SIGKILL);
  close(Ready[0]);
  close(Ready[1]);
}

TEST_F(VersionStoreTest, AReaderLeavesBadFilesAndTimesAlone) {
  VersionStore Store = store();
  put(Store, "good", "code");
  put(Store, "bad", "code");
  fs::path Good = fileOf(keyOf("good")), Bad = fileOf(keyOf("bad"));
  auto LongAgo = fs::file_time_type::clock::now() - std::chrono::hours(48);
  fs::last_write_time(Good, LongAgo);
  fs::resize_file(Bad, 10);
  VersionStore Reader(
      Cache, 1 << 20, [this](const std::string &M) { Messages.push_back(M); },
      /*MayWrite=*/false);
  EXPECT_EQ(objectOf(Reader, "good"), "code");
  EXPECT_EQ(objectOf(Reader, "bad"), "");
  ASSERT_EQ(Messages.size(), 1u);
  EXPECT_THAT(Messages[0], HasSubstr("is not used"));
  EXPECT_TRUE(fs::exists(Bad));
  EXPECT_EQ(fs::last_write_time(Good), LongAgo);
}

TEST_F(VersionStoreTest, AFileOfTheFormerFormatIsIgnoredWithOneLine) {
  VersionStore Store = store();
  put(Store, "a", "code");
  fs::path File = fileOf(keyOf("a"));
  {
    // The footer: what it is, then the number of the format.
    std::fstream Out(File, std::ios::in | std::ios::out | std::ios::binary);
    Out.seekp(-(8 + 4 + 4 + 8 + 8 + 16) + 8, std::ios::end);
    const uint32_t Former = CacheFormat - 1;
    Out.write(reinterpret_cast<const char *>(&Former), sizeof(Former));
  }
  EXPECT_EQ(objectOf(Store, "a"), "");
  ASSERT_EQ(Messages.size(), 1u);
  EXPECT_THAT(Messages[0], HasSubstr("was written by another version of libspecrt"));
  EXPECT_EQ(objectOf(Store, "a"), "");
  EXPECT_EQ(Messages.size(), 1u);
}

TEST_F(VersionStoreTest, ListsVerifiesAndClears) {
  VersionStore Store = store();
  put(Store, "good", "code");
  put(Store, "bad", "code");
  fs::resize_file(fileOf(keyOf("bad")), 10);
  std::ofstream(Cache / "versions" / "notes.txt") << "mine";
  std::vector<VersionEntry> All = Store.list();
  ASSERT_EQ(All.size(), 2u);
  int Bad = 0;
  for (const VersionEntry &Entry : All) {
    Bad += !Entry.Problem.empty();
    if (Entry.Problem.empty()) {
      EXPECT_EQ(Entry.Description.Region, "good");
    }
  }
  EXPECT_EQ(Bad, 1);
  EXPECT_GE(Store.clear(), 2u);
  EXPECT_TRUE(Store.list().empty());
  EXPECT_TRUE(fs::exists(Cache / "versions" / "notes.txt"));
}

TEST_F(VersionStoreTest, AWriterKilledAtAnyPointLeavesAUsableStore) {
  for (int Round = 0; Round < 60; ++Round) {
    pid_t Child = fork();
    if (Child == 0) {
      VersionStore Store = store();
      const std::string Object(200'000, 'x');
      for (unsigned I = 0;; ++I)
        put(Store, "a", Object + std::to_string(I));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(300 + 97 * Round));
    kill(Child, SIGKILL);
    waitpid(Child, nullptr, 0);
    VersionStore Store = store();
    Messages.clear();
    StoredVersion Found;
    Store.find(keyOf("a"), Found);
    EXPECT_TRUE(Messages.empty()) << Messages[0];
    EXPECT_TRUE(put(Store, "b", "code"));
    EXPECT_EQ(objectOf(Store, "b"), "code");
  }
}

} // namespace
} // namespace specrt
