//===- tests/runtime/rows/kept_tables_test.cpp - what one run knows of rows serves the next ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/row_report.h"
#include "runtime/rows/table_image.h"
#include "tests/runtime/rows/kept_folder.h"
#include "tests/runtime/rows/row_loop.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace specrt;

namespace {

constexpr size_t Rows = 5000;

struct KeptTables : RowTables {
  KeptTables() {
    Deciding[0] = SPECRT_ROWS_DECIDING_BY_CONTENT;
    setRows(Rows);
    nextRun();
  }

  /// Nothing is known of the loop, and its arrays are elsewhere.
  void nextRun() {
    forgetRows(this);
    Elsewhere.push_back(std::move(Index));
    Index = Elsewhere.back();
    Site.digest[0] = 9;
    ownRows(this, &Site);
  }
  /// A call of a first run.
  void walk() {
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Inspections, 1U);
    writeKeptTables();
  }

  KeptFolder Folder;
  std::vector<std::vector<int>> Elsewhere;
};

TEST_F(KeptTables, ServeTheNextRun) {
  walk();
  EXPECT_EQ(Folder.files(), 1U);
  const RowFigures Before = figures();
  nextRun();
  EXPECT_TRUE(call());
  const RowFigures Seen = figures();
  EXPECT_EQ(RowsWalked, Rows);
  EXPECT_EQ(Seen.Inspections, 0U);
  EXPECT_EQ(Seen.Recalled, 1U);
  EXPECT_EQ(Seen.RowsInClasses, Before.RowsInClasses);
  EXPECT_EQ(Seen.Segments, Before.Segments);
  ASSERT_EQ(Seen.Pictures.size(), 1U);
  EXPECT_EQ(Seen.Pictures[0]->cells().Lines, Before.Pictures[0]->cells().Lines);
  EXPECT_EQ(Seen.Pictures[0]->cells().Classes, Before.Pictures[0]->cells().Classes);
  EXPECT_NE(rowsJson(&Site)["text"].get<std::string>().find("known from an earlier run once"),
            std::string::npos);
  // It is watched like any other.
  Index[17] = 3;
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Segments, 3U);
}

TEST_F(KeptTables, OfRowsThatWaitServeThreads) {
  for (const bool IsParallel : {false, true}) {
    Site.may_wait = SPECRT_ROWS_LISTED_IN_32_BITS;
    Site.is_parallel = IsParallel;
    Period = 10000;
    setRows(60000);
    nextRun();
    walk();
    const RowFigures Before = figures();
    EXPECT_GT(Before.Levels, 1U);
    nextRun();
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Recalled, 1U);
    EXPECT_EQ(figures().Levels, Before.Levels);
    EXPECT_EQ(figures().MergedLevels, Before.MergedLevels);
    EXPECT_EQ(figures().Segments, Before.Segments);
  }
  EXPECT_EQ(Folder.files(), 2U);
}

/// That there is no order worth having is known, too.
TEST_F(KeptTables, SayThatThereIsNone) {
  Site.may_wait = SPECRT_ROWS_LISTED_IN_32_BITS;
  Period = 1;
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  const std::string Problem(figures().Problem);
  EXPECT_NE(Problem, "");
  writeKeptTables();
  RowsWalked = 0;
  nextRun();
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Recalled, 1U);
  EXPECT_EQ(RowsWalked, 0U);
  EXPECT_EQ(figures().Problem, Problem);
}

TEST_F(KeptTables, AreNotForOthers) {
  walk();
  const auto Walks = [&](const char *Why) {
    EXPECT_TRUE(call()) << Why;
    EXPECT_EQ(figures().Recalled, 0U) << Why;
    EXPECT_EQ(figures().Inspections, 1U) << Why;
  };
  nextRun();
  std::swap(Index[7], Index[8]);
  Walks("other columns");
  std::swap(Index[7], Index[8]);
  nextRun();
  Index.pop_back();
  Walks("other numbers of rows");
  Index.push_back(Rows - 1);
  nextRun();
  forgetRows(this);
  Site.digest[1] = 1;
  ownRows(this, &Site);
  Walks("another loop");
  Site.digest[1] = 0;
  nextRun();
  Site.has_places = 1;
  Walks("a loop that looks at addresses");
  Site.has_places = 0;
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
}

/// Matrices of the same size take turns.
TEST_F(KeptTables, AreSeveral) {
  constexpr int Matrices = 4;
  const auto Change = [&](int Which) {
    std::iota(Index.begin(), Index.end(), 0);
    if (Which > 0)
      Index[static_cast<size_t>(Which) * 100] = 0;
  };
  for (int I = 0; I < Matrices; ++I) {
    nextRun();
    Change(I);
    EXPECT_TRUE(call());
    writeKeptTables();
  }
  EXPECT_GT(Folder.files(), 1U); // some bits of two may be alike
  size_t Recalled = 0;
  for (int I = 0; I < Matrices; ++I) {
    nextRun();
    Change(I);
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Segments, I == 0 ? 1U : 3U);
    Recalled += figures().Recalled;
  }
  EXPECT_GE(Recalled, Folder.files());
}

TEST_F(KeptTables, ThatAreDamagedAreMadeAgain) {
  walk();
  const std::string Path = Folder.Store->list().at(0).Path;
  std::fstream(Path, std::ios::in | std::ios::out).seekp(200).put('?');
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_NE(Folder.Said.find("is damaged"), std::string::npos) << Folder.Said;
  writeKeptTables();
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
}

/// What nobody could have written is none, wherever it ends.
TEST_F(KeptTables, ThatAreCutShortAreNone) {
  walk();
  StoredVersion Found;
  std::string Image;
  for (const VersionEntry &Each : Folder.Store->list())
    if (Folder.Store->find({Each.Description.Key}, Found))
      Image = Found.Object;
  ASSERT_FALSE(Image.empty());
  const auto Inputs = inputs(Y);
  const auto Decode = [&](std::string_view Bytes) {
    return decodeTable(Site, Inputs.data(), Rows, Bytes, WatchCopies::OfAll);
  };
  EXPECT_NE(Decode(Image), nullptr);
  for (size_t Bytes = 0; Bytes < Image.size(); ++Bytes)
    ASSERT_EQ(Decode({Image.data(), Bytes}), nullptr) << Bytes;
  EXPECT_EQ(Decode(Image + "more"), nullptr);
}

TEST_F(KeptTables, AreOnlyReadWhereNothingIsWritten) {
  Folder.use(/*MayWrite=*/false);
  walk();
  EXPECT_EQ(Folder.files(), 0U);
  Folder.use();
  nextRun();
  RowsWalked = 0;
  walk();
  EXPECT_EQ(Folder.files(), 1U);
  Folder.use(/*MayWrite=*/false);
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
  keepTables(nullptr, false);
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
}

TEST_F(KeptTables, ThatTookNoTimeAreNotKept) {
  leastKeptNs() = 1e18;
  walk();
  EXPECT_EQ(Folder.files(), 0U);
}

} // namespace
