//===- tests/profiler/rows_of_loop_test.cpp - which rows promise a gain ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_reader.h"
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

/// Three rows: of one entry, of none, and of two.
RowsOfLoop withTraces() {
  RowsOfLoop Of = {.Loop = 2, .Rows = 3, .Classes = {classWith(1, 1, 2)}};
  const EntryKind Kinds[] = {EntryKind::Value, EntryKind::Trips};
  const int64_t First[] = {INT64_MIN}, Last[] = {-7, 3};
  Of.Traces.add(Kinds, First, 1);
  Of.Traces.add(Kinds, nullptr, 0);
  Of.Traces.add(Kinds, Last, 2);
  return Of;
}

TEST(RowsOfLoop, AreReadAsTheyWereWritten) {
  const RowsOfLoop Of = withTraces();
  JsonReader In;
  const RowsOfLoop Read = readRowsOfLoop(In, toJson(Of));
  EXPECT_TRUE(In.good());
  EXPECT_EQ(Read.Loop, Of.Loop);
  EXPECT_EQ(Read.Rows, Of.Rows);
  ASSERT_EQ(Read.Classes.size(), 1U);
  EXPECT_EQ(Read.Classes[0].Kinds, Of.Classes[0].Kinds);
  EXPECT_EQ(Read.Classes[0].Deltas, Of.Classes[0].Deltas);
  EXPECT_EQ(Read.Traces, Of.Traces);
}

TEST(RowsOfLoop, WithTracesThatMakeNoSenseAreRefused) {
  const nlohmann::json Good = toJson(withTraces());
  const nlohmann::json Bad[] = {
      {{"lengths", {1, 0, 3}}, {"kinds", "01"}, {"values", {1, 2}}},
      {{"lengths", {1, 0, -1}}, {"kinds", "01"}, {"values", {1, 2}}},
      {{"lengths", {1, 0, 2}}, {"kinds", "012"}, {"values", {1, 2}}},
      {{"lengths", {1, 0, 2}}, {"kinds", "01x"}, {"values", {1, 2, 3}}},
      {{"lengths", {1, 0, 2}}, {"kinds", "012"}, {"values", {1, 2, "3"}}},
      {{"lengths", 3}, {"kinds", "012"}, {"values", {1, 2, 3}}},
      "traces",
  };
  for (const nlohmann::json &Traces : Bad) {
    nlohmann::json Changed = Good;
    Changed["traces"] = Traces;
    JsonReader In;
    readRowsOfLoop(In, Changed);
    EXPECT_FALSE(In.good()) << Traces;
  }
}

} // namespace
