//===- tests/runtime/plans/persistent_plans_test.cpp - plans that later runs reuse ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plans/table_image.h"
#include "runtime/report/row_report.h"
#include "runtime/rows/segments.h"
#include "tests/runtime/foreign_pages.h"
#include "tests/runtime/plans/plan_folder.h"
#include "tests/runtime/rows/row_loop.h"

#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

using namespace specrt;

namespace {

constexpr size_t Rows = 5000;

struct PersistentPlansTest : RowTables {
  PersistentPlansTest() {
    Deciding[0] = SPECRT_ROWS_DECIDING_BY_CONTENT;
    setRows(Rows);
    nextRun();
  }

  /// Nothing is known of the loop, and its arrays are elsewhere.
  void nextRun(bool IsFurther = false) {
    forgetRows(this);
    IsFurther ? Folder.useAsFurther() : Folder.use();
    Elsewhere.push_back(std::move(Index));
    Index = Elsewhere.back();
    Loop.digest[0] = 9;
    ownRows(this, &Loop);
  }
  /// A call of a first run.
  void walk() {
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Inspections, 1U);
    PlanFolder::write();
  }

  /// Of a call of this run.
  RowGrounds grounds() {
    RowGrounds G;
    G.setKey(Loop, inputs(Y).data(), Index.size());
    return G;
  }

  PlanFolder Folder;
  std::vector<std::vector<int>> Elsewhere;
};

TEST_F(PersistentPlansTest, ServeTheNextRun) {
  walk();
  EXPECT_EQ(Folder.plans(), 1U);
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
  EXPECT_NE(rowsJson(&Loop)["text"].get<std::string>().find("known from an earlier run once"),
            std::string::npos);
  // It is watched like any other.
  Index[17] = 3;
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Segments, 3U);
}

TEST_F(PersistentPlansTest, OfACacheThatIsOnlyReadServeToo) {
  walk();
  nextRun(/*IsFurther=*/true);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
  EXPECT_EQ(figures().Inspections, 0U);
  // What is new goes to the own cache.
  Index[17] = 3;
  EXPECT_TRUE(call());
  PlanFolder::write();
  EXPECT_EQ(Folder.plans(), 1U);
  Folder.use();
  EXPECT_EQ(Folder.plans(), 1U);
}

TEST_F(PersistentPlansTest, OfRowsThatWaitServeThreads) {
  for (const bool IsParallel : {false, true}) {
    Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
    Loop.is_parallel = IsParallel;
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
  EXPECT_EQ(Folder.plans(), 2U);
}

/// That there is no order worth having is known, too.
TEST_F(PersistentPlansTest, SayThatThereIsNone) {
  Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
  Period = 1;
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  const std::string Problem(figures().Problem);
  EXPECT_NE(Problem, "");
  PlanFolder::write();
  RowsWalked = 0;
  nextRun();
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Recalled, 1U);
  EXPECT_EQ(RowsWalked, 0U);
  EXPECT_EQ(figures().Problem, Problem);
}

TEST_F(PersistentPlansTest, AreNotForOthers) {
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
  Loop.digest[1] = 1;
  ownRows(this, &Loop);
  Walks("another loop");
  Loop.digest[1] = 0;
  nextRun();
  Loop.places = SPECRT_ROWS_HERE;
  Walks("a loop that looks at addresses");
  Loop.places = SPECRT_ROWS_ANYWHERE;
  nextRun();
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
}

TEST_F(PersistentPlansTest, MayDependOnPlacesWithinPages) {
  Loop.places = SPECRT_ROWS_ON_ANY_PAGE;
  std::vector<int> Room(Rows + 2048);
  const auto Call = [&](size_t Ints) { // behind the beginning of a page
    nextRun();
    const auto From = reinterpret_cast<uint64_t>(Room.data());
    constexpr size_t IntsOfPage = 1024;
    const size_t Behind = From / 4 % IntsOfPage;
    int *Begin = Room.data() + (IntsOfPage - Behind) + Ints;
    std::copy(Index.begin(), Index.end(), Begin);
    auto Inputs = inputs(Y);
    Inputs[0] = reinterpret_cast<uint64_t>(Begin);
    const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Rows);
    ASSERT_NE(Table, nullptr);
    endRows(&Loop, Table);
    PlanFolder::write();
  };
  Call(4);
  EXPECT_EQ(figures().Recalled, 0U);
  Call(8);
  EXPECT_EQ(figures().Recalled, 0U);
  Call(4);
  EXPECT_EQ(figures().Recalled, 1U);
}

