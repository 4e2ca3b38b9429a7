//===- tests/structure/levels/levels_test.cpp - which rows wait for which ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/level_miner.h"

#include "tests/structure/patterns.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace specrt;
using namespace specrt_test;

namespace {

std::span<const int64_t> columnsOf(const Pattern &P, int64_t Row) {
  return std::span(P.Column).subspan(P.Start[Row], P.Start[Row + 1] - P.Start[Row]);
}

std::vector<uint32_t> levelsOf(const Pattern &P) {
  RowLevels Levels;
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    EXPECT_TRUE(Levels.row(columnsOf(P, Row).data(), columnsOf(P, Row).size()));
  return Levels.levels();
}

/// By the definition: raise levels until every pair of rows is in order.
std::vector<uint32_t> slowLevelsOf(const Pattern &P) {
  std::vector<uint32_t> Levels(static_cast<size_t>(P.rows()));
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (int64_t Row = 0; Row < P.rows(); ++Row)
      for (int64_t Other : columnsOf(P, Row)) {
        if (Other == Row || Other >= P.rows())
          continue;
        const uint32_t Least = Levels[std::min(Row, Other)] + 1;
        uint32_t &Level = Levels[std::max(Row, Other)];
        Changes |= Level < Least;
        Level = std::max(Level, Least);
      }
  }
  return Levels;
}

RowStructure feed(LevelMiner Miner, const Pattern &P) {
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    const Trace T = productTrace(P, Row);
    Miner.row(T.Kinds.data(), T.Entries.data(), T.Entries.size(), columnsOf(P, Row).data(),
              columnsOf(P, Row).size());
  }
  return Miner.finish();
}

RowStructure mine(const Pattern &P, const LevelMinerOptions &Options = {}) {
  RowStructure Found = feed(LevelMiner::discover(Options), P);
  return feed(LevelMiner::assign(std::move(Found.Classes), Options), P);
}

LevelMinerOptions withoutBarriers() {
  LevelMinerOptions Options;
  Options.BarrierCycles = -1;
  return Options;
}

/// When the rows are done: those of a segment or of a level at once where that is said.
std::vector<int64_t> timesOf(const RowStructure &S) {
  std::vector<int64_t> Times(static_cast<size_t>(S.Rows), -1);
  int64_t Now = 0;
  for (size_t L = 0; L < S.Levels.size(); ++L) {
    const size_t End = L + 1 < S.Levels.size() ? S.Levels[L + 1].FirstSegment : S.Segments.size();
    for (size_t I = S.Levels[L].FirstSegment; I < End; ++I) {
      const RowSegment &Segment = S.Segments[I];
      const bool InOrder = S.Levels[L].Serial && Segment.Class == RestClass;
      for (int64_t K = 0; K < Segment.Count; ++K) {
        int64_t &Time = Times[S.rowOf(Segment, K)];
        EXPECT_EQ(Time, -1) << "twice";
        Time = InOrder ? Now++ : Now;
      }
      Now += S.Levels[L].Serial;
    }
    ++Now;
  }
  return Times;
}

/// Is every row there, at its time, with its trace?
void check(const RowStructure &S, const Pattern &P) {
  const std::vector<int64_t> Times = timesOf(S);
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    ASSERT_GE(Times[Row], 0) << P.Name << ", row " << Row;
    for (int64_t Other : columnsOf(P, Row))
      if (Other != Row && Other < P.rows()) {
        ASSERT_LT(Times[std::min(Row, Other)], Times[std::max(Row, Other)])
            << P.Name << ", rows " << Row << ", " << Other;
      }
  }
  for (const RowSegment &Segment : S.Segments) {
    if (Segment.Class == RestClass)
      continue;
    const RowClass &Class = S.Classes[Segment.Class];
    ASSERT_EQ(Segment.RowStep, Class.Step);
    for (int64_t K = 0; K < Segment.Count; ++K) {
      const Trace T = productTrace(P, S.rowOf(Segment, K));
      ASSERT_EQ(T.Kinds, Class.Kinds);
      for (size_t I = 0; I < T.Entries.size(); ++I)
        ASSERT_EQ(T.Entries[I],
                  T.Kinds[I] == EntryKind::Value ? S.entryOf(Segment, K, I) : Class.Control[I]);
    }
  }
}

TEST(Levels, OfAGridAreItsDiagonals) {
  constexpr int64_t N = 300;
  const Pattern P = lower(grid(N, N));
  const LevelOrder Order(levelsOf(P));
  ASSERT_EQ(Order.size(), 2u * N - 1);
  EXPECT_EQ(Order.widest(), static_cast<size_t>(N));
  for (size_t Level = 0; Level < Order.size(); ++Level) {
    const std::span<const int64_t> Rows = Order.rowsOf(Level, Level + 1);
    for (size_t I = 1; I < Rows.size(); ++I)
      ASSERT_EQ(Rows[I] - Rows[I - 1], N - 1);
  }
}

TEST(Levels, AreThoseOfTheDefinition) {
  for (unsigned Seed = 1; Seed <= 2000; ++Seed) {
    std::mt19937 Random(Seed);
    Pattern P = anyPattern(Random, 200);
    if (Seed % 2)
      P = lower(P);
    ASSERT_EQ(levelsOf(P), slowLevelsOf(P)) << "seed " << Seed << ", " << P.Name;
  }
}

