//===- tests/parallel/loop_test.cpp - chunks of a parallel loop -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/loop.h"
#include "runtime/parallel/pieces.h"

#include <climits>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace specrt;

namespace {

std::vector<long> iterations(long Begin, long End, long Step) {
  std::vector<long> Result;
  for (__int128 I = Begin; Step > 0 ? I < End : I > End; I += Step)
    Result.push_back(static_cast<long>(I));
  return Result;
}

std::vector<long> chunkedIterations(long Begin, long End, long Step, unsigned Threads) {
  ParallelLoop Loop(nullptr, nullptr, Begin, End, Step);
  Loop.setThreads(Threads);
  std::vector<long> Result;
  for (long From, To; Loop.take(0, From, To);) {
    EXPECT_NE(From, To);
    std::vector<long> Chunk = iterations(From, To, Step);
    Result.insert(Result.end(), Chunk.begin(), Chunk.end());
  }
  EXPECT_TRUE(Loop.exhausted());
  return Result;
}

TEST(ParallelLoop, CountsAtTheEndsOfTheType) {
  EXPECT_EQ(iterationCount(0, 0, 1), 0u);
  EXPECT_EQ(iterationCount(5, 3, 1), 0u);
  EXPECT_EQ(iterationCount(3, 5, -1), 0u);
  EXPECT_EQ(iterationCount(LONG_MIN, LONG_MAX, 1), ULONG_MAX);
  EXPECT_EQ(iterationCount(LONG_MAX, LONG_MIN, -1), ULONG_MAX);
  EXPECT_EQ(iterationCount(LONG_MIN, LONG_MAX, LONG_MAX), 3u);
  EXPECT_EQ(iterationCount(LONG_MAX, LONG_MIN, LONG_MIN), 2u);
  EXPECT_EQ(iterationCount(0, 10, 0), 0u);
}

TEST(ParallelLoop, ChunksMakeUpTheLoop) {
  std::mt19937_64 Random(1);
  for (int Case = 0; Case < 2000; ++Case) {
    long Step = static_cast<long>(Random() % 21) - 10;
    long Begin = static_cast<long>(Random() % 401) - 200;
    long End = static_cast<long>(Random() % 401) - 200;
    unsigned Threads = 1 + static_cast<unsigned>(Random() % 9);
    if (Step == 0)
      continue;
    ASSERT_EQ(chunkedIterations(Begin, End, Step, Threads), iterations(Begin, End, Step))
        << Begin << " " << End << " " << Step << " " << Threads;
  }
}

TEST(ParallelLoop, ChunksAtTheEndsOfTheType) {
  for (unsigned Threads : {1u, 2u, 7u}) {
    EXPECT_EQ(chunkedIterations(LONG_MAX - 10, LONG_MAX, 3, Threads),
              iterations(LONG_MAX - 10, LONG_MAX, 3));
    EXPECT_EQ(chunkedIterations(LONG_MIN + 10, LONG_MIN, -4, Threads),
              iterations(LONG_MIN + 10, LONG_MIN, -4));
  }
}

/// What it accessed the last time is in its cache.
TEST(ParallelLoop, ThreadsComeBackToTheirShares) {
  for (int Round = 0; Round < 2; ++Round) {
    ParallelLoop Loop(nullptr, nullptr, 0, 100, 1);
    Loop.setThreads(4);
    for (unsigned Thread : Round == 0 ? std::vector{2U, 0U, 3U, 1U} : std::vector{3U, 1U, 2U, 0U}) {
      long From, To;
      ASSERT_TRUE(Loop.take(Thread, From, To));
      EXPECT_EQ(From, 25 * long(Thread));
      EXPECT_GE(To, From + 12);
      ASSERT_TRUE(Loop.take(Thread, From, To));
      EXPECT_LE(To, 25 * long(Thread + 1));
    }
    long From, To;
    std::vector<long> Rest;
    while (Loop.take(1, From, To))
      Rest.push_back(From);
    EXPECT_EQ(Rest.front() / 25, 1);
    EXPECT_TRUE(Loop.exhausted());
  }
}

/// The largest pieces come first, and whoever is free takes the next.
TEST(ParallelLoop, FewPiecesAreTakenInOrder) {
  ParallelLoop Loop(nullptr, nullptr, 0, 4, 1);
  Loop.setThreads(2);
  long From, To;
  for (long Piece = 0; Piece < 4; ++Piece) {
    ASSERT_TRUE(Loop.take(1, From, To));
    EXPECT_EQ(From, Piece);
    EXPECT_EQ(To, Piece + 1);
  }
}

TEST(ParallelLoop, TakesFewChunks) {
  ParallelLoop Loop(nullptr, nullptr, 0, 1000000, 1);
  Loop.setThreads(4);
  long From, To;
  int Chunks = 0;
  while (Loop.take(0, From, To))
    ++Chunks;
  EXPECT_GE(Chunks, 8);
  EXPECT_LE(Chunks, 120);
}

/// TBB starts threads when a range is divided.
TEST(ParallelLoop, IsNotDividedWhenItsChunksAreTaken) {
  ParallelLoop Loop(nullptr, nullptr, 0, 64, 1);
  Loop.setThreads(4);
  Pieces First(Loop, 4);
  ASSERT_TRUE(First.is_divisible());
  const Pieces Second(First, tbb::split());
  EXPECT_TRUE(First.is_divisible() && Second.is_divisible());
  for (long From, To; Loop.take(0, From, To);)
    EXPECT_EQ(First.is_divisible(), !Loop.exhausted());
  EXPECT_FALSE(First.is_divisible() || Second.is_divisible());
  EXPECT_FALSE(First.empty() || Second.empty());
}

TEST(ParallelLoop, IsDividedIntoOnePiecePerThread) {
  ParallelLoop Loop(nullptr, nullptr, 0, 64, 1);
  Pieces First(Loop, 3);
  Pieces Second(First, tbb::split());
  EXPECT_FALSE(Second.is_divisible());
  ASSERT_TRUE(First.is_divisible());
  const Pieces Third(First, tbb::split());
  EXPECT_FALSE(First.is_divisible() || Third.is_divisible());
}

} // namespace
