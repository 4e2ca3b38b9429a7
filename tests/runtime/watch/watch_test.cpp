//===- tests/runtime/watch/watch_test.cpp - what every watch promises -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same cases for every way to watch.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/tuning.h"
#include "runtime/watch/memory_copy.h"
#include "runtime/watch/watch.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace specrt {
namespace {

struct WatchTest : testing::TestWithParam<WatchMode> {
  WatchTest() { tuning().Watching = GetParam(); }
  ~WatchTest() override { tuning().Watching = WatchMode::Pages; }
};

std::unique_ptr<Watch> armed(const std::byte *Begin, size_t Bytes) {
  const WatchedRange Range = {Begin, Bytes};
  return Watch::arm({&Range, 1});
}

std::vector<std::byte> someBytes(size_t Count) {
  std::vector<std::byte> Bytes(Count);
  for (size_t I = 0; I < Count; ++I)
    Bytes[I] = static_cast<std::byte>(I * 7 + I / 256);
  return Bytes;
}

INSTANTIATE_TEST_SUITE_P(Kinds, WatchTest, testing::Values(WatchMode::Pages, WatchMode::Compare),
                         [](const auto &Info) {
                           return Info.param == WatchMode::Pages ? "Pages" : "Compare";
                         });

TEST_P(WatchTest, SeesAChangeAtEachPosition) {
  std::vector<std::byte> Bytes = someBytes(1000);
  auto W = armed(Bytes.data() + 1, 998);
  ASSERT_TRUE(W);
  EXPECT_TRUE(W->unchanged());
  for (size_t I = 0; I < Bytes.size(); ++I) {
    Bytes[I] ^= std::byte{1};
    EXPECT_EQ(W->unchanged(), I == 0 || I == 999) << I;
    Bytes[I] ^= std::byte{1};
    EXPECT_TRUE(W->unchanged()) << I;
  }
  EXPECT_EQ(W->figures().Checks, 2001u);
  EXPECT_EQ(W->figures().Bytes, 998u);
}

TEST_P(WatchTest, KeepsToTheBudgetOfCopies) {
  std::vector<std::byte> Bytes = someBytes(100);
  const size_t Before = copyBudget().exchange(150);
  auto First = armed(Bytes.data(), 100);
  EXPECT_TRUE(First);
  EXPECT_FALSE(armed(Bytes.data(), 51));
  First.reset();
  EXPECT_TRUE(armed(Bytes.data(), 51)) << "what is given up makes room";
  copyBudget() = Before;
}

TEST_P(WatchTest, NothingIsAlwaysUnchanged) {
  auto W = Watch::arm({});
  ASSERT_TRUE(W);
  EXPECT_TRUE(W->unchanged());
}

TEST(WatchModes, OffWatchesNothing) {
  std::vector<std::byte> Bytes = someBytes(100);
  tuning().Watching = WatchMode::Off;
  EXPECT_FALSE(armed(Bytes.data(), 100));
  tuning().Watching = WatchMode::Pages;
}

} // namespace
} // namespace specrt
