//===- tests/support/scratch_test.cpp - memory for packing ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/memory/scratch.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr uint64_t Small = 100, Large = 3u << 20;

bool isMapped(void *Memory) {
  // A pipe refuses to read from an address that is none.
  int Ends[2];
  if (pipe(Ends) != 0)
    return false;
  bool Mapped = write(Ends[1], Memory, 1) == 1;
  close(Ends[0]);
  close(Ends[1]);
  return Mapped;
}

TEST(Scratch, IsWritableToTheEndAndAligned) {
  for (uint64_t Bytes : {uint64_t{1}, uint64_t{4096}, uint64_t{65535}, uint64_t{65536}, Large}) {
    void *Memory = specrt_scratch_take(Bytes);
    ASSERT_NE(Memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Memory) % 4096, 0u);
    std::memset(Memory, 0xab, Bytes);
    specrt_scratch_give(Memory);
  }
}

TEST(Scratch, NothingCanBeGiven) { specrt_scratch_give(nullptr); }

TEST(Scratch, IsKeptForTheNextUse) {
  void *First = specrt_scratch_take(Large);
  specrt_scratch_give(First);
  void *Again = specrt_scratch_take(Large);
  EXPECT_EQ(Again, First);
  specrt_scratch_give(Again);
}

TEST(Scratch, NestedUsesGetMemoryOfTheirOwn) {
  // More than a thread keeps; given back in another order than taken.
  constexpr int Depth = 9;
  std::vector<char *> Blocks;
  for (int D = 0; D < Depth; ++D) {
    Blocks.push_back(static_cast<char *>(specrt_scratch_take(70000)));
    ASSERT_NE(Blocks.back(), nullptr);
    std::memset(Blocks.back(), D, 70000);
  }
  for (int D = 0; D < Depth; ++D)
    for (int At : {0, 35000, 69999})
      ASSERT_EQ(Blocks[size_t(D)][At], D);
  for (int D = 0; D < Depth; D += 2)
    specrt_scratch_give(Blocks[size_t(D)]);
  for (int D = 1; D < Depth; D += 2) {
    EXPECT_EQ(Blocks[size_t(D)][69999], D);
    specrt_scratch_give(Blocks[size_t(D)]);
  }
}

TEST(Scratch, GrowsWhenTheNextUseNeedsMore) {
  std::thread([] {
    for (uint64_t Bytes = Small; Bytes < 8 * Large; Bytes *= 3) {
      void *Memory = specrt_scratch_take(Bytes);
      ASSERT_NE(Memory, nullptr);
      std::memset(Memory, 1, Bytes);
      specrt_scratch_give(Memory);
    }
  }).join();
}

TEST(Scratch, BelongsToItsThreadAndEndsWithIt) {
  void *Own = specrt_scratch_take(Large);
  void *Other = nullptr;
  std::thread([&] {
    Other = specrt_scratch_take(Large);
    std::memset(Other, 2, Large);
    specrt_scratch_give(Other);
  }).join();
  EXPECT_NE(Own, Other);
  EXPECT_FALSE(isMapped(Other)) << "kept although its thread has ended";
  EXPECT_TRUE(isMapped(Own));
  specrt_scratch_give(Own);
}

TEST(Scratch, ManyThreadsDoNotShare) {
  std::vector<std::thread> Threads;
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([T] {
      for (int Round = 0; Round < 200; ++Round) {
        uint64_t Bytes = uint64_t(1 + Round % 7) * 20000;
        auto *Memory = static_cast<char *>(specrt_scratch_take(Bytes));
        ASSERT_NE(Memory, nullptr);
        std::memset(Memory, T, Bytes);
        std::this_thread::yield();
        for (uint64_t At = 0; At < Bytes; At += 4999)
          ASSERT_EQ(Memory[At], T);
        specrt_scratch_give(Memory);
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

/// As when kernels are left by longjmp or cancelled: the number of blocks is bounded, and they go
/// with the thread.
TEST(Scratch, WhatIsNeverGivenBackIsBounded) {
  std::vector<void *> Taken;
  std::thread([&] {
    while (void *Memory = specrt_scratch_take(Large))
      Taken.push_back(Memory);
    EXPECT_TRUE(isMapped(Taken.back()));
  }).join();
  EXPECT_GE(Taken.size(), 8u);
  EXPECT_LE(Taken.size(), 16u);
  for (void *Memory : Taken)
    EXPECT_FALSE(isMapped(Memory)) << "kept although its thread has ended";
}

void *Interrupted;
volatile sig_atomic_t InHandler;
void onSignal(int) {
  auto *Memory = static_cast<char *>(specrt_scratch_take(50000));
  if (!Memory || Memory == Interrupted)
    _exit(3);
  std::memset(Memory, 9, 50000);
  specrt_scratch_give(Memory);
  InHandler = 1;
}

TEST(Scratch, AHandlerGetsOtherMemoryThanWhatItInterrupts) {
  struct sigaction Action = {}, Before = {};
  Action.sa_handler = onSignal;
  sigaction(SIGUSR1, &Action, &Before);
  auto *Memory = static_cast<char *>(specrt_scratch_take(50000));
  Interrupted = Memory;
  std::memset(Memory, 5, 50000);
  raise(SIGUSR1);
  EXPECT_EQ(InHandler, 1);
  EXPECT_EQ(Memory[49999], 5);
  specrt_scratch_give(Memory);
  sigaction(SIGUSR1, &Before, nullptr);
}

TEST(Scratch, RefusesWhatNoMachineHas) {
  errno = 77;
  EXPECT_EQ(specrt_scratch_take(uint64_t{1} << 60), nullptr);
  EXPECT_EQ(specrt_scratch_take(~uint64_t{0}), nullptr);
  EXPECT_EQ(errno, 77);
}

TEST(Scratch, WithoutMemoryThereIsNoneAndErrnoStays) {
  // In a process of its own, whose address space may not grow.
  pid_t Child = fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    rlimit Limit = {1, 1};
    setrlimit(RLIMIT_AS, &Limit);
    errno = 77;
    bool Refused = specrt_scratch_take(256u << 20) == nullptr && errno == 77;
    // The refusal leaves nothing taken: the next one is asked anew and refused as well.
    Refused &= specrt_scratch_take(256u << 20) == nullptr && errno == 77;
    specrt_scratch_give(nullptr);
    _exit(Refused ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
}

} // namespace
