//===- tests/guards/rows_test.cpp - rows that do not overlap --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/memory/rows.h"
#include "tests/guards/test_guards.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <utility>

namespace specrt {
namespace {

const uint8_t Kinds[] = {SPECRT_KIND_POINTER, SPECRT_KIND_POINTER};
const char *const Names[] = {"A", "B"};
constexpr specrt_base A{SPECRT_BASE_ARGUMENT, 0, 0}, B{SPECRT_BASE_ARGUMENT, 1, 0};

specrt_region region() { return regionWith(Kinds, Names); }

/// One table of rows or several, each with the bytes [Begin, End) of its rows.
class Compared {
public:
  Compared &add(const specrt_base &Base, bool IsWritten, std::vector<PointerLevel> Levels,
                int64_t Begin, int64_t End) {
    Bounds.push_back({constantPolynomial(Begin), constantPolynomial(End)});
    Ranges.push_back({.Base = Base, .IsWritten = IsWritten, .Levels = std::move(Levels)});
    return *this;
  }
  GuardList list() {
    for (size_t I = 0; I < Ranges.size(); ++I) {
      Ranges[I].Begin = Bounds[I].first;
      Ranges[I].End = Bounds[I].second;
    }
    GuardList List;
    appendRows(List, Ranges);
    return List;
  }
  bool holdsFor(const void *AtA, const void *AtB = nullptr) {
    const uint64_t Packed[] = {reinterpret_cast<uint64_t>(AtA), reinterpret_cast<uint64_t>(AtB)};
    const GuardList List = list();
    EXPECT_EQ(problemOf(*List.begin(), region()), nullptr);
    return allHold(List, region(), Packed);
  }

private:
  std::vector<std::pair<specrt_polynomial, specrt_polynomial>> Bounds;
  std::vector<RowRanges> Ranges;
};

char Block[1 << 20];

TEST(Rows, InOrderAndApart) {
  std::vector<char *> Pointers;
  for (int I = 0; I < 100; ++I)
    Pointers.push_back(Block + 40 * I);
  const std::vector<PointerLevel> Level = {{0, 100, 8}};
  EXPECT_TRUE(Compared().add(A, true, Level, 0, 40).holdsFor(Pointers.data()));
  EXPECT_FALSE(Compared().add(A, true, Level, 0, 41).holdsFor(Pointers.data()));
  EXPECT_TRUE(Compared().add(A, false, Level, 0, 41).holdsFor(Pointers.data())) << "only read";
  EXPECT_TRUE(Compared().add(A, true, Level, 8, 48).holdsFor(Pointers.data()));
  std::reverse(Pointers.begin(), Pointers.end());
  EXPECT_TRUE(Compared().add(A, true, Level, 0, 40).holdsFor(Pointers.data()));
  EXPECT_FALSE(Compared().add(A, true, Level, 0, 41).holdsFor(Pointers.data()));
  EXPECT_FALSE(Compared()
                   .add(A, true, Level, 0, 40)
                   .add(B, false, {}, 0, 1)
                   .holdsFor(Pointers.data(), Block + 3999));
  EXPECT_TRUE(Compared()
                  .add(A, true, Level, 0, 40)
                  .add(B, true, {}, 0, 8)
                  .holdsFor(Pointers.data(), Block + 4000));
}

/// Against a comparison of all pairs.
TEST(Rows, InAnyOrder) {
  std::mt19937 Random(3);
  unsigned NumHeld = 0;
  for (int Round = 0; Round < 3000; ++Round) {
    const size_t Rows = 2 + Random() % 70, Places = Rows * (2 + Random() % 400);
    std::vector<char *> First(Rows), Second(Rows);
    for (char *&Row : First)
      Row = Block + Random() % Places * 16;
    for (char *&Row : Second)
      Row = Block + Random() % Places * 16;
    if (Random() % 2)
      std::sort(First.begin(), First.end());
    if (Random() % 2)
      std::sort(Second.begin(), Second.end());
    const int64_t Size = 1 + Random() % 20, Other = 1 + Random() % 40;
    const bool IsWritten = Random() % 3 == 0;
    struct Row {
      char *Begin, *End;
      bool Written;
    };
    std::vector<Row> All;
    for (char *R : First)
      All.push_back({R, R + Size, true});
    for (char *R : Second)
      All.push_back({R, R + Other, IsWritten});
    bool Apart = true;
    for (size_t I = 0; I < All.size(); ++I)
      for (size_t J = 0; J < I; ++J)
        Apart &= (!All[I].Written && !All[J].Written) || All[I].End <= All[J].Begin ||
                 All[J].End <= All[I].Begin;
    NumHeld += Apart;
    const std::vector<PointerLevel> Level = {{0, int64_t(Rows), 8}};
    EXPECT_EQ(Compared()
                  .add(A, true, Level, 0, Size)
                  .add(B, IsWritten, Level, 0, Other)
                  .holdsFor(First.data(), Second.data()),
              Apart);
  }
  EXPECT_GT(NumHeld, 100u);
}

/// Differences wrap around: what looks like an ascent is none.
TEST(Rows, WhatIsNoPlaceInMemory) {
  for (uint64_t Wild : {UINT64_MAX, UINT64_MAX - 7, uint64_t(1) << 63, uint64_t(1) << 62}) {
    std::vector<uint64_t> Pointers;
    for (int I = 0; I < 20; ++I)
      Pointers.push_back(reinterpret_cast<uint64_t>(Block + 64 * I));
    const std::vector<PointerLevel> Level = {{0, 20, 8}};
    EXPECT_TRUE(Compared().add(A, true, Level, 0, 8).holdsFor(Pointers.data()));
    for (size_t At : {0, 7, 19}) {
      const uint64_t Row = std::exchange(Pointers[At], Wild);
      EXPECT_FALSE(Compared().add(A, true, Level, 0, 8).holdsFor(Pointers.data())) << At;
      Pointers[At] = Row;
    }
  }
}

TEST(Rows, BehindPlanesAndInStructures) {
  struct Line {
    long Number;
    char *Row;
  };
  Line Lines[12];
  Line *Planes[3];
  for (int I = 0; I < 12; ++I)
    Lines[I] = {I, Block + I * 7 % 12 * 64};
  for (int I = 0; I < 3; ++I)
    Planes[I] = Lines + 4 * I;
  const std::vector<PointerLevel> Levels = {{0, 3, 8}, {8, 4, 16}};
  EXPECT_TRUE(Compared().add(A, true, Levels, 0, 64).holdsFor(Planes));
  EXPECT_EQ(describe(*Compared().add(A, true, Levels, 0, 64).list().begin(), region()),
            "3 * 4 rows of A[0, 64) (written) do not overlap");
  Planes[1] = Planes[0];
  EXPECT_FALSE(Compared().add(A, true, Levels, 0, 64).holdsFor(Planes));
  EXPECT_TRUE(Compared().add(A, false, Levels, 0, 64).holdsFor(Planes));
}

/// So many words that the number of their bytes is that of the record without any.
TEST(Rows, ANumberOfWordsDoesNotWrapAround) {
  uint64_t Words[sizeof(RowsGuard) / sizeof(uint64_t)];
  const uint32_t Head[] = {static_cast<uint32_t>(GuardKindId::Rows), sizeof(RowsGuard), 2,
                           1U << 29};
  static_assert(sizeof(Head) == sizeof(Words));
  std::memcpy(Words, Head, sizeof(Head));
  const specrt_guards Guards = {reinterpret_cast<const specrt_guard *>(Words), sizeof(Words)};
  EXPECT_STREQ(problemOf(Guards, region()), "has another length than its kind");
}

TEST(Rows, WhatIsNoRecordDoesNotHold) {
  GuardList List = Compared().add(A, true, {{0, 4, 8}}, 0, 8).list();
  const specrt_guard &Guard = *List.begin();
  std::vector<uint64_t> Words(Guard.bytes / 8);
  std::mt19937_64 Random(5);
  const uint64_t Packed[2] = {};
  for (int Round = 0; Round < 2000; ++Round) {
    std::memcpy(Words.data(), &Guard, Guard.bytes);
    // Neither the head nor the number of words: whoever reads records compares these.
    Words[2 + Random() % 2] = Random();
    const auto &Changed = *reinterpret_cast<const RowsGuard *>(Words.data());
    if (Changed.problem(region()))
      EXPECT_FALSE(Changed.holds(region(), Packed));
  }
}

} // namespace
} // namespace specrt
