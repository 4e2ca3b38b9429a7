//===- tests/structure/summary/row_picture_test.cpp - pictures of rows ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/row_picture.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace specrt;

namespace {

constexpr EntryKind V = EntryKind::Value, T = EntryKind::Trips;

/// Row I begins at 3 * I and has columns I and Rows - 1 - I.
RowPicture crossOf(int64_t Rows) {
  RowPicture P(static_cast<uint64_t>(Rows));
  const EntryKind Kinds[] = {V, T, V, V};
  for (int64_t I = 0; I < Rows; ++I) {
    const int64_t Trace[] = {3 * I, 2, I, Rows - 1 - I};
    P.row(Kinds, Trace, 4);
  }
  return P;
}

TEST(RowPicture, ShowsWhatInnerLoopsRead) {
  for (const int64_t Rows : {1, 7, 199, 200}) {
    const RowCells Cells = crossOf(Rows).cells();
    EXPECT_EQ(Cells.Width, static_cast<uint32_t>(Rows));
    ASSERT_EQ(Cells.Lines.size(), static_cast<size_t>(Rows));
    ASSERT_EQ(Cells.Classes.size(), Cells.Lines.size());
    for (uint32_t Y = 0; Y < Cells.Lines.size(); ++Y) {
      const uint32_t Other = Cells.Width - 1 - Y;
      EXPECT_EQ(Cells.Lines[Y].front(), std::min(Y, Other));
      EXPECT_EQ(Cells.Lines[Y].back(), std::max(Y, Other));
      EXPECT_EQ(Cells.Classes[Y], RestClass);
    }
  }
}

TEST(RowPicture, IsSmall) {
  for (const int64_t Rows : {201, 1000, 1234567}) {
    RowPicture P = crossOf(Rows);
    std::vector<uint32_t> Classes(P.lines());
    std::iota(Classes.begin(), Classes.end(), 0U);
    P.setClasses(Classes);
    const RowCells Cells = P.cells();
    EXPECT_EQ(Cells.Width, RowPicture::MaxCells);
    ASSERT_EQ(Cells.Lines.size(), RowPicture::MaxCells);
    EXPECT_EQ(Cells.Classes, Classes);
    for (uint32_t Y = 0; Y < Cells.Lines.size(); ++Y) {
      EXPECT_NEAR(Cells.Lines[Y].front(), std::min(Y, Cells.Width - 1 - Y), 1);
      EXPECT_EQ(P.rowOf(Y), static_cast<uint64_t>(Y) * static_cast<uint64_t>(Rows) / 200);
    }
  }
}

TEST(RowPicture, ShowsRowsWithoutLoopsAndLongOnesInPart) {
  RowPicture P(2);
  const std::vector<EntryKind> Kinds(10000, V);
  std::vector<int64_t> Trace(10000);
  std::iota(Trace.begin(), Trace.end(), INT64_MAX - 10000);
  P.row(Kinds.data(), Trace.data(), 1);
  P.row(Kinds.data(), Trace.data(), Trace.size());
  const RowCells Cells = P.cells();
  EXPECT_EQ(Cells.Lines[0].size(), 1U);
  EXPECT_LE(Cells.Lines[1].size(), 65U);
  EXPECT_GE(Cells.Lines[1].size(), 32U);
}

TEST(RowPicture, IsAsWideAsItsColumns) {
  RowPicture P(3, 1000);
  const std::vector<uint32_t> First = {0, 1, 4, 5, 500}, Last = {999};
  P.showRow(First);
  P.showRow({});
  P.showRow(Last);
  const RowCells Cells = P.cells();
  EXPECT_EQ(Cells.Width, RowPicture::MaxCells);
  EXPECT_EQ(Cells.Lines, (std::vector<std::vector<uint32_t>>{{0, 1, 100}, {}, {199}}));
  RowPicture Full(1, 100'000);
  std::vector<uint32_t> All(100'000);
  std::iota(All.begin(), All.end(), 0U);
  Full.showRow(All);
  EXPECT_EQ(Full.cells().Lines[0].size(), RowPicture::MaxCells) << "no cell is missing";
}

TEST(RowPicture, MayBeEmpty) {
  EXPECT_EQ(RowPicture(0).cells().Width, 0U);
  RowPicture P(5);
  P.row(nullptr, nullptr, 0);
  EXPECT_EQ(P.cells().Width, 0U);
}

} // namespace
