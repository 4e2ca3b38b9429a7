//===- tests/profiler/sequence_test.cpp - pieces of arrays that were read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/sequence.h"

#include <gtest/gtest.h>

using namespace specrt;

namespace {

/// What is read of an array that begins at 1000.
std::optional<Sequence> read(const std::vector<std::pair<int64_t, int64_t>> &At, uint32_t Width = 4,
                             bool Pointers = false) {
  std::vector<ReadElement> Elements;
  for (const auto &[Index, Value] : At)
    Elements.push_back({1000 + static_cast<uint64_t>(Index) * Width, Value});
  return sequenceOf(Elements, Width, Pointers);
}

std::string text(const std::optional<Sequence> &S) { return S ? S->text() : "none"; }

TEST(Sequence, ConstantsLinesAndKinks) {
  EXPECT_EQ(text(read({{0, 7}})), "0:0+1@7*0,");
  EXPECT_EQ(text(read({{0, 7}, {1, 7}, {2, 7}})), "0:0+3@7*0,");
  EXPECT_EQ(text(read({{0, 9}, {1, 7}, {2, 5}})), "0:0+3@9*-2,");
  EXPECT_EQ(text(read({{0, 0}, {1, 1}, {2, 2}, {3, 50}, {4, 51}, {5, 52}})), "0:0+3@0*1,3+3@50*1,");
}

TEST(Sequence, ElementsCountFromTheLowestInAnyOrder) {
  EXPECT_EQ(text(read({{9, 18}, {5, 10}, {7, 14}, {6, 12}, {8, 16}, {5, 10}})), "0:0+5@10*2,");
}

TEST(Sequence, WhatNobodyReadIsContinued) {
  EXPECT_EQ(text(read({{0, 0}, {1, 3}, {50, 150}, {99, 297}})), "0:0+100@0*3,");
  EXPECT_EQ(text(read({{0, 0}, {1, 3}, {50, 151}, {51, 152}})), "0:0+50@0*3,50+2@151*1,");
}

TEST(Sequence, PointersAreRelativeToTheLowest) {
  EXPECT_EQ(text(read({{0, 0x7000}, {1, 0x7100}, {2, 0x7200}}, 8, true)), "0:0+3@0*256,");
  EXPECT_EQ(text(read({{0, 0x7000}, {1, 0x6f00}}, 8, true)), "0:0+2@0*-256,");
}

TEST(Sequence, NoneWithoutOrder) {
  EXPECT_EQ(text(read({})), "none");
  EXPECT_EQ(text(read({{0, 1}, {0, 2}})), "none") << "it changed between two reads";
  std::vector<std::pair<int64_t, int64_t>> Random;
  for (int64_t I = 0; I < 40; ++I)
    Random.emplace_back(I, I * I * 7919 % 101);
  EXPECT_EQ(text(read(Random)), "none");
  std::vector<ReadElement> Askew = {{1000, 1}, {1006, 2}};
  EXPECT_EQ(text(sequenceOf(Askew, 4, false)), "none");
}

TEST(Sequence, ValuesWrapAround) {
  EXPECT_EQ(text(read({{0, INT64_MAX}, {1, INT64_MIN}, {2, INT64_MIN + 1}})),
            "0:0+3@9223372036854775807*1,");
}

} // namespace