/// The indices end where pages of somebody else begin.
TEST_F(PersistentPlansTest, OfArraysBesideOthers) {
  for (const Foreign Kind :
       {Foreign::BeyondItsFile, Foreign::Protected, Foreign::FilledByAHandler}) {
    ForeignPages Of(Kind);
    if (!Of.arePossible())
      continue;
    constexpr size_t Page = 4096, Bytes = Rows * sizeof(int),
                     Room = (Bytes + Page - 1) / Page * Page;
    auto *Memory = static_cast<std::byte *>(
        mmap(nullptr, Room + 2 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    Of.put(Memory, Page);
    Of.put(Memory + Page + Room, Page);
    const auto CallHere = [&](size_t Offset) {
      nextRun();
      std::memcpy(Memory + Page + Offset, Index.data(), Bytes);
      auto Inputs = inputs(Y);
      Inputs[0] = reinterpret_cast<uint64_t>(Memory + Page + Offset);
      for (int Call = 0; Call < 2; ++Call)
        if (const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Rows))
          endRows(&Loop, Table);
        else
          ADD_FAILURE() << nameOf(Kind);
      PlanFolder::write();
    };
    CallHere(Room - Bytes);
    CallHere(0);
    EXPECT_EQ(figures().Recalled, 1U) << nameOf(Kind);
    EXPECT_EQ(Of.numRead(), 0U);
    munmap(Memory, Room + 2 * Page);
  }
}

/// Matrices of the same size take turns.
TEST_F(PersistentPlansTest, AreSeveral) {
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
    PlanFolder::write();
  }
  EXPECT_EQ(Folder.plans(), size_t{Matrices});
  for (int I = 0; I < Matrices; ++I) {
    nextRun();
    Change(I);
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Segments, I == 0 ? 1U : 3U);
    EXPECT_EQ(figures().Recalled, 1U);
  }
}

TEST_F(PersistentPlansTest, ThatAreDamagedAreMadeAgain) {
  walk();
  for (const VersionEntry &Each :
       Folder.Store->list()) { // a plan, and the calls for which it is valid
    std::fstream(Each.Path, std::ios::in | std::ios::out).seekp(20).put('?');
    Folder.Said = "";
    nextRun();
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Inspections, 1U);
    EXPECT_NE(Folder.Said.find("the persistent plan"), std::string::npos) << Folder.Said;
    EXPECT_NE(Folder.Said.find("is damaged"), std::string::npos) << Folder.Said;
    PlanFolder::write();
    nextRun();
    EXPECT_TRUE(call());
    EXPECT_EQ(figures().Recalled, 1U);
  }
}

/// What nobody could have written is none, wherever it ends.
TEST_F(PersistentPlansTest, ThatAreCutShortAreNone) {
  walk();
  const auto Inputs = inputs(Y);
  for (const VersionEntry &Each : Folder.Store->list()) {
    StoredVersion Found;
    ASSERT_TRUE(Folder.Store->find({Each.Description.Key}, Found));
    const std::string Bytes(Found.Object);
    const auto IsGood = [&](std::string_view Some) {
      return PlanFolder::isPlan(Each) ? decodeTable(Loop, Inputs.data(), grounds(), Some) != nullptr
                                      : !decodeGrounds(Some).empty();
    };
    EXPECT_TRUE(IsGood(Bytes));
    for (size_t Size = 0; Size < Bytes.size(); ++Size)
      ASSERT_FALSE(IsGood({Bytes.data(), Size})) << Size;
  }
}

