//===- tests/profiler/store/shared_store_test.cpp - profiles with many writers --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/store/test_store.h"

#include <atomic>
#include <chrono>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt;
using namespace specrt_test;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

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

} // namespace
