//===- tests/profiler/profile_store_test.cpp - profiles between runs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/profile_store.h"

#include "tests/profiler/test_region.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

struct Kernel : TestRegion {
  explicit Kernel(std::string Name = "kernel:10")
      : TestRegion({SPECRT_KIND_I32, SPECRT_KIND_POINTER}, {}, {}, std::move(Name)) {}

  /// Calls with n == N.
  StoreUpdate update(int N, int Calls) {
    RegionProfile P(get());
    uint64_t Packed[] = {static_cast<uint32_t>(N), 0x1000};
    for (int I = 0; I < Calls; ++I)
      P.record(Packed, 1000);
    return {Name, {get().bitcode_hash[0], get().bitcode_hash[1]}, {.Profile = P, .Hot = true}};
  }

  /// About the first plan for what was recorded.
  StoredDecision decisionOn(const StoreUpdate &Update) {
    return {.Assumed = plans(Update.Region.Profile, get(), 1).at(0).Assumed};
  }
};

class ProfileStoreTest : public testing::Test {
protected:
  void SetUp() override {
    std::string Template = (fs::temp_directory_path() / "specrt-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(Template.data()), nullptr);
    Root = Template;
    Cache = Root / "cache";
  }
  void TearDown() override { fs::remove_all(Root); }

  std::unique_ptr<ProfileStore> open(bool Load = true) {
    auto Store = std::make_unique<ProfileStore>(
        Cache.string(), "/usr/bin/program",
        [this](const std::string &Message) { Messages.push_back(Message); });
    if (Load)
      Store->load();
    return Store;
  }
  /// Saves again while others have the lock for so long that save gives up, as it says then: on a
  /// busy machine, eight processes that write may take longer than a program would wait for them.
  bool saveInTheEnd(bool Load, const std::vector<StoreUpdate> &Updates) {
    for (int Try = 0; Try < 20; ++Try) {
      if (open(Load)->save(Updates))
        return Messages.empty();
      if (Messages.size() != 1 || Messages[0].find("cannot be locked") == std::string::npos)
        return false;
      Messages.clear();
    }
    return false;
  }
  std::string text() {
    std::ifstream In(open(false)->path());
    return {std::istreambuf_iterator<char>(In), {}};
  }
  void write(const std::string &Text) { std::ofstream(open(false)->path()) << Text; }
  bool setAside() { return fs::exists(open(false)->path() + ".bad"); }

  fs::path Root, Cache;
  std::vector<std::string> Messages;
};

TEST(CacheDirectory, FollowsTheXdgRules) {
  std::map<std::string, std::string> Environment;
  auto Directory = [&] {
    return defaultCacheDirectory([&](const char *Name) -> const char * {
      auto Found = Environment.find(Name);
      return Found == Environment.end() ? nullptr : Found->second.c_str();
    });
  };
  EXPECT_EQ(Directory(), "");
  Environment["HOME"] = "/home/u";
  EXPECT_EQ(Directory(), "/home/u/.cache/specrt");
  Environment["XDG_CACHE_HOME"] = "relative";
  EXPECT_EQ(Directory(), "/home/u/.cache/specrt");
  Environment["XDG_CACHE_HOME"] = "/x";
  EXPECT_EQ(Directory(), "/x/specrt");
  Environment["SPECRT_CACHE_DIR"] = "own";
  EXPECT_EQ(Directory(), "/x/specrt");
  Environment["SPECRT_CACHE_DIR"] = "/own";
  EXPECT_EQ(Directory(), "/own");
}

/// Of a clock that jumps, say.
TEST_F(ProfileStoreTest, TimesThatAreNoNumbersAreUnknown) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 3);
  StoredDecision D = K.decisionOn(Update);
  D.OriginalNs = std::numeric_limits<double>::infinity();
  D.CandidateNs = D.CompileMs = std::numeric_limits<double>::quiet_NaN();
  D.Stamp = UINT64_MAX;
  Update.Region.Decisions = {D};
  Update.Region.Runs = UINT64_MAX;
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  ASSERT_EQ(Found->Decisions.size(), 1u);
  EXPECT_EQ(Found->Decisions[0].OriginalNs, 0);
  EXPECT_EQ(Found->Decisions[0].CandidateNs, 0);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ProfileStoreTest, SecondRunKnowsTheFirst) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 3);
  StoredDecision D = K.decisionOn(Update);
  D.Result = StoredDecision::Outcome::Won;
  D.Candidate = "source-order";
  D.OriginalNs = 5000;
  D.CandidateNs = 1000;
  D.Reason = "5.0 times faster";
  Update.Region.Decisions.push_back(D);
  EXPECT_EQ(open()->size(), 0u);
  EXPECT_FALSE(fs::exists(Cache)); // loading creates nothing
  EXPECT_TRUE(open()->save({Update}));

  auto Store = open();
  EXPECT_EQ(Store->size(), 1u);
  auto Found = Store->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Hot);
  EXPECT_EQ(Found->Profile.sampledCalls(), 3u);
  EXPECT_GT(Found->LastUsed, 0u);
  auto Again = plans(Found->Profile, K.get(), 1).at(0);
  const StoredDecision *Known = Found->decision(Again.Assumed.id());
  ASSERT_NE(Known, nullptr);
  EXPECT_EQ(Known->Candidate, "source-order");
  EXPECT_EQ(Known->Result, StoredDecision::Outcome::Won);
  EXPECT_EQ(Known->CandidateNs, 1000);
  EXPECT_EQ(Known->Assumed.Facts.at(0).value, 1000u);
  EXPECT_EQ(Known->Assumed.Facts.at(1).alignment, 16u);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ProfileStoreTest, RunsAddUp) {
  Kernel K, Other("other:20");
  EXPECT_TRUE(open()->save({K.update(1000, 3), Other.update(1, 1)}));
  EXPECT_TRUE(open()->save({K.update(1000, 4)}));
  auto Store = open();
  EXPECT_EQ(Store->size(), 2u); // a region that the second run did not meet is kept
  EXPECT_EQ(Store->find(K.get())->Profile.sampledCalls(), 7u);
  EXPECT_EQ(Store->find(K.get())->Profile.tuples().entries()[0].Count, 7u);
}

