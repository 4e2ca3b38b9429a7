//===- tests/runtime/rows/entry_runs_test.cpp - which entries of a list are of one row ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_tables.h"
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace specrt;

namespace {

/// A loop over entries that has begun and is not over.
struct Asked {
  specrt_entry_runs Own{};
  const specrt_entry_runs *Found;

  template <typename Name>
  explicit Asked(const std::vector<Name> &Names)
      : Found(beginEntryRuns(Names.data(), Names.size(), sizeof(Name), &Own)) {}
  ~Asked() { endEntryRuns(Found, &Own); }
  Asked(const Asked &) = delete;
  Asked &operator=(const Asked &) = delete;

  bool isKnown() const { return Found != &Own; }
  std::vector<uint64_t> starts() const {
    return {Found->starts, Found->starts + Found->num_runs + 1};
  }
};

/// \p Rows rows of \p Each entries.
template <typename Name> std::vector<Name> sorted(uint64_t Rows, uint64_t Each) {
  std::vector<Name> Names;
  for (uint64_t I = 0; I < Rows * Each; ++I)
    Names.push_back(static_cast<Name>(I / Each));
  return Names;
}

template <typename T> class EntryRuns : public testing::Test {
protected:
  /// Looks at others are a share of those at what is known.
  static void earnLooks() {
    static const std::vector<T> &Names = *new std::vector<T>(sorted<T>(20'000, 2));
    for (int I = 0; I < 20; ++I)
      (void)Asked(Names).isKnown();
  }
  void SetUp() override { earnLooks(); }
};
using Names = testing::Types<int32_t, int64_t>;
TYPED_TEST_SUITE(EntryRuns, Names);

TYPED_TEST(EntryRuns, AreWhereTheNameChanges) {
  const auto Names = sorted<TypeParam>(500, 3);
  const Asked Runs(Names);
  ASSERT_TRUE(Runs.isKnown());
  std::vector<uint64_t> Expected;
  for (uint64_t I = 0; I <= 500; ++I)
    Expected.push_back(3 * I);
  EXPECT_EQ(Runs.starts(), Expected);
  EXPECT_EQ(Asked(Names).Found, Runs.Found) << "remembered";
}

TYPED_TEST(EntryRuns, AreOneWhereHardlyAnyFollowEachOther) {
  const auto Names = sorted<TypeParam>(1500, 1);
  const Asked Runs(Names);
  EXPECT_FALSE(Runs.isKnown());
  EXPECT_EQ(Runs.starts(), (std::vector<uint64_t>{0, 1500}));
}

TYPED_TEST(EntryRuns, AreOneWhereThereAreFewEntries) {
  const auto Names = sorted<TypeParam>(2, 3);
  const Asked Runs(Names);
  EXPECT_FALSE(Runs.isKnown());
  EXPECT_EQ(Runs.starts(), (std::vector<uint64_t>{0, 6}));
}

TYPED_TEST(EntryRuns, AreFoundAgainWhenNamesHaveChanged) {
  auto Names = sorted<TypeParam>(600, 4);
  const Asked Before(Names);
  const std::vector<uint64_t> Kept = Before.starts();
  const auto Other = sorted<TypeParam>(800, 3);
  Names = std::vector<TypeParam>(std::move(Names)); // the same place
  std::copy(Other.begin(), Other.end(), Names.begin());
  const Asked After(Names);
  ASSERT_TRUE(After.isKnown());
  EXPECT_EQ(After.starts().size(), 801U);
  EXPECT_EQ(Before.starts(), Kept) << "for who is still using them";
}

TYPED_TEST(EntryRuns, KeepErrno) {
  const auto Names = sorted<TypeParam>(700, 5);
  errno = 77;
  (void)Asked(Names).isKnown();
  EXPECT_EQ(errno, 77);
}

/// What is in use stays; what is not makes room.
TYPED_TEST(EntryRuns, MakeRoomForOthers) {
  const auto Names = sorted<TypeParam>(900, 2);
  const Asked First(Names);
  ASSERT_TRUE(First.isKnown());
  const std::vector<uint64_t> Kept = First.starts();
  unsigned Others = 0;
  for (uint64_t Each = 2; Each < 40; ++Each) {
    TestFixture::earnLooks();
    const auto More = sorted<TypeParam>(1800 / Each, Each);
    Others += Asked(More).isKnown();
  }
  EXPECT_EQ(Others, 38U);
  EXPECT_EQ(First.starts(), Kept);
}

/// Where each call has other names, looking for runs would take as long as the loop.
TYPED_TEST(EntryRuns, AreLookedForWhereThatIsEarned) {
  unsigned NumKnown = 0;
  std::vector<TypeParam> Names(100'000);
  for (uint64_t Call = 0; Call < 400; ++Call) {
    for (uint64_t I = 0; I < Names.size(); ++I)
      Names[I] = static_cast<TypeParam>(I / (2 + Call % 97));
    NumKnown += Asked(Names).isKnown();
  }
  EXPECT_LT(NumKnown, 200U);
}

/// More lists than there is room for, so that others take the place of those that nobody uses.
TEST(EntryRunsOfThreads, StayWhileTheyAreUsed) {
  std::vector<std::vector<int32_t>> Lists;
  for (uint64_t Each = 2; Each < 26; ++Each)
    Lists.push_back(sorted<int32_t>(600, Each));
  std::atomic<unsigned> NumKnown{0}, NumWrong{0};
  std::vector<std::thread> Threads;
  for (size_t T = 0; T < 4; ++T)
    Threads.emplace_back([&, T] {
      for (size_t I = 0; I < 3000; ++I) {
        const size_t List = (7 * I + 5 * T + I / 40) % Lists.size(), Each = List + 2;
        const Asked Runs(Lists[List]);
        NumKnown += Runs.isKnown();
        if (Runs.isKnown())
          NumWrong += Runs.Found->num_runs != 600 || Runs.Found->starts[0] != 0 ||
                      Runs.Found->starts[300] != 300 * Each ||
                      Runs.Found->starts[600] != 600 * Each;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_GT(NumKnown, 1000U);
  EXPECT_EQ(NumWrong, 0U);
}

} // namespace
