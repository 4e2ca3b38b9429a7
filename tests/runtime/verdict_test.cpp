//===- tests/runtime/verdict_test.cpp - who may not win a trial ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

Verdict wonBy(int Winner) {
  Verdict V;
  V.Winner = V.Best = Winner;
  return V;
}

TEST(Verdict, RowsThatNeverHadATableDoNotWin) {
  Trial T;
  for (int I = 0; I < 3; ++I)
    T.Candidates.push_back(std::make_unique<Candidate>());
  specrt_rows_site Rows{};
  Rows.inspect = [](const uint64_t *, specrt_row_trace *Into) {
    Into->trouble = SPECRT_ROWS_CIRCULAR;
  };
  ownRows(&Rows, &Rows);
  T.Candidates[2]->Rows = &Rows;
  Verdict V = wonBy(2);
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, 2) << "nothing is known of it";
  EXPECT_EQ(beginRows(&Rows, nullptr, 1), nullptr);
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, -1);
  EXPECT_EQ(V.Best, 2);
  V = wonBy(1); // has none
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, 1);
  forgetRows(&Rows);
}

TEST(VerdictTest, ASiblingThatCannotWinIsNotTried) {
  TrialRecord R;
  ruleOutSibling(R, "vector", 280e6, 100e6, /*Threads=*/2);
  EXPECT_TRUE(R.knows("vector-parallel")) << "half of it is still far behind";
  ruleOutSibling(R, "isl-schedule", 250e6, 100e6, /*Threads=*/2);
  EXPECT_FALSE(R.knows("isl-schedule-parallel"));
  ruleOutSibling(R, "time-tiled-parallel", 140e6, 100e6, /*Threads=*/2);
  EXPECT_TRUE(R.knows("time-tiled")) << "one thread takes no less";
  ruleOutSibling(R, "source-order-parallel", 14e6, 10e6, /*Threads=*/2);
  EXPECT_FALSE(R.knows("source-order")) << "short calls vary by more";
  R.add("contraction", 50e6);
  ruleOutSibling(R, "contraction-parallel", 200e6, 100e6, /*Threads=*/2);
  EXPECT_EQ(R.Candidates.back().Ns, 50e6) << "it was measured";
}

} // namespace
} // namespace specrt
