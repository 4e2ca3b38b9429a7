//===- tests/structure/rows/row_miner_test.cpp - classes and segments give back all traces ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_candidates.h"
#include "structure/rows/row_miner.h"

#include "tests/structure/patterns.h"
#include <chrono>
#include <functional>
#include <gtest/gtest.h>

using namespace specrt;
using namespace specrt_test;

namespace {

using TraceOf = std::function<Trace(const Pattern &, int64_t)>;

RowStructure feed(RowMiner Miner, const Pattern &P, const TraceOf &Of) {
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    const Trace T = Of(P, Row);
    Miner.row(T.Kinds.data(), T.Entries.data(), T.Entries.size());
  }
  return Miner.finish();
}

RowStructure mine(const Pattern &P, const TraceOf &Of = productTrace,
                  const RowMinerOptions &Options = {}) {
  RowStructure Found = feed(RowMiner::discover(Options), P, Of);
  return feed(RowMiner::assign(std::move(Found.Classes), Options), P, Of);
}

/// The first row whose trace is not what the structure says; -1: none.
int64_t mismatch(const RowStructure &S, const Pattern &P, const TraceOf &Of) {
  std::vector<bool> Seen(static_cast<size_t>(P.rows()));
  int64_t LastFirst = -1;
  for (const RowSegment &Segment : S.Segments) {
    if (Segment.First <= LastFirst)
      return Segment.First;
    LastFirst = Segment.First;
    for (int64_t K = 0; K < Segment.Count; ++K) {
      const int64_t Row = Segment.First + K * Segment.RowStep;
      if (Row >= P.rows() || Seen[Row])
        return Row;
      Seen[Row] = true;
      if (Segment.Class == RestClass)
        continue;
      const RowClass &Class = S.Classes[Segment.Class];
      const Trace T = Of(P, Row);
      if (T.Kinds != Class.Kinds || Segment.Count < Class.MinRows || Segment.RowStep != Class.Step)
        return Row;
      for (size_t I = 0; I < T.Entries.size(); ++I) {
        if (T.Kinds[I] != EntryKind::Value ? T.Entries[I] != Class.Control[I]
            : Class.Deltas[I]              ? T.Entries[I] != S.entryOf(Segment, K, I)
                                           : S.entryOf(Segment, K, I) != 0)
          return Row;
      }
    }
  }
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    if (!Seen[Row])
      return Row;
  return -1;
}

uint64_t covered(const RowStructure &S, bool Loaded = false) {
  uint64_t Rows = 0;
  for (const RowClass &Class : S.Classes)
    Rows += Class.hasLoaded() == Loaded ? Class.Rows : 0;
  return Rows;
}

