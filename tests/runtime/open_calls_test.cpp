//===- tests/runtime/open_calls_test.cpp - places of calls that run in place ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/open_calls.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

namespace specrt {
namespace {

class OpenCalls : public testing::Test {
protected:
  static void SetUpTestSuite() { calibrateClock(); }

  /// A call that is given \p Mark.
  static int32_t openOne(uint64_t Mark) {
    const Opened Found = takePlace();
    if (!Found.Place)
      return 0;
    Found.Place->Call.words[1] = Mark;
    return open(*Found.Place);
  }
  static bool endOne(int32_t Token, uint64_t Mark) {
    OpenCall *Place = takeOpen(Token);
    if (!Place)
      return false;
    EXPECT_EQ(Place->Call.words[1], Mark);
    close(*Place);
    return true;
  }
};

TEST_F(OpenCalls, EndOnce) {
  const int32_t Token = openOne(7);
  ASSERT_LT(Token, 0);
  EXPECT_TRUE(endOne(Token, 7));
  EXPECT_FALSE(endOne(Token, 7));
  const int32_t Next = openOne(8);
  EXPECT_NE(Next, Token) << "the place is the same, its turn another";
  EXPECT_TRUE(endOne(Next, 8));
}

TEST_F(OpenCalls, LieWithinEachOther) {
  std::vector<int32_t> Tokens;
  for (uint64_t I = 0; I < 50; ++I)
    Tokens.push_back(openOne(I));
  EXPECT_EQ(std::set<int32_t>(Tokens.begin(), Tokens.end()).size(), 50U);
  for (uint64_t I = 50; I-- > 0;)
    EXPECT_TRUE(endOne(Tokens[I], I));
}

TEST_F(OpenCalls, ThatNeverEndMakeRoomForOthers) {
  std::vector<int32_t> Tokens;
  while (const int32_t Token = openOne(Tokens.size()))
    Tokens.push_back(Token);
  EXPECT_EQ(openOne(1), 0) << "they may still end";
  const OpenCall *First = takeOpen(Tokens.front());
  ASSERT_NE(First, nullptr);
  // As if it had begun long ago.
  auto *Place = const_cast<OpenCall *>(First);
  const int32_t Again = open(*Place);
  Place->Since -= static_cast<uint64_t>(2e9 / nsPerTick());
  const Opened Found = takePlace();
  ASSERT_EQ(Found.Place, Place);
  EXPECT_TRUE(Found.IsStolen);
  EXPECT_EQ(Found.Place->Call.words[1], 0U) << "it tells whose it was";
  const int32_t Other = open(*Found.Place);
  EXPECT_FALSE(endOne(Again, 0));
  EXPECT_TRUE(endOne(Other, 0));
  for (size_t I = 1; I < Tokens.size(); ++I)
    EXPECT_TRUE(endOne(Tokens[I], I));
}

TEST_F(OpenCalls, OfManyThreads) {
  std::vector<std::thread> Threads;
  for (uint64_t T = 0; T < 8; ++T)
    Threads.emplace_back([T] {
      for (uint64_t I = 0; I < 20'000; ++I) {
        const int32_t Outer = openOne(T << 32 | I), Inner = openOne(~I);
        ASSERT_LT(Outer, 0);
        ASSERT_LT(Inner, 0);
        EXPECT_TRUE(endOne(Inner, ~I));
        EXPECT_TRUE(endOne(Outer, T << 32 | I));
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace
} // namespace specrt
