//===- tests/runtime/rows/shared_walks_test.cpp - loops that take over what others know ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/row_report.h"
#include "runtime/rows/shared_walks.h"
#include "tests/runtime/rows/row_loop.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace specrt;

namespace {

/// Another record of the same loop.
struct SharedWalks : RowTables {
  SharedWalks() {
    forgetRows(this);
    Loop.digest[0] = 7;
    copyLoop();
  }
  ~SharedWalks() override { forgetRows(&Other); }

  void copyLoop() {
    forgetRows(this);
    forgetRows(&Other);
    Other = Loop;
    ownRows(this, &Loop);
    ownRows(&Other, &Other);
  }
  bool callOther(std::vector<double> &Result) {
    std::swap(Loop, Other);
    const bool HasTable = call(Result);
    std::swap(Loop, Other);
    return HasTable;
  }
  bool callOther() { return callOther(Y); }
  RowFigures others() const { return rowFigures(&Other); }

  specrt_sparse_loop Other = Loop;
};

TEST_F(SharedWalks, ATableServesBoth) {
  EXPECT_TRUE(call());
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 0U);
  EXPECT_EQ(others().TakenOver, 1U);
  EXPECT_EQ(others().RowsInClasses, 1000U);
  EXPECT_NE(rowsJson(&Other)["text"].get<std::string>().find("taken over"), std::string::npos);
  forgetRows(this); // the other one still has it
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 0U);
}

TEST_F(SharedWalks, AWalkServesThreadsToo) {
  for (const bool Waits : {false, true}) {
    Loop.may_depend = Waits ? SPECRT_ROWS_LISTED_IN_32_BITS : SPECRT_ROWS_INDEPENDENT;
    Period = Waits ? 10000 : UINT64_MAX;
    setRows(Waits ? 60000 : 5000);
    copyLoop();
    Other.is_parallel = 1;
    EXPECT_TRUE(call());
    EXPECT_TRUE(callOther());
    EXPECT_EQ(others().Inspections, 0U);
    EXPECT_EQ(others().TakenOver, 1U);
    EXPECT_GT(others().Segments, figures().Segments);
  }
}

TEST_F(SharedWalks, OtherDataMayOverlap) {
  EXPECT_TRUE(call());
  EXPECT_FALSE(callOther(X)); // the table is there, and does not hold
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 0U);
}

TEST_F(SharedWalks, ChangedArraysAreWalkedAgain) {
  EXPECT_TRUE(call());
  Index[500] = 3;
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 1U);
  EXPECT_EQ(others().Segments, 3U);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().TakenOver, 1U);
  EXPECT_EQ(figures().Segments, 3U);
}

TEST_F(SharedWalks, OtherInputsAndOtherLoopsAreWalkedAgain) {
  EXPECT_TRUE(call());
  Index.pop_back();
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 1U);
  Index.push_back(999);
  forgetRows(&Other);
  Other.digest[1] = 1;
  ownRows(&Other, &Other);
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 1U);
}

TEST_F(SharedWalks, NothingIsKeptForOneLoop) {
  EXPECT_TRUE(call());
  forgetRows(this);
  forgetRows(&Other);
  ownRows(&Other, &Other);
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().Inspections, 1U);
}

TEST_F(SharedWalks, FewAreKept) {
  EXPECT_TRUE(call());
  EXPECT_GE(keptWalks(), 1U);
  for (int I = 0; I < 40; ++I) {
    Index.pop_back();
    EXPECT_TRUE(call());
  }
  EXPECT_EQ(figures().Inspections, 41U);
  EXPECT_LE(keptWalks(), 16U);
  forgetRows(this); // one is left, and nobody to share with
  EXPECT_EQ(keptWalks(), 0U);
}

TEST_F(SharedWalks, WhoWasNotCountedIsNotTakenAway) {
  specrt_sparse_loop Unknown = Loop;
  removeSharer(Unknown);
  removeSharer(Unknown);
  addSharer(Other); // once more
  EXPECT_TRUE(call());
  EXPECT_EQ(keptWalks(), 1U);
  EXPECT_TRUE(callOther());
  EXPECT_EQ(others().TakenOver, 1U);
  forgetRows(&Other);
  EXPECT_EQ(keptWalks(), 0U);
}

TEST_F(SharedWalks, AForkedChildWalksByItself) {
  EXPECT_TRUE(call());
  const pid_t Child = fork();
  if (Child == 0)
    _exit(callOther() && others().Inspections == 1 ? 0 : 1);
  int Status = -1;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

} // namespace
