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
  /// The marks of calls whose places were given to others.
  static inline std::vector<uint64_t> Abandoned;

  static void SetUpTestSuite() { calibrateClock(); }

  /// Opens a call that is marked with \p Mark. Returns its token, or 0 when there is no place.
  static int32_t openOne(uint64_t Mark, bool IsKept = false) {
    OpenCall *Place = takePlace([](specrt_call &Call) { Abandoned.push_back(Call.words[1]); });
    if (!Place)
      return 0;
    Place->Call.words[1] = Mark;
    return open(*Place, IsKept);
  }
  /// The call of \p Token seems to have begun two seconds ago.
  static void makeOld(int32_t Token) {
    OpenCall *Place = takeOpen(Token);
    ASSERT_NE(Place, nullptr);
    ASSERT_EQ(open(*Place, /*IsKept=*/false), Token);
    Place->Since -= static_cast<uint64_t>(2e9 / nsPerTick());
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
  const int32_t Kept = openOne(1000, /*IsKept=*/true), Old = openOne(1001);
  std::vector<int32_t> Others;
  while (const int32_t Token = openOne(Others.size()))
    Others.push_back(Token);
  EXPECT_EQ(openOne(0), 0) << "they may still end";
  makeOld(Old);
  const int32_t New = openOne(1002);
  ASSERT_LT(New, 0);
  EXPECT_EQ(Abandoned, std::vector<uint64_t>{1001});
  EXPECT_EQ(openOne(0), 0) << "the other one is kept";
  EXPECT_FALSE(endOne(Old, 1001));
  EXPECT_TRUE(endOne(New, 1002));
  EXPECT_TRUE(endOne(Kept, 1000));
  for (size_t I = 0; I < Others.size(); ++I)
    EXPECT_TRUE(endOne(Others[I], I));
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