TEST_F(ProfileStoreTest, NewerDecisionsReplaceOlder) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 2);
  StoredDecision D = K.decisionOn(Update);
  D.Candidate = "constants";
  Update.Region.Decisions = {D};
  EXPECT_TRUE(open()->save({Update}));
  Update.Region.Decisions[0].Candidate = "source-order";
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_EQ(Found->Decisions.size(), 1u);
  EXPECT_EQ(Found->Decisions[0].Candidate, "source-order");
}

TEST_F(ProfileStoreTest, TrialsOfAllRunsAreKept) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 2);
  StoredDecision D = K.decisionOn(Update);
  D.Trials.add("contraction", 100);
  Update.Region.Decisions = {D};
  Update.Region.Runs = 1;
  EXPECT_TRUE(open()->save({Update}));
  Update.Region.Decisions[0].Trials = TrialRecord();
  Update.Region.Decisions[0].Trials.add("source-order", 70);
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Runs, 2u);
  EXPECT_TRUE(Found->Decisions.at(0).Trials.knows("contraction"));
  EXPECT_TRUE(Found->Decisions.at(0).Trials.knows("source-order"));
  EXPECT_TRUE(Found->Decisions.at(0).Trials.isOpen());
}

TEST_F(ProfileStoreTest, RecompiledRegionIsAnother) {
  Kernel K;
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  specrt_region Recompiled = K.get();
  Recompiled.bitcode_hash[0] ^= 1;
  EXPECT_FALSE(open()->find(Recompiled));
}

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
      Region["profile"]["inputs"] = 5;
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

TEST_F(ProfileStoreTest, UnknownFieldsAreKept) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  nlohmann::json Json = nlohmann::json::parse(text());
  Json["regions"][0]["structure"] = "sparse";
  write(Json.dump());
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_EQ(nlohmann::json::parse(text())["regions"][0]["structure"], "sparse");
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 6u);
  EXPECT_THAT(Messages, IsEmpty());
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
  pid_t Child = fork(); // a file size limit makes every write fail, as a full disk does
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit Limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &Limit);
    auto Store = open();
    bool Saved = Store->save({K.update(1000, 3)}) || Store->save({K.update(1000, 3)});
    _exit(!Saved && Messages.size() == 1 ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
  EXPECT_EQ(text(), Before);
  for (const auto &Entry : fs::directory_iterator(Cache / "profiles"))
    EXPECT_THAT(Entry.path().string(), testing::Not(HasSubstr(".tmp")));
}

TEST_F(ProfileStoreTest, ConcurrentProcessesLoseNothing) {
  constexpr int Processes = 8, Writes = 50;
  std::vector<pid_t> Children;
  for (int P = 0; P < Processes; ++P) {
    pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0) {
      Kernel Shared, Own("own:" + std::to_string(P));
      bool Good = true;
      for (int W = 0; W < Writes; ++W)
        Good &= saveInTheEnd(W % 2, {Shared.update(1000, 1), Own.update(P, 2)});
      _exit(Good ? 0 : 1);
    }
    Children.push_back(Child);
  }
  for (pid_t Child : Children) {
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
  }
  auto Store = open();
  Kernel Shared;
  EXPECT_EQ(Store->find(Shared.get())->Profile.sampledCalls(), uint64_t{Processes * Writes});
  for (int P = 0; P < Processes; ++P) {
    Kernel Own("own:" + std::to_string(P));
    EXPECT_EQ(Store->find(Own.get())->Profile.sampledCalls(), uint64_t{2 * Writes});
  }
}