/// What no run could have written is none, although its checksum is right.
TEST_F(PersistentPlansTest, ThatAreForgedAreNone) {
  shareRows();
  const auto Inputs = inputs(Y);
  using Forger = std::function<void(RowTable &, RowSharing::Plan &)>;
  const auto IsTable = [&](const Forger &Forge) {
    const InspectedRows Found = inspectRows(Loop, Inputs.data(), Index.size(), 1e18);
    RowTable &T = *Found.Table;
    RowSharing::Plan P = T.Sharing->plan();
    Forge(T, P);
    T.shareBy(std::make_unique<RowSharing>(std::move(P)));
    return decodeTable(Loop, Inputs.data(), grounds(), encodeTable(Loop, T)) != nullptr;
  };
  EXPECT_TRUE(IsTable([](RowTable &T, RowSharing::Plan &P) {
    EXPECT_GT(T.Segments.size(), 4U);
    EXPECT_GT(P.Waits.size(), 1U);
  }));
  const std::pair<const char *, Forger> Cases[] = {
      {"a row twice, another never",
       [](RowTable &T, RowSharing::Plan &) { T.NarrowOrigins[0] = T.NarrowOrigins[1]; }},
      {"a row behind the last",
       [](RowTable &T, RowSharing::Plan &) {
         T.NarrowOrigins[0] = static_cast<uint32_t>(T.NarrowOrigins.size());
       }},
      {"a segment twice", [](RowTable &T, RowSharing::Plan &) { T.Segments[0] = T.Segments[1]; }},
      {"no rows", [](RowTable &T, RowSharing::Plan &) { T.Segments[0].count = 0; }},
      {"rows backwards", [](RowTable &T, RowSharing::Plan &) { T.Segments[0].count = -1; }},
      {"more rows than are listed",
       [](RowTable &T, RowSharing::Plan &) { T.Segments.back().count = INT64_MAX; }},
      {"a class that does not exist",
       [](RowTable &T, RowSharing::Plan &) { T.Segments[0].class_index = 1; }},
      {"a kind that does not exist",
       [](RowTable &T, RowSharing::Plan &) { T.Segments[0].kind = NumSegmentKinds; }},
      {"a class of a kind that has none",
       [](RowTable &T, RowSharing::Plan &) {
         T.Segments[0].kind = SPECRT_SEGMENT_LISTED_AS_WRITTEN;
         T.Segments[0].class_index = 1;
       }},
      {"rows in lanes, for which there is no code",
       [](RowTable &T, RowSharing::Plan &) { T.Segments[0].kind = SPECRT_SEGMENT_WAVEFRONT; }},
      {"one segment less", [](RowTable &T, RowSharing::Plan &) { T.Segments.pop_back(); }},
      {"a wait for what comes later",
       [](RowTable &, RowSharing::Plan &P) {
         P.Waits[0].Counter = P.Strips[P.Strips.size() - 2].Counter;
       }},
      {"a wait for more than there is",
       [](RowTable &, RowSharing::Plan &P) { P.Waits[0].Least = UINT32_MAX; }},
      {"a counter that does not exist",
       [](RowTable &, RowSharing::Plan &P) { P.Waits[0].Counter = P.NumCounters; }},
      {"a strip without its counter",
       [](RowTable &, RowSharing::Plan &P) { P.Strips[0].Counter = P.NumCounters; }},
      {"more counters than strips",
       [](RowTable &, RowSharing::Plan &P) {
         P.NumCounters = static_cast<uint32_t>(P.Strips.size());
       }},
      {"strips that overlap",
       [](RowTable &, RowSharing::Plan &P) { std::swap(P.Strips[0], P.Strips[1]); }},
      {"chunks that overlap",
       [](RowTable &, RowSharing::Plan &P) { std::swap(P.FirstSegment[0], P.FirstSegment[1]); }},
      {"a chunk that is left out", [](RowTable &, RowSharing::Plan &P) { ++P.FirstSegment[0]; }},
      {"waits that are not there",
       [](RowTable &, RowSharing::Plan &P) { ++P.Chunks.back().FirstWait; }},
      {"a chunk less", [](RowTable &, RowSharing::Plan &P) { P.Chunks.pop_back(); }},
  };
  for (const auto &[What, Forge] : Cases)
    EXPECT_FALSE(IsTable(Forge)) << What;
}

