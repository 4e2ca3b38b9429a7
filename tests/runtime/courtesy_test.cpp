//===- tests/runtime/courtesy_test.cpp - when a compile makes room for the program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include "runtime/compile/courtesy.h"
#include "tests/runtime/one_processor.h"
#include "tests/runtime/spinner.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace specrt {
namespace {

constexpr uint64_t WorkNs = 10'000'000;

bool mayTakeWithin(Courtesy &Manner, uint64_t Ms) {
  for (uint64_t Begin = monotonicNs(); monotonicNs() - Begin < Ms * 1'000'000;) {
    if (Manner.mayTake(WorkNs))
      return true;
    usleep(Courtesy::LookNs / 1000);
  }
  return false;
}

TEST(Processors, AThreadThatRunsTakesOne) {
  OnOneProcessor Here;
  Spinner Other;
  EXPECT_TRUE(wantsProcessor(Other.id()));
  EXPECT_FALSE(isProcessorFree(/*Background=*/0));
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

TEST(Courtesy, TakesNothingFromABusyProgramThatHasJustBegun) {
  OnOneProcessor Here;
  Spinner One, Other;
  One.id();
  Other.id();
  Courtesy Manner;
  EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/0));
  EXPECT_FALSE(Manner.servesOneThread());
  EXPECT_FALSE(mayTakeWithin(Manner, 200));
}

TEST(Courtesy, LooksSeldomAtABusyProgram) {
  OnOneProcessor Here;
  Courtesy Manner;
  {
    Spinner One, Other;
    One.id();
    Other.id();
    for (int Look = 0; Look < 5; ++Look)
      EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/0));
    EXPECT_EQ(Manner.pauseNs(), Courtesy::SeldomNs);
  }
  // This processor is free now, though the machine may be busy.
  bool IsFree = false;
  for (int Look = 0; Look < 1000 && !IsFree; ++Look) {
    Manner.mustRest(/*Thread=*/0, /*UsedNs=*/0);
    IsFree = Manner.pauseNs() == Courtesy::LookNs;
    usleep(1000);
  }
  EXPECT_TRUE(IsFree);
}

/// Between its parallel loops a program leaves processors free.
TEST(Courtesy, OurOwnLoopsSayNothingAboutTheProgram) {
  OnOneProcessor Here;
  Spinner One, Other;
  One.id();
  Other.id();
  Courtesy Manner([] { return uint64_t{1}; });
  for (int Look = 0; Look < 5; ++Look)
    EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/1'000'000'000));
  EXPECT_EQ(Manner.pauseNs(), Courtesy::LookNs) << "it is looked again soon";
  EXPECT_TRUE(mayTakeWithin(Manner, 5000)) << "what was used meanwhile was taken from nobody";
}

/// Threads that have shared a loop stay awake for a moment, and the loop is over when it is looked.
TEST(Courtesy, LoopsOfOursSinceTheLastLookCountToo) {
  OnOneProcessor Here;
  Spinner One, Other;
  One.id();
  Other.id();
  static uint64_t Loops = 0;
  Courtesy Manner([] { return Loops; });
  for (int Look = 0; Look < 5; ++Look) {
    Loops += 2;
    EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/1'000'000'000));
    EXPECT_EQ(Manner.pauseNs(), Courtesy::LookNs);
  }
  EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/1'000'000'000));
  EXPECT_GT(Manner.pauseNs(), Courtesy::LookNs) << "there was none";
}

TEST(Courtesy, TakesASmallShareOfALongRun) {
  OnOneProcessor Here;
  Spinner One, Other;
  One.id();
  Other.id();
  Courtesy Manner;
  EXPECT_TRUE(mayTakeWithin(Manner, 5000));
  EXPECT_FALSE(mayTakeWithin(Manner, 100)) << "twice in a row is no small share";
  EXPECT_TRUE(Manner.mustRest(/*Thread=*/0, /*UsedNs=*/0));
}

TEST(Courtesy, TakesMoreFromASingleThread) {
  OnOneProcessor Here;
  Spinner Only;
  Only.id();
  Courtesy Manner;
  EXPECT_FALSE(mayTakeWithin(Manner, 50));
  EXPECT_TRUE(Manner.servesOneThread());
  EXPECT_TRUE(mayTakeWithin(Manner, 500));
  EXPECT_FALSE(mayTakeWithin(Manner, 50));
}

/// Runs that end before a compile is done would begin it for ever.
TEST(Courtesy, HurriesWithWhatWasCutShort) {
  OnOneProcessor Here;
  Spinner Only;
  Only.id();
  Courtesy Manner;
  EXPECT_FALSE(mayTakeWithin(Manner, 50));
  Manner.hurry(/*CutShort=*/2);
  EXPECT_TRUE(mayTakeWithin(Manner, 50));
  Manner.hurry(0);
  EXPECT_FALSE(mayTakeWithin(Manner, 50));
}

/// Many short runs, each of which hopes for later ones.
TEST(Courtesy, TakesNoMoreWhereEarlierRunsTookItAll) {
  OnOneProcessor Here;
  Spinner Only;
  Only.id();
  Courtesy Manner;
  Manner.setLimit({.AffordableNs = [](double ElapsedNs) { return ElapsedNs / 50; }});
  EXPECT_FALSE(mayTakeWithin(Manner, 400)) << "10 ms are more than a fiftieth";
  EXPECT_TRUE(Manner.servesOneThread());
  Manner.setLimit({.AffordableNs = [](double ElapsedNs) { return ElapsedNs / 50 + WorkNs; }});
  EXPECT_TRUE(mayTakeWithin(Manner, 500)) << "when more is affordable";
  EXPECT_EQ(Manner.takenNs(), WorkNs);
}

TEST(Courtesy, BeginsNothingThatCannotComeToAnEnd) {
  OnOneProcessor Here;
  Spinner Only;
  Only.id();
  Courtesy Manner;
  Manner.setLimit({.AffordableNs = [](double) { return 50e6; }});
  bool MayTake = false;
  for (const uint64_t Begin = monotonicNs(); monotonicNs() - Begin < 300'000'000;
       usleep(Courtesy::LookNs / 1000))
    MayTake |= Manner.mayTake(WorkNs, /*Further=*/100'000'000);
  EXPECT_FALSE(MayTake);
  EXPECT_FALSE(Manner.mayCompile());
  EXPECT_TRUE(mayTakeWithin(Manner, 500)) << "without anything further it is little";
  Manner.setLimit({});
  EXPECT_TRUE(Manner.mayCompile());
}

} // namespace
} // namespace specrt
