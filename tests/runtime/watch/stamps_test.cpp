//===- tests/runtime/watch/stamps_test.cpp - what programs promise --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/watch/fixture.h"

#include <thread>
#include <vector>

namespace specrt {
namespace {

/// In place of specrt_touch, which calls these.
void touch(const void *At, size_t Bytes) { ProcessWatches::current()->Stamps.touch(At, Bytes); }
void touchEnd(const void *At, size_t Bytes) { ProcessWatches::current()->Stamps.end(At, Bytes); }

struct StampsTest : testing::Test {
  ~StampsTest() override { touchEnd(nullptr, ~size_t{0}); }
  std::vector<std::byte> Bytes = std::vector<std::byte>(1000);
  std::byte *at(size_t I) { return Bytes.data() + I; }
};

std::string kindOf(const std::unique_ptr<Watch> &W) { return W ? W->figures().Kinds : "none"; }

TEST_F(StampsTest, APromiseReplacesLooking) {
  touch(at(100), 200);
  auto W = armed(at(120), 100);
  EXPECT_EQ(kindOf(W), "stamps");
  EXPECT_TRUE(W->unchanged());
  *at(130) = std::byte{1};
  EXPECT_TRUE(W->unchanged()) << "the program did not keep its promise";
  touch(at(130), 1);
  EXPECT_FALSE(W->unchanged());
  EXPECT_FALSE(W->unchanged());
  EXPECT_TRUE(armed(at(120), 100)->unchanged());
}

TEST_F(StampsTest, OnlyWhatIsPromisedCounts) {
  touch(at(100), 200);
  EXPECT_EQ(kindOf(armed(at(100), 200)), "stamps");
  EXPECT_EQ(kindOf(armed(at(99), 2)), "comparison");
  EXPECT_EQ(kindOf(armed(at(299), 2)), "comparison");
  EXPECT_EQ(kindOf(armed(at(500), 2)), "comparison");
  auto W = armed(at(100), 200);
  touch(at(300), 100);
  touch(at(50), 50);
  EXPECT_TRUE(W->unchanged()) << "others changed";
  EXPECT_EQ(kindOf(armed(at(50), 350)), "stamps") << "by three";
}

TEST_F(StampsTest, EachByteOfATouchCounts) {
  for (auto [Begin, End] : {std::pair<size_t, size_t>{100, 101},
                            {299, 300},
                            {50, 101},
                            {299, 500},
                            {0, 1000},
                            {100, 300}}) {
    touchEnd(nullptr, ~size_t{0});
    touch(at(100), 200);
    auto W = armed(at(100), 200);
    ASSERT_EQ(kindOf(W), "stamps");
    touch(at(Begin), End - Begin);
    EXPECT_FALSE(W->unchanged()) << Begin << " to " << End;
    EXPECT_EQ(kindOf(armed(at(Begin), End - Begin)), "stamps");
    EXPECT_EQ(kindOf(armed(at(100), 200)), "stamps");
  }
}

TEST_F(StampsTest, AnEndedPromiseIsNone) {
  touch(at(100), 200);
  auto W = armed(at(100), 200);
  touchEnd(at(150), 50);
  EXPECT_FALSE(W->unchanged());
  EXPECT_EQ(kindOf(armed(at(100), 50)), "stamps");
  EXPECT_EQ(kindOf(armed(at(200), 100)), "stamps");
  EXPECT_EQ(kindOf(armed(at(149), 2)), "comparison");
  EXPECT_EQ(kindOf(armed(at(199), 1)), "comparison");
  auto V = armed(at(199), 1);
  *at(199) = std::byte{1};
  EXPECT_FALSE(V->unchanged());
  touchEnd(at(0), 0);
  touchEnd(at(900), 50);
}

TEST_F(StampsTest, TheModeDecides) {
  touch(at(0), 500);
  {
    const WithMode Mode(WatchMode::Stamps);
    EXPECT_EQ(kindOf(armed(at(0), 500)), "stamps");
    EXPECT_EQ(kindOf(armed(at(0), 501)), "none");
  }
  const WithMode Mode(WatchMode::Compare);
  auto W = armed(at(0), 500);
  EXPECT_EQ(kindOf(W), "comparison") << "also to find promises that are not kept";
  *at(3) = std::byte{1};
  EXPECT_FALSE(W->unchanged());
}

TEST_F(StampsTest, PromisesAreBounded) {
  std::vector<std::byte> Large(2 * Promises::MostRanges + 10);
  for (size_t I = 0; I < Promises::MostRanges; ++I)
    touch(&Large[2 * I], 1);
  EXPECT_EQ(kindOf(armed(Large.data(), 1)), "stamps");
  const std::byte *Beyond = &Large[2 * Promises::MostRanges];
  touch(Beyond, 1);
  EXPECT_EQ(kindOf(armed(Beyond, 1)), "comparison");
  auto W = armed(&Large[10], 1);
  touch(Large.data(), Large.size());
  EXPECT_FALSE(W->unchanged());
  EXPECT_EQ(kindOf(armed(Beyond, 1)), "stamps") << "they are one now";
}

TEST_F(StampsTest, AChildPromisesAnew) {
  touch(at(0), 500);
  auto W = armed(at(0), 500);
  EXPECT_TRUE(inChild([&] {
    bool Right = !W->unchanged() && kindOf(armed(at(0), 500)) == "comparison";
    touch(at(0), 500);
    return Right && kindOf(armed(at(0), 500)) == "stamps";
  }));
  EXPECT_TRUE(W->unchanged());
}

TEST_F(StampsTest, ManyThreads) {
  std::vector<std::thread> Threads;
  for (size_t T = 0; T < 16; ++T)
    Threads.emplace_back([&, T] {
      std::byte *Own = at(T * 60);
      for (int I = 0; I < 500; ++I) {
        touch(Own, 50);
        auto W = armed(Own, 50);
        EXPECT_TRUE(W->unchanged());
        *Own = static_cast<std::byte>(I);
        touch(Own, 1);
        EXPECT_FALSE(W->unchanged());
        touchEnd(Own, 50);
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

/// A thread that left a call of ours holds the lock for ever.
TEST_F(StampsTest, ALockThatNobodyGivesBack) {
  PatientLock Lock;
  auto *Left = new PatientLock::Guard(Lock);
  EXPECT_TRUE(*Left);
  EXPECT_FALSE(PatientLock::Guard(Lock)) << "after a second";
  EXPECT_TRUE(Lock.isStuck());
  EXPECT_FALSE(PatientLock::Guard(Lock)) << "at once";
  delete Left;
}

} // namespace
} // namespace specrt
