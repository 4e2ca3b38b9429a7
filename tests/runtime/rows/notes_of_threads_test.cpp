//===- tests/runtime/rows/notes_of_threads_test.cpp - arrays for notes, one for each thread ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/notes_of_threads.h"

#include <gtest/gtest.h>
#include <numeric>
#include <sched.h>

using namespace specrt;

namespace {

struct Lent : testing::Test {
  std::vector<int> Where = std::vector<int>(1000);
  std::vector<double> Sums = std::vector<double>(500);
  uint64_t Words[3] = {reinterpret_cast<uint64_t>(Where.data()), 17,
                       reinterpret_cast<uint64_t>(Sums.data())};

  Lent() {
    std::iota(Where.begin(), Where.end(), 0);
    std::iota(Sums.begin(), Sums.end(), 0.5);
  }
  /// All but the first and the last places.
  std::vector<NotedRange> ranges() const {
    return {{0, Words[0] + 4, Words[0] + 999 * 4}, {2, Words[2] + 8, Words[2] + 499 * 8}};
  }
};

TEST_F(Lent, PlacesHoldTheSameApartFromEachOther) {
  cpu_set_t Mask;
  if (sched_getaffinity(0, sizeof(Mask), &Mask) != 0 || CPU_COUNT(&Mask) < 2)
    GTEST_SKIP() << "needs two processors";
  NotesOfThreads Notes(ranges(), 3);
  uint64_t First[3], Second[3];
  const uint32_t Mine = Notes.lend(Words, First), Other = Notes.lend(Words, Second);
  ASSERT_NE(Mine, 0U);
  ASSERT_NE(Other, 0U);
  EXPECT_NE(Mine, Other);
  for (int I = 0; I < 3; ++I)
    EXPECT_EQ(First[I], Words[I]) << "the first has what the program has";
  EXPECT_EQ(Second[1], 17U);
  const auto *OtherWhere = reinterpret_cast<const int *>(Second[0]);
  const auto *OtherSums = reinterpret_cast<const double *>(Second[2]);
  EXPECT_EQ(Second[0] % 64, Words[0] % 64);
  EXPECT_EQ(Second[2] % 64, Words[2] % 64);
  EXPECT_NE(OtherWhere, Where.data());
  for (int I = 1; I < 999; ++I)
    ASSERT_EQ(OtherWhere[I], I);
  for (int I = 1; I < 499; ++I)
    ASSERT_EQ(OtherSums[I], I + 0.5);
  Notes.giveBack(Other);
  EXPECT_EQ(Notes.lend(Words, Second), Other);
}

TEST_F(Lent, AreAsManyAsThereAre) {
  NotesOfThreads Notes(ranges(), 3);
  uint64_t Into[3];
  uint32_t Lent = 0;
  while (Notes.lend(Words, Into))
    ++Lent;
  EXPECT_GE(Lent, 1U);
  EXPECT_LE(Lent, 64U);
  Notes.giveBack(1);
  EXPECT_EQ(Notes.lend(Words, Into), 1U);
  EXPECT_EQ(Notes.lend(Words, Into), 0U);
}

TEST_F(Lent, AllTablesTogetherHaveSoMuch) {
  cpu_set_t Mask;
  if (sched_getaffinity(0, sizeof(Mask), &Mask) != 0 || CPU_COUNT(&Mask) < 2)
    GTEST_SKIP() << "needs two processors";
  std::vector<std::byte> Much(size_t{33} << 20);
  const auto From = reinterpret_cast<uint64_t>(Much.data());
  const std::vector<NotedRange> Range = {{0, From, From + Much.size()}};
  for (int I = 0; I < 2; ++I) {
    const NotesOfThreads First(Range, 3);
    EXPECT_EQ(First.places(), 2U);
    EXPECT_EQ(NotesOfThreads(Range, 3).places(), 1U);
  }
}

/// Copies would need more memory than there may be: one thread works alone.
TEST_F(Lent, ThereIsAlwaysOne) {
  std::vector<std::byte> Much(size_t{80} << 20);
  const auto From = reinterpret_cast<uint64_t>(Much.data());
  NotesOfThreads Notes({{0, From, From + Much.size()}}, 3);
  uint64_t Into[3];
  EXPECT_EQ(Notes.lend(Words, Into), 1U);
  EXPECT_EQ(Notes.lend(Words, Into), 0U);
}

} // namespace
