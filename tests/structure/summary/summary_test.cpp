//===- tests/structure/summary/summary_test.cpp - numbers, words and pictures of patterns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/pattern_summary.h"
#include "structure/summary/spy_plot.h"

#include "tests/structure/patterns.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt;
using namespace specrt_test;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

CsrPattern csr(const Pattern &P) { return sortedPattern(P.Columns, P.Start, P.Column); }

TEST(PatternSummary, OfAGrid) {
  const PatternSummary S = summarise(csr(grid(300, 300)));
  EXPECT_EQ(S.Rows, 90000);
  EXPECT_EQ(S.Columns, 90000);
  EXPECT_EQ(S.Entries, 448800u);
  EXPECT_EQ(S.Lengths.Shortest, 3u);
  EXPECT_EQ(S.Lengths.Longest, 5u);
  EXPECT_EQ(S.Lengths.Median, 5u);
  EXPECT_EQ(S.Lengths.Empty, 0u);
  EXPECT_EQ(S.Below, 300);
  EXPECT_EQ(S.Above, 300);
  ASSERT_EQ(S.Diagonals.size(), 5u);
  EXPECT_EQ(S.Diagonals[0].Offset, -300);
  EXPECT_EQ(S.Diagonals[0].Entries, 89700u);
  EXPECT_EQ(S.Diagonals[0].Filled, 1);
  EXPECT_EQ(S.Diagonals[1].Offset, -1);
  EXPECT_NEAR(S.Diagonals[1].Filled, 299.0 / 300, 1e-4);
  EXPECT_EQ(rowsText(S.Structure, 1), "5 diagonals in 99 % of 90,000 rows, the rest gathered");
  EXPECT_EQ(S.Lower.Levels, 599u);
  EXPECT_EQ(S.Lower.Widest, 300u);
  EXPECT_THAT(levelsText(S.Lower), StartsWith("599 levels, 300 rows wide at most"));
}

TEST(PatternSummary, OfBlocks) {
  for (int64_t Edge : {2, 3, 4, 5, 6}) {
    const PatternSummary S = summarise(csr(elements(12, 12, Edge)));
    EXPECT_EQ(S.Blocks.Edge, static_cast<size_t>(Edge));
    EXPECT_EQ(S.Blocks.Share, 1);
  }
  std::mt19937 Random(1);
  const PatternSummary S = summarise(csr(randomRows(Random, 2000, 7)));
  EXPECT_EQ(S.Blocks.Edge, 0u);
  EXPECT_TRUE(S.Diagonals.empty());
  EXPECT_EQ(rowsText(S.Structure, 1), "no pattern in 2,000 rows");
}

TEST(PatternSummary, OfRowsThatAreNotThereOrAlone) {
  EXPECT_EQ(summarise(CsrPattern()).Entries, 0u);
  CsrPattern Empty;
  Empty.Columns = 5;
  Empty.endRow();
  const PatternSummary S = summarise(Empty);
  EXPECT_EQ(S.Lengths.Empty, 1u);
  EXPECT_EQ(levelsText(S.Lower), "1 level, 1 row wide at most");
}

TEST(PatternSummary, TellsRepeatedShapesFromDiagonals) {
  EXPECT_EQ(rowsText(summarise(csr(arrow(3000))).Structure, 1),
            "repeated shapes in 99 % of 3,000 rows, the rest gathered");
  Pattern P;
  P.Columns = 200;
  for (int64_t Row = 0; Row < 100; ++Row) {
    P.add(Row);
    P.add(Row + 50);
    P.endRow();
  }
  EXPECT_EQ(rowsText(summarise(csr(P)).Structure, 1), "2 diagonals in 100 % of 100 rows");
}

TEST(PatternSummary, GroupsDigits) {
  EXPECT_EQ(groupedNumber(0), "0");
  EXPECT_EQ(groupedNumber(999), "999");
  EXPECT_EQ(groupedNumber(1000), "1,000");
  EXPECT_EQ(groupedNumber(1234567), "1,234,567");
}

TEST(SpyPlot, ShowsEachEntryOfASmallPattern) {
  CsrPattern P;
  P.Columns = 4;
  P.Column = {1, 2};
  P.endRow();
  P.endRow();
  P.Column.push_back(0);
  P.endRow();
  const std::string Plot = spyPlot(P, summarise(P).Structure, "a < b & c");
  EXPECT_THAT(Plot, StartsWith("<svg "));
  EXPECT_THAT(Plot, HasSubstr("viewBox=\"0 0 18 3\""));
  EXPECT_THAT(Plot, HasSubstr("d=\"M1 0h2v1h-2zM0 2h1v1h-1z\""));
  EXPECT_THAT(Plot, HasSubstr("<title>a &lt; b &amp; c</title>"));
  EXPECT_THAT(Plot, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(Plot, Not(HasSubstr("href")));
}

TEST(SpyPlot, IsZoomedOutToFourHundredCells) {
  std::mt19937 Random(1);
  for (int64_t Rows : {399, 400, 401, 5000}) {
    const CsrPattern P = csr(randomRows(Random, Rows, 8));
    const std::string Plot = spyPlot(P, summarise(P).Structure, "");
    long long Width = 0, Height = 0;
    ASSERT_EQ(std::sscanf(Plot.c_str() + Plot.find("viewBox="), "viewBox=\"0 0 %lld %lld\"", &Width,
                          &Height),
              2);
    EXPECT_LE(Height, 400);
    EXPECT_LE(Width, 414);
    EXPECT_GE(Height, 200);
    EXPECT_LT(Plot.size(), 2u << 20);
  }
}

TEST(SpyPlot, OfNothingIsAPicture) {
  EXPECT_THAT(spyPlot(CsrPattern(), {}, ""), HasSubstr("</svg>"));
}

} // namespace