/// Threads would do rows in any order.
TEST_F(PersistentPlansTest, OfRowsThatWaitAreSharedInAnOrder) {
  shareRows();
  const auto Inputs = inputs(Y);
  const InspectedRows Found = inspectRows(Loop, Inputs.data(), Index.size(), 1e18);
  Found.Table->Sharing.reset();
  EXPECT_EQ(decodeTable(Loop, Inputs.data(), grounds(), encodeTable(Loop, *Found.Table)), nullptr);
}

/// Memory of which they say nothing could be anything.
TEST_F(PersistentPlansTest, HaveGroundsOfThisLoop) {
  const auto Inputs = inputs(Y);
  const InspectedRows Found = inspectRows(Loop, Inputs.data(), Index.size(), 1e18);
  ASSERT_FALSE(Found.Table->Contents.empty());
  const auto IsRecalled = [&](const std::function<void(RowGrounds &)> &Forge) {
    RowGrounds G;
    G.Extents = Found.Table->Extents;
    G.Contents = Found.Table->Contents;
    Forge(G);
    return recallGrounds(Loop, Inputs.data(), Index.size(), G, WatchCopies::OfAll);
  };
  EXPECT_TRUE(IsRecalled([](RowGrounds &) {}));
  const std::pair<const char *, std::function<void(RowGrounds &)>> Cases[] = {
      {"nothing", [](RowGrounds &G) { G = {}; }},
      {"one base twice", [](RowGrounds &G) { G.Extents.push_back(G.Extents.back()); }},
      {"a base that does not exist", [](RowGrounds &G) { G.Extents.back().Base = 3; }},
      {"no bytes", [](RowGrounds &G) { G.Extents[0].High = G.Extents[0].Low; }},
      {"all bytes that there are",
       [](RowGrounds &G) { G.Extents[0] = {G.Extents[0].Base, INT64_MIN, INT64_MAX}; }},
      {"other contents", [](RowGrounds &G) { ++G.Contents[0].Low; }},
  };
  for (const auto &[What, Forge] : Cases)
    EXPECT_FALSE(IsRecalled(Forge)) << What;
}

/// Who does rows one after the other does not know of threads.
TEST_F(PersistentPlansTest, ForThreadsAreOthers) {
  walk();
  forgetRows(this);
  Loop.is_parallel = 1;
  nextRun();
  walk();
  EXPECT_EQ(Folder.plans(), 2U);
  StoredVersion Found;
  for (const VersionEntry &Each : Folder.Store->list())
    if (PlanFolder::isPlan(Each) && Folder.Store->find({Each.Description.Key}, Found)) {
      const bool IsParallel = Each.Description.Key.find("parallel") != std::string::npos;
      const auto Inputs = inputs(Y);
      EXPECT_EQ(decodeTable(Loop, Inputs.data(), grounds(), Found.Object) != nullptr, IsParallel);
    }
}

TEST_F(PersistentPlansTest, AreOnlyReadWhereNothingIsWritten) {
  Folder.use(/*MayWrite=*/false);
  walk();
  EXPECT_EQ(Folder.plans(), 0U);
  nextRun();
  walk();
  EXPECT_EQ(Folder.plans(), 1U);
  nextRun();
  Folder.use(/*MayWrite=*/false);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Recalled, 1U);
  nextRun();
  setPersistentPlans({});
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
}

TEST_F(PersistentPlansTest, NeedKnownBuilds) {
  walk();
  nextRun();
  setPersistentPlans({Folder.Store, true, [] { return false; }});
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
}

TEST_F(PersistentPlansTest, ThatTookNoTimeAreNotKept) {
  leastPersistentNs() = 1e18;
  walk();
  EXPECT_EQ(Folder.plans(), 0U);
}

} // namespace
