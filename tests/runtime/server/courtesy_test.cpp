//===- tests/runtime/server/courtesy_test.cpp - when a compile makes room for programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/processors.h"
#include "runtime/server/courtesy.h"
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

/// A machine of two processors whose programs and time are as the test says.
class CourtesyTest : public testing::Test {
protected:
  unsigned Others = 0;
  uint64_t NowNs = 0;
  Courtesy Manner{{.Processors = 2,
                   .Others = [this](auto) { return Others; },
                   .NowNs = [this] { return NowNs; }}};

  /// A look after the pause that it asked for, in which the compile has run for UsedNs.
  bool mustRest(uint64_t UsedNs = 0) {
    NowNs += Manner.pauseNs();
    return Manner.mustRest({}, UsedNs);
  }
};

TEST_F(CourtesyTest, RunsWhereAProcessorIsFree) {
  Others = 1;
  bool Rests = true;
  for (int Look = 0; Look < 5; ++Look)
    Rests = mustRest(Courtesy::LookNs);
  EXPECT_FALSE(Rests);
  const uint64_t Taken = Manner.takenNs();
  EXPECT_FALSE(mustRest(Courtesy::LookNs));
  EXPECT_EQ(Manner.takenNs(), Taken) << "nobody else wanted it";
}

TEST_F(CourtesyTest, TakesNothingFromBusyProgramsAtFirst) {
  Others = 2;
  EXPECT_TRUE(mustRest());
  EXPECT_TRUE(mustRest());
}

TEST_F(CourtesyTest, LooksSeldomAtABusyMachine) {
  Others = 4;
  for (int Look = 0; Look < 5; ++Look)
    EXPECT_TRUE(mustRest());
  EXPECT_EQ(Manner.pauseNs(), Courtesy::SeldomNs);
  Others = 0;
  mustRest();
  EXPECT_EQ(Manner.pauseNs(), Courtesy::LookNs) << "soon again";
}

TEST_F(CourtesyTest, RestsAtOnceWhenTheLastProcessorIsWanted) {
  for (int Look = 0; Look < 5; ++Look)
    mustRest(Courtesy::LookNs);
  EXPECT_FALSE(mustRest(Courtesy::LookNs));
  Others = 2;
  bool Rested = false;
  for (int Look = 0; Look < 12 && !Rested; ++Look)
    Rested = mustRest(Courtesy::LookNs);
  EXPECT_TRUE(Rested);
}

TEST_F(CourtesyTest, TakesASmallShareOfALongTime) {
  Others = 2;
  uint64_t Used = 0;
  constexpr uint64_t Second = 1'000'000'000;
  while (NowNs < 10 * Second) {
    const bool Rests = mustRest();
    if (!Rests) {
      NowNs += Courtesy::LookNs;
      Used += Courtesy::LookNs;
      Manner.mustRest({}, Courtesy::LookNs);
    }
  }
  EXPECT_GT(Used, Second / 40);
  EXPECT_LE(Used, Second / 9);
}

} // namespace
} // namespace specrt