TEST(RowMiner, FindsTheFiveDiagonalsOfAGrid) {
  const Pattern P = grid(300, 300);
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  ASSERT_EQ(S.Classes.size(), 1u);
  EXPECT_EQ(S.Classes[0].Step, 1u);
  EXPECT_EQ(S.Classes[0].Control, (std::vector<int64_t>{0, 0, 5, 0, 0, 0, 0, 0}));
  EXPECT_EQ(S.Classes[0].Deltas, (std::vector<std::optional<int64_t>>{5, 5, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(S.Classes[0].Rows, 298u * 298u);
  EXPECT_EQ(S.Segments.size(), 298u + 299u);
  EXPECT_EQ(S.Segments[1], (RowSegment{0, 301, 1, 298, 0}));
}

TEST(RowMiner, FindsTheClassesOfABand) {
  const Pattern P = band(10000, 3, 2);
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  ASSERT_EQ(S.Classes.size(), 1u);
  EXPECT_EQ(S.Segments,
            (std::vector<RowSegment>{
                {RestClass, 0, 1, 3, 0}, {0, 3, 1, 9995, 0}, {RestClass, 9998, 1, 2, 0}}));
}

TEST(RowMiner, ComparesRowsOfBlocksWithTheRowOneBlockBefore) {
  for (int64_t B : {2, 3, 4, 6}) {
    const Pattern P = elements(60, 20, B);
    const RowStructure S = mine(P);
    EXPECT_EQ(mismatch(S, P, productTrace), -1);
    ASSERT_FALSE(S.Classes.empty());
    EXPECT_EQ(S.Classes[0].Step, B);
    EXPECT_GE(covered(S), static_cast<uint64_t>(58 * 20 * B));
  }
}

TEST(RowMiner, DoesSmallBlocksWithoutAPatternBlockByBlock) {
  std::mt19937 Random(1);
  const Pattern P = randomBlocks(Random, 2000, 6);
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  EXPECT_EQ(S.Classes[0].Step, 1u);
  EXPECT_GE(covered(S), static_cast<uint64_t>(P.rows() * 95 / 100));
}

TEST(RowMiner, TakesTheSmallestStepThatCoversAsMuch) {
  for (const Pattern &P : {band(6000, 1, 1), arrow(3000), grid(20, 20, 20)}) {
    const RowStructure S = mine(P);
    EXPECT_EQ(mismatch(S, P, productTrace), -1);
    ASSERT_FALSE(S.Classes.empty());
    EXPECT_EQ(S.Classes[0].Step, 1u) << P.Name;
  }
}

TEST(RowMiner, LeavesRandomRowsAlone) {
  std::mt19937 Random(1);
  const Pattern P = powerLaw(Random, 5000);
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  EXPECT_TRUE(S.Classes.empty());
  EXPECT_EQ(S.Segments, (std::vector<RowSegment>{{RestClass, 0, 1, 5000, 0}}));
}

TEST(RowMiner, KnowsThatRandomRowsAreOfEqualLength) {
  std::mt19937 Random(1);
  Pattern P;
  P.Columns = 5000;
  for (int64_t Row = 0; Row < 5000; ++Row) {
    for (int64_t K = 0; K < (Row % 1000 < 100 ? Row % 7 : 8); ++K)
      P.add(static_cast<int64_t>(Random() % 5000));
    P.endRow();
  }
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  ASSERT_EQ(S.Classes.size(), 1u);
  EXPECT_EQ(S.Classes[0].Deltas[0], 8);
  EXPECT_EQ(S.Classes[0].Deltas[1], 8);
  EXPECT_EQ(S.Classes[0].Deltas[3], std::nullopt);
  EXPECT_GE(S.Classes[0].Rows, 4500u);
}

TEST(RowMiner, UsesLoadedClassesOnlyBesideThePatternOfOthers) {
  std::mt19937 Random(1);
  Pattern P = band(3000, 1, 1);
  for (int64_t Row = 0; Row < 3000; ++Row) {
    for (int64_t K = 0; K < 3; ++K)
      P.add(static_cast<int64_t>(Random() % 3000));
    P.endRow();
  }
  const RowStructure S = mine(P);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  EXPECT_EQ(covered(S), 2998u);
  EXPECT_EQ(covered(S, true), 3000u);
}

TEST(RowMiner, SharesClassesBetweenMatrices) {
  const RowStructure Found = feed(RowMiner::discover(), grid(100, 100), productTrace);
  const Pattern Other = grid(77, 33);
  const RowStructure S = feed(RowMiner::assign(Found.Classes), Other, productTrace);
  EXPECT_EQ(mismatch(S, Other, productTrace), -1);
  EXPECT_EQ(covered(S), 75u * 33u); // the first and last lines, too
}

TEST(RowMiner, GivesUpBeyondItsMemory) {
  const Pattern P = grid(300, 300);
  RowMinerOptions Options;
  const RowStructure Found = feed(RowMiner::discover(), P, productTrace);
  Options.MaxBytes = 20000;
  const RowStructure S = feed(RowMiner::assign(Found.Classes, Options), P, productTrace);
  EXPECT_TRUE(S.GivenUp);
  EXPECT_TRUE(S.Segments.empty());
  EXPECT_TRUE(S.Classes.empty());
  EXPECT_EQ(S.Rows, P.rows());
}

TEST(RowMiner, KeepsToTheLimitsOfCode) {
  std::mt19937 Random(1);
  Pattern P;
  P.Columns = 100000;
  for (int64_t Class = 1; Class < 200; ++Class)
    for (int64_t Row = 0; Row < 100; ++Row) {
      for (int64_t K = 0; K < Class; ++K)
        P.add(Row + 3 * K);
      P.endRow();
    }
  RowMinerOptions Options;
  Options.Costs.LeastShare = 0;
  RowStructure S = mine(P, productTrace, Options);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  size_t Operations = 0;
  for (const RowClass &Class : S.Classes)
    Operations += numValues(Class.Kinds.data(), Class.entries());
  EXPECT_LE(Operations, 4096u);
  EXPECT_GE(Operations, 3000u);
  EXPECT_LE(S.Classes.size(), 40u);
  Options.MaxEntries = 20;
  S = mine(P, productTrace, Options);
  EXPECT_EQ(mismatch(S, P, productTrace), -1);
  EXPECT_EQ(S.Classes.size(), 17u);
}

TEST(RowMiner, TakesNoRowsAndEmptyTraces) {
  RowStructure S = RowMiner::assign({}).finish();
  EXPECT_TRUE(S.Segments.empty());
  EXPECT_EQ(RowMiner::discover().finish().Rows, 0);
  Pattern P;
  for (int Row = 0; Row < 100; ++Row)
    P.endRow();
  S = mine(P, [](const Pattern &, int64_t) { return Trace{}; });
  EXPECT_EQ(S.Segments, (std::vector<RowSegment>{{RestClass, 0, 1, 100, 0}}));
}

TEST(RowMiner, GivesBackTheTracesOfRandomStructures) {
  uint64_t Covered = 0, Loaded = 0, Strided = 0;
  for (unsigned Seed = 1; Seed <= 10000; ++Seed) {
    std::mt19937 Random(Seed);
    const Pattern P = anyPattern(Random, Seed % 100 ? 300 : 5000);
    const TraceOf Of = Seed % 3 ? productTrace : branchingTrace;
    const RowStructure S = mine(P, Of);
    ASSERT_EQ(mismatch(S, P, Of), -1) << "seed " << Seed << ", " << P.Name;
    Covered += covered(S);
    Loaded += covered(S, true);
    Strided += !S.Classes.empty() && S.Classes[0].Step > 1;
  }
  EXPECT_GT(Covered, 100000u);
  EXPECT_GT(Loaded, 1000u);
  EXPECT_GT(Strided, 100u);
}

TEST(RowMiner, TakesAboutANanosecondPerEntry) {
  const Pattern P = grid(300, 300);
  const RowStructure Found = feed(RowMiner::discover(), P, productTrace);
  std::vector<Trace> Traces;
  size_t Entries = 0;
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    Traces.push_back(productTrace(P, Row));
    Entries += Traces.back().Entries.size();
  }
  double Best = 1e9;
  for (int Round = 0; Round < 20; ++Round) {
    const auto Begin = std::chrono::steady_clock::now();
    RowMiner Miner = RowMiner::assign(Found.Classes);
    for (const Trace &T : Traces)
      Miner.row(T.Kinds.data(), T.Entries.data(), T.Entries.size());
    const RowStructure S = Miner.finish();
    Best = std::min(
        Best,
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - Begin).count());
    ASSERT_EQ(S.Segments.size(), 597u);
  }
  const double PerEntry = Best / static_cast<double>(Entries);
  RecordProperty("ns_per_entry", std::to_string(PerEntry));
  EXPECT_LT(PerEntry, 50); // far more than on any machine, even with sanitizers
}

} // namespace
