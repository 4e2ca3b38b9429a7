//===- tests/runtime/server/throttle_test.cpp - when background compiles pause -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/processors.h"
#include "runtime/server/throttle.h"
#include "tests/runtime/spinner.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace specrt {
namespace {

TEST(Processors, AThreadThatRunsTakesOne) {
  Spinner Other;
  const pid_t Id = Other.id();
  EXPECT_TRUE(wantsProcessor(Id));
  EXPECT_GE(othersThatRun(), 1U);
}

TEST(Processors, SleepersTakeNone) {
  std::atomic<pid_t> Id{0};
  std::thread Sleeper([&] {
    Id = gettid();
    usleep(100'000);
  });
  while (Id == 0)
    usleep(100);
  usleep(10'000);
  EXPECT_FALSE(wantsProcessor(Id));
  Sleeper.join();
}

/// Programs and time are as the test says.
class ThrottleTest : public testing::Test {
protected:
  unsigned Others = 0;
  uint64_t NowNs = 0;
  Throttle Limit{{.Processors = 2,
                  .Others = [this](auto) { return Others; },
                  .NowNs = [this] { return NowNs; }}};

  /// A check when the last one has asked for it, after which the compile has run for UsedNs.
  bool mustPause(uint64_t UsedNs = 0) { return mustPause(Limit, UsedNs); }
  bool mustPause(Throttle &T, uint64_t UsedNs = 0) {
    NowNs += T.intervalNs();
    return T.mustPause({}, UsedNs);
  }

  /// The processor time that compiles get in ten seconds in which no processor is free.
  uint64_t takenInTenSeconds(Throttle &T) {
    constexpr uint64_t TenSeconds = 10'000'000'000;
    uint64_t Used = 0;
    while (NowNs < TenSeconds)
      if (!mustPause(T)) {
        NowNs += Throttle::CheckNs;
        Used += Throttle::CheckNs;
        T.mustPause({}, Throttle::CheckNs);
      }
    return Used;
  }
};

TEST_F(ThrottleTest, RunsWhereAProcessorIsFree) {
  Others = 1;
  bool Pauses = true;
  for (int Check = 0; Check < 5; ++Check)
    Pauses = mustPause(Throttle::CheckNs);
  EXPECT_FALSE(Pauses);
}

TEST_F(ThrottleTest, TimeOnAFreeProcessorIsNotTakenFromPrograms) {
  Others = 1;
  for (int Check = 0; Check < 5000; ++Check)
    mustPause(Throttle::CheckNs);
  Others = 2;
  EXPECT_FALSE(mustPause()) << "a hundredth of ten seconds is left";
}

TEST_F(ThrottleTest, TakesNothingFromBusyProgramsAtFirst) {
  Others = 2;
  EXPECT_TRUE(mustPause());
  EXPECT_TRUE(mustPause());
}

TEST_F(ThrottleTest, ChecksABusyMachineSeldom) {
  Others = 4;
  for (int Check = 0; Check < 5; ++Check)
    EXPECT_TRUE(mustPause());
  EXPECT_EQ(Limit.intervalNs(), Throttle::MaxCheckNs);
  Others = 0;
  mustPause();
  EXPECT_EQ(Limit.intervalNs(), Throttle::CheckNs) << "soon again";
}

TEST_F(ThrottleTest, PausesAtOnceWhenTheLastProcessorIsWanted) {
  for (int Check = 0; Check < 5; ++Check)
    mustPause(Throttle::CheckNs);
  EXPECT_FALSE(mustPause(Throttle::CheckNs));
  Others = 2;
  EXPECT_TRUE(mustPause(Throttle::CheckNs));
}

TEST_F(ThrottleTest, TakesAHundredthOfABusyMachine) {
  Others = 2;
  const uint64_t Taken = takenInTenSeconds(Limit);
  EXPECT_GT(Taken, 90'000'000U);
  EXPECT_LE(Taken, 100'000'000U);
}

TEST_F(ThrottleTest, TakesATenthOfTheOnlyProcessorFromASingleThread) {
  Throttle Small{{.Processors = 1,
                  .Others = [this](auto) { return Others; },
                  .NowNs = [this] { return NowNs; }}};
  Others = 1;
  const uint64_t Taken = takenInTenSeconds(Small);
  EXPECT_GT(Taken, 900'000'000U);
  EXPECT_LE(Taken, 1'000'000'000U);
}

} // namespace
} // namespace specrt