TEST(LevelMiner, FindsTheWavefrontsOfAGrid) {
  constexpr int64_t N = 300;
  const Pattern P = lower(grid(N, N));
  const RowStructure S = mine(P, withoutBarriers());
  check(S, P);
  ASSERT_EQ(S.Levels.size(), 2u * N - 1);
  ASSERT_EQ(S.Classes.size(), 1u);
  EXPECT_EQ(S.Classes[0].Step, N - 1u);
  EXPECT_GE(S.Classes[0].Rows, static_cast<uint64_t>((N - 1) * (N - 1) * 97 / 100));
  EXPECT_EQ(std::count_if(S.Segments.begin(), S.Segments.end(),
                          [](const RowSegment &Segment) { return Segment.Class == 0; }),
            2 * N - 3 - 2 * (S.Classes[0].MinRows - 1));
}

TEST(LevelMiner, SeparatesLayoutsWithinALevel) {
  Pattern P;
  P.Columns = 2000;
  for (int64_t Row = 0; Row < 2000; ++Row) {
    if (Row >= 1000 && Row % 2)
      P.add(Row - 1001);
    if (Row >= 1000)
      P.add(Row - 1000);
    P.endRow();
  }
  const RowStructure S = mine(P, withoutBarriers());
  check(S, P);
  ASSERT_EQ(S.Classes.size(), 3u);
  for (const RowClass &Class : S.Classes) {
    EXPECT_EQ(Class.Step, Class.Control[2] ? 2u : 1u);
    EXPECT_EQ(Class.Rows, Class.Control[2] ? 500u : 1000u);
  }
}

TEST(LevelMiner, LetsThreadsMeetWhereLevelsAreThickOnly) {
  const Pattern P = lower(grid(1200, 1200));
  const RowStructure S = mine(P);
  check(S, P);
  EXPECT_GT(S.Levels.size(), 100u);
  EXPECT_LT(S.Levels.size(), 2300u);
  EXPECT_TRUE(S.Levels.front().Serial);
  EXPECT_TRUE(S.Levels.back().Serial);
  EXPECT_FALSE(S.Levels[S.Levels.size() / 2].Serial);
}

TEST(LevelMiner, LeavesAChainAlone) {
  const Pattern P = lower(band(5000, 1, 1));
  const RowStructure S = mine(P);
  check(S, P);
  EXPECT_EQ(S.Levels, (std::vector<RowLevel>{{0, true}}));
  EXPECT_EQ(S.Segments, (std::vector<RowSegment>{{RestClass, 0, 1, 5000, 0}}));
}

TEST(LevelMiner, KeepsTheOrderOfRandomRows) {
  uint64_t InClasses = 0, Parallel = 0, Listed = 0;
  for (unsigned Seed = 1; Seed <= 3000; ++Seed) {
    std::mt19937 Random(Seed);
    Pattern P = anyPattern(Random, Seed % 50 ? 300 : 4000);
    if (Seed % 2)
      P = lower(P);
    LevelMinerOptions Options;
    Options.BarrierCycles = static_cast<double>(Seed % 4) * 400 - 1;
    const RowStructure S = mine(P, Options);
    ASSERT_NO_FATAL_FAILURE(check(S, P)) << "seed " << Seed;
    for (const RowClass &Class : S.Classes)
      InClasses += Class.Rows;
    for (const RowLevel &Level : S.Levels)
      Parallel += !Level.Serial;
    for (const RowSegment &Segment : S.Segments)
      Listed += Segment.RowStep == 0;
  }
  EXPECT_GT(InClasses, 10000u);
  EXPECT_GT(Parallel, 10000u);
  EXPECT_GT(Listed, 1000u);
}

TEST(LevelMiner, GivesUpBeyondItsMemory) {
  std::mt19937 Random(1);
  const Pattern P = randomRows(Random, 3000, 8);
  LevelMinerOptions Options;
  Options.MaxBytes = 50000;
  LevelMiner Miner = LevelMiner::assign({}, Options);
  const RowStructure S = feed(std::move(Miner), P);
  EXPECT_TRUE(S.GivenUp);
  EXPECT_TRUE(S.Segments.empty());
  EXPECT_EQ(S.Rows, P.rows());
}

TEST(LevelMiner, GivesUpOnRowsFarAway) {
  LevelMiner Miner = LevelMiner::assign({});
  const int64_t Far = INT64_MAX / 2;
  Miner.row(nullptr, nullptr, 0, &Far, 1);
  EXPECT_TRUE(Miner.givenUp());
  EXPECT_TRUE(Miner.finish().GivenUp);
}

TEST(LevelMiner, TakesNoRowsAndLongOnes) {
  EXPECT_TRUE(LevelMiner::assign({}).finish().Segments.empty());
  EXPECT_TRUE(LevelMiner::discover().finish().Classes.empty());
  LevelMinerOptions Options = withoutBarriers();
  Options.MaxEntries = 3;
  const Pattern P = lower(grid(30, 30));
  check(mine(P, Options), P);
}

} // namespace
