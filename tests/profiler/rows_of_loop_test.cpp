//===- tests/profiler/rows_of_loop_test.cpp - which rows promise a gain ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/rows_of_loop.h"

#include <gtest/gtest.h>

using namespace specrt;

namespace {

/// Rows of so many values that follow from the row's number, and that have to be read.
RowClass classWith(size_t Affine, size_t Loaded, uint64_t Rows) {
  RowClass C;
  C.Kinds.assign(Affine + Loaded, EntryKind::Value);
  C.Kinds.push_back(EntryKind::Trips);
  C.Control.assign(C.Kinds.size(), 0);
  C.Deltas.assign(Affine, 1);
  C.Deltas.resize(Affine + Loaded);
  C.Deltas.emplace_back(0);
  C.Rows = Rows;
  return C;
}

TEST(RowsOfLoop, PromiseAGainWhereMostOfThemAreRegular) {
  EXPECT_FALSE(promises({}));
  EXPECT_FALSE(promises({{.Loop = 0, .Rows = 100}}));
  EXPECT_TRUE(promises({{.Loop = 0, .Rows = 100, .Classes = {classWith(5, 0, 90)}}}));
  EXPECT_FALSE(promises({{.Loop = 0, .Rows = 100, .Classes = {classWith(5, 0, 40)}}}));
  EXPECT_TRUE(
      promises({{.Loop = 0, .Rows = 100, .Classes = {classWith(5, 0, 40), classWith(4, 1, 20)}}}));
  EXPECT_FALSE(promises({{.Loop = 0, .Rows = 100, .Classes = {classWith(1, 5, 100)}}}))
      << "of equal length, no more";
  EXPECT_TRUE(promises(
      {{.Loop = 0, .Rows = 100}, {.Loop = 1, .Rows = 50, .Classes = {classWith(3, 0, 50)}}}));
}

} // namespace
