//===- tests/runtime/rows/segment_rows_test.cpp - which rows segments have ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/fusion/segment_rows.h"
#include "runtime/rows/segments.h"

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
  std::tuple<uint64_t, uint64_t, uint64_t>
  rows(const SegmentCode &Code, int64_t First, int64_t Count, const void *Origins = nullptr) const {
    const SegmentRows Found =
        rowsOf(Plain, Code.segment(static_cast<const int64_t *>(Origins), First, Count));
    return {Found.First, Found.End, Found.Count};
  }
};

using Rows = std::tuple<uint64_t, uint64_t, uint64_t>;

TEST(SegmentRowsTest, OneAfterTheOther) {
  const TestLoop S(SPECRT_ROWS_INDEPENDENT);
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_AS_WRITTEN}, 7, 5), Rows(7, 12, 5));
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_AFFINE, 1}, 7, 5), Rows(7, 20, 5)) << "every third row";
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_REGISTER_BLOCKS, 1}, 7, 5), Rows(7, 22, 15)) << "of three rows";
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_STREAMED_BLOCKS, 0}, 7, 5), Rows(7, 22, 15));
}

TEST(SegmentRowsTest, Listed) {
  const int64_t Wide[] = {9, 1000, 4, 2000, 30, 3000};
  const uint32_t Narrow[] = {9, 1000, 4, 2000, 30, 3000};
  for (const SegmentCode &Code :
       {SegmentCode{SPECRT_SEGMENT_LISTED_AS_WRITTEN}, SegmentCode{SPECRT_SEGMENT_LISTED, 0},
        SegmentCode{SPECRT_SEGMENT_LISTED, 1}}) {
    EXPECT_EQ(TestLoop(SPECRT_ROWS_LISTED_IN_64_BITS).rows(Code, 0, 3, Wide), Rows(4, 31, 3));
    EXPECT_EQ(TestLoop(SPECRT_ROWS_LISTED_IN_32_BITS).rows(Code, 0, 3, Narrow), Rows(4, 31, 3));
  }
}

TEST(SegmentRowsTest, InLanes) {
  const TestLoop S(SPECRT_ROWS_LISTED_IN_64_BITS);
  std::array<int64_t, 3 * SPECRT_ROWS_LANES> Lanes{};
  for (size_t Lane = 0; Lane < SPECRT_ROWS_LANES; ++Lane)
    Lanes[3 * Lane] = static_cast<int64_t>(100 - 10 * Lane); // and its trace
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_WAVEFRONT, 0}, 0, 6, Lanes.data()), Rows(30, 106, 48));
  std::array<int64_t, 2 * 2 * SPECRT_ROWS_LANES> Groups{};
  for (size_t I = 0; I < 2 * SPECRT_ROWS_LANES; ++I)
    Groups[2 * I] = static_cast<int64_t>(50 + 7 * I); // and what is given
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_PATTERN_GROUPS, 1}, 0, 2, Groups.data()), Rows(50, 156, 16));
  EXPECT_EQ(S.rows({SPECRT_SEGMENT_PATTERN_ROWS, 1}, 0, 4, Groups.data()), Rows(50, 72, 4));
}

TEST(SegmentRowsTest, KindsAndClassesAreThoseOfTheLoop) {
  TestLoop S(SPECRT_ROWS_LISTED_IN_64_BITS);
  const auto IsDecoded = [&](uint32_t Kind, uint32_t Class) {
    return formOf(S.Plain,
                  {.origins = nullptr, .first = 0, .count = 1, .kind = Kind, .class_index = Class})
        .has_value();
  };
  for (uint32_t Kind = 0; Kind < NumSegmentKinds; ++Kind) {
    EXPECT_TRUE(IsDecoded(Kind, 0)) << Kind;
    EXPECT_EQ(IsDecoded(Kind, 1), SPECRT_SEGMENT_HAS_CLASS(Kind)) << Kind;
    EXPECT_FALSE(IsDecoded(Kind, 2)) << Kind;
    EXPECT_FALSE(IsDecoded(Kind, UINT32_MAX)) << Kind;
  }
  EXPECT_FALSE(IsDecoded(NumSegmentKinds, 0));
  EXPECT_FALSE(IsDecoded(UINT32_MAX, 0));
  S.Plain.num_classes = 0;
  EXPECT_TRUE(IsDecoded(SPECRT_SEGMENT_AS_WRITTEN, 0));
  EXPECT_TRUE(IsDecoded(SPECRT_SEGMENT_LISTED_AS_WRITTEN, 0));
  EXPECT_FALSE(IsDecoded(SPECRT_SEGMENT_AFFINE, 0));
}

TEST(SegmentRowsTest, CodeRunsItsOwnSegments) {
  const SegmentCode Code = {SPECRT_SEGMENT_LISTED, 1};
  EXPECT_TRUE(Code.runs(Code.segment(nullptr, 0, 1)));
  EXPECT_FALSE((SegmentCode{SPECRT_SEGMENT_LISTED, 0}.runs(Code.segment(nullptr, 0, 1))));
  EXPECT_FALSE((SegmentCode{SPECRT_SEGMENT_AFFINE, 1}.runs(Code.segment(nullptr, 0, 1))));
}

} // namespace
} // namespace specrt
