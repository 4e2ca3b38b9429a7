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

} // namespace
} // namespace specrt
