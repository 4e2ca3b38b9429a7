//===- tests/specializer/element_boxes_test.cpp - boxes that cover the same elements ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/element_boxes.h"
#include <gmock/gmock.h>
#include <map>
#include <random>

using namespace specrt;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

Box box(std::initializer_list<std::pair<int64_t, int64_t>> FirstAndLast) {
  Box B;
  for (auto [First, Last] : FirstAndLast)
    B.push_back({First, {Last - First, nullptr}});
  return B;
}

/// How often each element of boxes of three dimensions is in them.
std::map<std::array<int64_t, 3>, unsigned> elementsOf(llvm::ArrayRef<Box> Boxes) {
  std::map<std::array<int64_t, 3>, unsigned> Elements;
  for (const Box &B : Boxes)
    for (int64_t I = B[0].First; I <= B[0].last(); ++I)
      for (int64_t J = B[1].First; J <= B[1].last(); ++J)
        for (int64_t K = B[2].First; K <= B[2].last(); ++K)
          ++Elements[{I, J, K}];
  return Elements;
}

TEST(ElementBoxes, ACrossIsABoxAndTwoRows) {
  const Box Wide = box({{1, 62}, {0, 63}}), High = box({{0, 63}, {1, 62}});
  const auto Apart = withoutOverlap({Wide, High});
  ASSERT_THAT(Apart, SizeIs(3));
  EXPECT_TRUE(contains(Apart[1], box({{0, 0}, {1, 62}})));
  EXPECT_TRUE(contains(Apart[2], box({{63, 63}, {1, 62}})));
  EXPECT_TRUE(contains(box({{63, 63}, {1, 62}}), Apart[2]));
}

TEST(ElementBoxes, WhatIsKnownIsNotLookedAtAgain) {
  EXPECT_THAT(withoutOverlap({box({{0, 9}}), box({{2, 5}})}), SizeIs(1));
  EXPECT_THAT(withoutOverlap({}), IsEmpty());
}

TEST(ElementBoxes, NoElementIsLost) {
  std::mt19937 Random(5);
  unsigned NumFewer = 0;
  for (int Round = 0; Round < 3000; ++Round) {
    llvm::SmallVector<Box, 4> Boxes;
    for (unsigned N = 1 + Random() % 4; N > 0; --N) {
      Box B;
      for (int D = 0; D < 3; ++D)
        B.push_back({int64_t(Random() % 4), {int64_t(Random() % 5), nullptr}});
      Boxes.push_back(B);
    }
    const auto Before = elementsOf(Boxes), After = elementsOf(withoutOverlap(Boxes));
    ASSERT_EQ(Before.size(), After.size());
    for (const auto &[Element, Times] : After) {
      ASSERT_TRUE(Before.contains(Element));
      ASSERT_LE(Times, Before.at(Element));
      NumFewer += Times < Before.at(Element);
    }
  }
  EXPECT_GT(NumFewer, 1000u);
}

} // namespace
