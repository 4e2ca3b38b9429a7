//===- tests/runtime/rows/segment_rows_test.cpp - which rows segments have ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"

#include <array>
#include <gtest/gtest.h>
#include <tuple>

namespace specrt {
namespace {

/// Classes of two entries, of which code that has patterns is given the second one.
struct TestLoop {
  std::array<specrt_row_entry, 2> Entries = {
      specrt_row_entry{SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 1, 0, 0, 0},
      specrt_row_entry{SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 1, SPECRT_ROW_GIVEN, 0, 0}};
  std::array<specrt_row_class, 2> Classes{};
  specrt_sparse_loop Plain{};

  explicit TestLoop(uint32_t Dependence) {
    for (specrt_row_class &Class : Classes) {
      Class.entries = Entries.data();
      Class.num_entries = 2;
      Class.step = 3;
    }
    Plain.classes = Classes.data();
    Plain.num_classes = 2;
    Plain.num_carried = 1;
    Plain.may_depend = Dependence;
  }
  /// First row, end, count.
  std::tuple<uint64_t, uint64_t, uint64_t> rows(uint32_t Number, int64_t First, int64_t Count,
                                                const void *Origins = nullptr) const {
    const SegmentRows Found = rowsOf(Plain, {.origins = static_cast<const int64_t *>(Origins),
                                             .first = First,
                                             .count = Count,
                                             .class_number = Number,
                                             .reserved = 0});
    return {Found.First, Found.End, Found.Count};
  }
};

using Rows = std::tuple<uint64_t, uint64_t, uint64_t>;

TEST(SegmentRowsTest, OneAfterTheOther) {
  const TestLoop S(SPECRT_ROWS_INDEPENDENT);
  EXPECT_EQ(S.rows(SPECRT_ROWS_REST, 7, 5), Rows(7, 12, 5));
  EXPECT_EQ(S.rows(1, 7, 5), Rows(7, 20, 5)) << "every third row";
  EXPECT_EQ(S.rows(3 * 2 + 1, 7, 5), Rows(7, 22, 15)) << "blocks of three";
  EXPECT_EQ(S.rows(4 * 2, 7, 5), Rows(7, 22, 15));
}

TEST(SegmentRowsTest, Listed) {
  const int64_t Wide[] = {9, 1000, 4, 2000, 30, 3000};
  const uint32_t Narrow[] = {9, 1000, 4, 2000, 30, 3000};
  for (const uint32_t Number : {SPECRT_ROWS_LISTED_REST, 2u, 3u}) {
    EXPECT_EQ(TestLoop(SPECRT_ROWS_LISTED_IN_64_BITS).rows(Number, 0, 3, Wide), Rows(4, 31, 3));
    EXPECT_EQ(TestLoop(SPECRT_ROWS_LISTED_IN_32_BITS).rows(Number, 0, 3, Narrow), Rows(4, 31, 3));
  }
}

TEST(SegmentRowsTest, InLanes) {
  const TestLoop S(SPECRT_ROWS_LISTED_IN_64_BITS);
  std::array<int64_t, 3 * SPECRT_ROWS_LANES> Lanes{};
  for (size_t Lane = 0; Lane < SPECRT_ROWS_LANES; ++Lane)
    Lanes[3 * Lane] = static_cast<int64_t>(100 - 10 * Lane); // and its trace
  EXPECT_EQ(S.rows(2 * 2, 0, 6, Lanes.data()), Rows(30, 106, 48));
  std::array<int64_t, 2 * 2 * SPECRT_ROWS_LANES> Groups{};
  for (size_t I = 0; I < 2 * SPECRT_ROWS_LANES; ++I)
    Groups[2 * I] = static_cast<int64_t>(50 + 7 * I); // and what is given
  EXPECT_EQ(S.rows(5 * 2 + 1, 0, 2, Groups.data()), Rows(50, 156, 16));
  EXPECT_EQ(S.rows(6 * 2 + 1, 0, 4, Groups.data()), Rows(50, 72, 4));
}

} // namespace
} // namespace specrt