TEST_F(ProfileStoreTest, ALockThatIsRemovedMeanwhileLocksNobodyOut) {
  std::string Error;
  Descriptor Directory = openPrivateDirectory(Cache.string(), /*Create=*/true, Error);
  ASSERT_TRUE(Directory) << Error;
  FileLock First = lockFile(Directory, "lock", 0, Error), Second;
  ASSERT_TRUE(First) << Error;
  std::thread Waiting([&] {
    std::string Why;
    Second = lockFile(Directory, "lock", 60000, Why);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  fs::remove(Cache / "lock");
  First = FileLock();
  Waiting.join();
  ASSERT_TRUE(Second);
  EXPECT_FALSE(lockFile(Directory, "lock", 0, Error)) << "two hold it at once";
}

TEST_F(ProfileStoreTest, ThreadsMayShareAStore) {
  auto Store = open();
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      Kernel K;
      for (int I = 0; I < 10; ++I)
        Store->save({K.update(1000, 1)});
    });
  for (std::thread &T : Threads)
    T.join();
  Kernel K;
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 40u);
}

#if !defined(__has_feature) || !__has_feature(thread_sanitizer)
TEST_F(ProfileStoreTest, ChildForkedDuringASaveDoesNotHang) {
  auto Store = open();
  std::atomic<bool> Done{false};
  std::thread Saver([&] {
    Kernel K;
    while (!Done)
      Store->save({K.update(1000, 1)});
  });
  for (int I = 0; I < 2; ++I) {
    pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0) {
      alarm(60); // ends the child, and fails the test, should it hang
      Kernel K;
      Store->save({K.update(1000, 1)});
      _exit(0);
    }
    int Status = 0;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFEXITED(Status));
    if (I == 1)
      Done = true; // each child forked at a bad moment waits for LockTimeoutMs
  }
  Saver.join();
}
#endif

TEST_F(ProfileStoreTest, ALockThatIsNeverReleasedCostsOneMessage) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  std::string Error;
  Descriptor Directory = openPrivateDirectory((Cache / "profiles").string(), false, Error);
  FileLock Held =
      lockFile(Directory, fs::path(open(false)->path()).filename().string() + ".lock", 0, Error);
  ASSERT_TRUE(Held) << Error;
  auto Begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(open()->save({K.update(1000, 3)}));
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(30));
  EXPECT_THAT(Messages, ElementsAre(HasSubstr("locked")));
}

TEST_F(ProfileStoreTest, OldRegionsMakeRoom) {
  std::vector<StoreUpdate> Updates;
  for (unsigned I = 0; I < ProfileStore::MaxRegions; ++I) {
    Kernel K("old:" + std::to_string(I));
    Updates.push_back(K.update(1, 1));
  }
  ASSERT_TRUE(open()->save(Updates));
  nlohmann::json Json = nlohmann::json::parse(text());
  for (auto &Region : Json["regions"])
    Region["last_used"] = Region["last_used"].get<uint64_t>() - 100;
  Json["regions"][7]["last_used"] = Json["regions"][7]["last_used"].get<uint64_t>() - 100;
  Json["regions"][8]["last_used"] = 1; // decades ago
  write(Json.dump());
  Kernel New("new:1"), Newest("new:2"), Oldest(Json["regions"][7]["name"]);
  ASSERT_TRUE(open()->save({New.update(1, 1), Newest.update(1, 1)}));
  auto Store = open();
  EXPECT_EQ(Store->size(), ProfileStore::MaxRegions);
  EXPECT_TRUE(Store->find(New.get()));
  EXPECT_TRUE(Store->find(Newest.get()));
  EXPECT_FALSE(Store->find(Oldest.get()));
}

TEST_F(ProfileStoreTest, NamesThatAreNotUtf8) {
  Kernel K("f\xff\xfe<int>:3");
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_EQ(open()->size(), 1u);
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 6u);
}

TEST_F(ProfileStoreTest, SmallFilesLoadFast) {
  std::vector<StoreUpdate> Updates;
  for (int I = 0; I < 10; ++I) {
    Kernel K("k:" + std::to_string(I));
    Updates.push_back(K.update(I, 3));
  }
  ASSERT_TRUE(open()->save(Updates));
  auto Best = std::chrono::nanoseconds::max();
  for (int I = 0; I < 20; ++I) {
    auto Begin = std::chrono::steady_clock::now();
    EXPECT_EQ(open()->size(), 10u);
    Best = std::min<std::chrono::nanoseconds>(Best, std::chrono::steady_clock::now() - Begin);
  }
  std::printf("loading 10 regions takes %.2f ms\n", static_cast<double>(Best.count()) * 1e-6);
  EXPECT_LT(Best, std::chrono::milliseconds(50));
}

} // namespace
