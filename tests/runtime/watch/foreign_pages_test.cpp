//===- tests/runtime/watch/foreign_pages_test.cpp - a watch reads what it watches, no more ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the rows that are watched lie pages of somebody else.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/foreign_pages.h"
#include "tests/runtime/watch/fixture.h"

#include <tuple>

namespace specrt {
namespace {

/// Rows of some pages, less some bytes at both ends, and as many pages behind each that are not
/// theirs.
struct Rows {
  static constexpr size_t Skipped = 24;
  const size_t RowPages, GapPages, Count;
  Pages Memory{(RowPages + GapPages) * Count};

  std::byte *row(size_t I) { return Memory.page((RowPages + GapPages) * I); }
  std::byte *gap(size_t I) { return row(I) + RowPages * pageBytes(); }
  WatchedRange range() {
    return {row(0) + Skipped, RowPages * pageBytes() - 2 * Skipped,
            (RowPages + GapPages) * pageBytes(), Count};
  }
  void putForeign(const ForeignPages &Of) {
    for (size_t I = 0; I < Count; ++I)
      Of.put(gap(I), GapPages * pageBytes());
  }
  std::unique_ptr<Watch> armed(WatchGaps Gaps) {
    const WatchedRange Range = range();
    return Watch::arm({&Range, 1}, WatchCopies::OfAll, Gaps);
  }
  /// Sees \p W a change of each row, and none of what lies around it?
  void expectSeen(Watch &W) {
    EXPECT_TRUE(W.unchanged());
    const size_t Bytes = RowPages * pageBytes();
    for (size_t I = 0; I < Count; ++I)
      for (const size_t At : {size_t{0}, Skipped - 1, Skipped, Bytes / 2, Bytes - Skipped - 1,
                              Bytes - Skipped, Bytes - 1}) {
        row(I)[At] ^= std::byte{1};
        EXPECT_EQ(W.unchanged(), At < Skipped || At >= Bytes - Skipped) << I << ", " << At;
        row(I)[At] ^= std::byte{1};
      }
    EXPECT_TRUE(W.unchanged());
  }
};

using Case = std::tuple<Foreign, WatchMode>;

struct ForeignPagesTest : testing::TestWithParam<Case> {
  ForeignPagesTest() : Of(std::get<Foreign>(GetParam())), Mode(std::get<WatchMode>(GetParam())) {}
  void SetUp() override {
    if (!Of.arePossible())
      GTEST_SKIP() << "this kernel has no such pages for us";
  }
  bool areTracked() const {
    return std::get<WatchMode>(GetParam()) == WatchMode::Pages && hasPageRecord();
  }
  ForeignPages Of;
  WithMode Mode;
};

std::string nameOfCase(const testing::TestParamInfo<Case> &Info) {
  return nameOf(std::get<Foreign>(Info.param)) +
         (std::get<WatchMode>(Info.param) == WatchMode::Pages ? "Pages" : "Compare");
}
INSTANTIATE_TEST_SUITE_P(Kinds, ForeignPagesTest,
                         testing::Combine(testing::Values(Foreign::BeyondItsFile,
                                                          Foreign::Protected,
                                                          Foreign::FilledByAHandler),
                                          testing::Values(WatchMode::Pages, WatchMode::Compare)),
                         nameOfCase);

TEST_P(ForeignPagesTest, LieBetweenRows) {
  for (const size_t RowPages : {1, 12})
    for (const WatchGaps Gaps : {WatchGaps::OfOthers, WatchGaps::OfTheArray}) {
      Rows R{RowPages, 1, 9};
      R.putForeign(Of);
      const std::unique_ptr<Watch> W = R.armed(Gaps);
      ASSERT_TRUE(W);
      EXPECT_EQ(W->figures().Bytes, R.range().totalBytes());
      R.expectSeen(*W);
    }
  EXPECT_EQ(Of.numRead(), 0U);
}

/// They come after the watch was armed.
TEST_P(ForeignPagesTest, ComeBetweenRows) {
  Rows R{6, 2, 9};
  const std::unique_ptr<Watch> W = R.armed(WatchGaps::OfTheArray);
  ASSERT_TRUE(W);
  if (areTracked())
    EXPECT_EQ(W->figures().Kinds, "pages");
  R.expectSeen(*W);
  R.putForeign(Of);
  R.expectSeen(*W);
  EXPECT_EQ(Of.numRead(), 0U);
}

/// Single elements, as of a column.
TEST_P(ForeignPagesTest, LieBetweenElements) {
  Pages P(64);
  for (size_t I = 0; I < 32; ++I)
    Of.put(P.page(2 * I + 1), pageBytes());
  const WatchedRange Column = {P.page(0) + 16, 8, 2 * pageBytes(), 32};
  const std::unique_ptr<Watch> W = Watch::arm({&Column, 1});
  ASSERT_TRUE(W);
  for (size_t I = 0; I < 32; ++I) {
    P.page(2 * I)[24] ^= std::byte{1};
    EXPECT_TRUE(W->unchanged());
    P.page(2 * I)[23] ^= std::byte{1};
    EXPECT_FALSE(W->unchanged());
    P.page(2 * I)[23] ^= std::byte{1};
  }
  EXPECT_EQ(Of.numRead(), 0U);
}

/// Pages that a watch has nothing to do with may be registered by a handler of their own.
TEST(WatchedGaps, AreNotRegistered) {
  ForeignPages Handler(Foreign::FilledByAHandler);
  if (!Handler.arePossible() || !hasPageRecord())
    GTEST_SKIP() << "this kernel has no record of pages, or no handlers, for us";
  Rows R{12, 1, 9};
  for (size_t I = 0; I < 9; ++I) // a mapping of its own
    ASSERT_EQ(mprotect(R.gap(I), pageBytes(), PROT_NONE), 0);
  for (const WatchGaps Gaps : {WatchGaps::OfOthers, WatchGaps::OfTheArray}) {
    const std::unique_ptr<Watch> W = R.armed(Gaps);
    ASSERT_TRUE(W && W->unchanged());
    for (size_t I = 0; I < 9; ++I)
      EXPECT_TRUE(Handler.isRegistered(R.gap(I), pageBytes())) << I;
  }
}

TEST(WatchedGaps, MayBeWritten) {
  for (const size_t GapPages : {1, 12}) {
    Rows R{6, GapPages, 9};
    const std::unique_ptr<Watch> W = R.armed(WatchGaps::OfTheArray);
    ASSERT_TRUE(W);
    for (size_t I = 0; I < 9 * GapPages * pageBytes(); I += 1000) {
      R.gap(I % 9)[I / 9] ^= std::byte{1};
      EXPECT_TRUE(W->unchanged());
    }
    R.expectSeen(*W);
  }
}

/// What begins between rows of another range is not described by ascending pieces.
TEST(WatchedGaps, HaveNoRangeWithin) {
  Pages P(8);
  const WatchedRange Both[] = {{P.page(0), 16, 64, 20}, {P.page(0) + 100, 4}};
  EXPECT_FALSE(Watch::arm(Both));
  const WatchedRange Apart[] = {{P.page(0), 16, 64, 20}, {P.page(2), 4}};
  EXPECT_TRUE(Watch::arm(Apart));
  const WatchedRange Nowhere[] = {{P.page(0), 16, SIZE_MAX / 4, 20}};
  EXPECT_FALSE(Watch::arm(Nowhere));
}

} // namespace
} // namespace specrt
