//===- tests/structure/levels/schedule_test.cpp - orders of dependent rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/row_nearness.h"
#include "structure/levels/row_schedule.h"

#include "tests/structure/patterns.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace specrt;
using namespace specrt_test;

namespace {

struct Access : RowAccess {
  Access(uint64_t Address, uint32_t Bytes, bool IsWrite, uint32_t Space = 0)
      : RowAccess{Address, Bytes, 2 * Space + IsWrite} {}
};
using Program = std::vector<std::vector<RowAccess>>; // by row

RowDependences dependencesOf(const Program &P) {
  RowDependences Found;
  for (const std::vector<RowAccess> &Row : P)
    Found.row(Row);
  Found.finish();
  return Found;
}

/// Each row reads the numbers of its columns and writes its own.
Program sweep(const Pattern &P, uint32_t Bytes = 8) {
  Program Result;
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    std::vector<RowAccess> &Mine = Result.emplace_back();
    for (int64_t K = P.Start[Row]; K < P.Start[Row + 1]; ++K)
      Mine.push_back(Access(4096 + Bytes * static_cast<uint64_t>(P.Column[K]), Bytes, false));
    Mine.push_back(Access(4096 + Bytes * static_cast<uint64_t>(Row), Bytes, true));
  }
  return Result;
}

bool conflicts(const std::vector<RowAccess> &A, const std::vector<RowAccess> &B) {
  for (const RowAccess &X : A)
    for (const RowAccess &Y : B)
      if ((isWrite(X) || isWrite(Y)) && X.address < Y.address + Y.bytes &&
          Y.address < X.address + X.bytes)
        return true;
  return false;
}

std::vector<uint16_t> kinds(const Pattern &P) {
  std::vector<uint16_t> Result;
  for (int64_t Row = 0; Row < P.rows(); ++Row)
    Result.push_back(static_cast<uint16_t>(P.Start[Row + 1] - P.Start[Row]));
  return Result;
}

/// Rows whose columns are those of the row before, one further on.
std::vector<RowsOfRun> runs(const Pattern &P) {
  std::vector<RowsOfRun> Result;
  const auto Follows = [&](int64_t Row) {
    const int64_t Mine = P.Start[Row], Count = P.Start[Row + 1] - Mine;
    if (P.Start[Row] - P.Start[Row - 1] != Count)
      return false;
    for (int64_t K = 0; K < Count; ++K)
      if (P.Column[Mine + K] != P.Column[P.Start[Row - 1] + K] + 1)
        return false;
    return true;
  };
  for (int64_t Row = 1; Row < P.rows(); ++Row) {
    if (!Follows(Row))
      continue;
    const auto At = static_cast<uint32_t>(Row);
    if (Result.empty() || Result.back().First + Result.back().Count != At)
      Result.push_back({At - 1, 1, static_cast<uint32_t>(P.Start[Row + 1] - P.Start[Row]), 0});
    ++Result.back().Count;
  }
  return Result;
}

/// Rows whose columns are as far from them have the same number; those of which there are few none.
std::vector<uint16_t> groups(const Pattern &P, size_t Least = 20) {
  std::map<std::vector<int64_t>, std::vector<size_t>> RowsOf;
  for (int64_t Row = 0; Row < P.rows(); ++Row) {
    std::vector<int64_t> Far;
    for (int64_t K = P.Start[Row]; K < P.Start[Row + 1]; ++K)
      Far.push_back(P.Column[K] - Row);
    RowsOf[Far].push_back(static_cast<size_t>(Row));
  }
  std::vector<uint16_t> Result(static_cast<size_t>(P.rows()), RowGroups::None);
  uint16_t Number = 0;
  for (const auto &[Far, Some] : RowsOf) {
    if (Some.size() < Least)
      continue;
    for (size_t Row : Some)
      Result[Row] = Number;
    ++Number;
  }
  return Result;
}

/// Rows of one group do not wait for each other and are alike, and nobody begins within one.
void expectGroups(const RowSchedule &S, const Program &P, std::span<const uint16_t> GroupOf) {
  uint32_t End = 0;
  for (uint32_t At : S.Groups) {
    ASSERT_GE(At, std::exchange(End, At + RowGroups::Rows));
    ASSERT_LE(End, S.Order.size());
    for (uint32_t I = 0; I < RowGroups::Rows; ++I) {
      ASSERT_NE(GroupOf[S.Order[At + I]], RowGroups::None);
      ASSERT_EQ(GroupOf[S.Order[At + I]], GroupOf[S.Order[At]]);
      for (uint32_t J = 0; J < I; ++J)
        ASSERT_FALSE(conflicts(P[S.Order[At + I]], P[S.Order[At + J]]));
    }
    for (const RowSchedule::Chunk &C : S.Chunks)
      ASSERT_TRUE(C.FirstRow <= At || C.FirstRow >= End);
  }
}

/// Rows of one step do not wait for each other, and nobody begins within a step.
void expectSteps(const RowSchedule &S, const Program &P) {
  for (const RowSchedule::Wavefront &B : S.Wavefronts) {
    for (uint32_t At = B.FirstPlace; At < B.endPlace(); At += SkewedWavefront::Lanes)
      for (uint32_t I = 1; I < SkewedWavefront::Lanes; ++I)
        for (uint32_t J = 0; J < I; ++J)
          ASSERT_FALSE(conflicts(P[S.Order[At + I]], P[S.Order[At + J]]));
    for (const RowSchedule::Chunk &C : S.Chunks)
      if (C.FirstRow > B.FirstPlace && C.FirstRow < B.endPlace())
        ASSERT_EQ((C.FirstRow - B.FirstPlace) % SkewedWavefront::Lanes, 0U);
  }
}

/// Rows in the order in which threads do them that are stopped and go on at random.
std::vector<uint32_t> someExecution(const RowSchedule &S, unsigned Threads, std::mt19937 &Random) {
  struct Thread {
    size_t Strip = 0, Chunk = 0, End = 0;
  };
  std::vector<Thread> All(Threads);
  std::vector<uint32_t> Counters(S.NumCounters), Done;
  size_t NextStrip = 0, Stopped = 0;
  while (Done.size() < S.Order.size()) {
    if (++Stopped > 1000 * Threads)
      return {}; // they wait for each other
    Thread &T = All[Random() % Threads];
    if (T.Chunk == T.End) {
      if (NextStrip + 1 == S.Strips.size())
        continue;
      T = {NextStrip, S.Strips[NextStrip].FirstChunk, S.Strips[NextStrip + 1].FirstChunk};
      ++NextStrip;
    }
    bool Waits = false;
    for (uint32_t W = S.Chunks[T.Chunk].FirstWait; W < S.Chunks[T.Chunk + 1].FirstWait; ++W)
      Waits |= Counters[S.Waits[W].Counter] < S.Waits[W].Least;
    if (Waits)
      continue;
    for (uint32_t I = S.Chunks[T.Chunk].FirstRow; I < S.Chunks[T.Chunk + 1].FirstRow; ++I)
      Done.push_back(S.Order[I]);
    ++Counters[S.Strips[T.Strip].Counter];
    ++T.Chunk;
    Stopped = 0;
  }
  return Done;
}

void expectOrder(std::span<const uint32_t> Order, const Program &P) {
  ASSERT_EQ(Order.size(), P.size());
  ASSERT_EQ(std::set(Order.begin(), Order.end()).size(), P.size());
  std::vector<size_t> Place(P.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Place[Order[I]] = I;
  for (size_t I = 0; I < P.size(); ++I)
    for (size_t J = I + 1; J < P.size(); ++J)
      if (Place[I] > Place[J])
        ASSERT_FALSE(conflicts(P[I], P[J])) << I << " and " << J;
}

TEST(RowDependences, AreFlowAntiAndOutput) {
  RowDependences Found;
  const auto Row = [&](std::vector<Access> All) {
    Found.row(std::vector<RowAccess>(All.begin(), All.end()));
    const RowDependences Now = Found.soFar();
    const auto Before = Now.before(Now.rows() - 1);
    return std::vector<uint32_t>(Before.begin(), Before.end());
  };
  using Rows = std::vector<uint32_t>;
  EXPECT_EQ(Row({{80, 8, true}}), Rows{});
  EXPECT_EQ(Row({{80, 8, false}, {160, 8, false}}), Rows{0});
  EXPECT_EQ(Row({{80, 8, false}, {80, 8, false}, {88, 8, true}}), Rows{0});
  EXPECT_EQ(Row({{80, 8, true}, {80, 8, false}}), (Rows{0, 1, 2}));
  EXPECT_EQ(Row({{160, 8, true}}), Rows{1});
  EXPECT_EQ(Row({{80, 8, true}}), Rows{3}); // and so all that 3 comes after
  EXPECT_EQ(Row({{84, 8, false}}), (Rows{2, 5}));
  EXPECT_EQ(Row({}), Rows{});
  EXPECT_EQ(Row({{80, 8, false, 1}}), Rows{}); // elsewhere
}

/// \p P, and a read elsewhere by row \p Other.
RowDependences dependencesBut(const Program &P, size_t Other) {
  RowDependences Found;
  for (size_t Row = 0; Row < P.size(); ++Row) {
    std::vector<RowAccess> Mine = P[Row];
    if (Row == Other)
      Mine.push_back(Access(0, 8, false, 1));
    Found.row(Mine);
  }
  Found.finish();
  return Found;
}

TEST(RowDependences, AreTheSameWhereEachRowHasAPlaceOfItsOwn) {
  size_t Dependences = 0;
  for (unsigned Seed = 1; Seed <= 300; ++Seed) {
    SCOPED_TRACE(Seed);
    std::mt19937 Random(Seed);
    const Pattern P =
        Seed % 4 ? anyPattern(Random, 200) : grid(3 + Random() % 9, 8, 1 + Random() % 3);
    Program Of = sweep(P, Seed % 3 ? 8 : 4);
    if (Seed % 5 == 0)
      std::reverse(Of.begin(), Of.end());
    if (Seed % 7 == 0)
      for (std::vector<RowAccess> &Row : Of) // at odds with the first row, and behind the last one
        Row.push_back(Access(Row.back().address - 16, Row.back().bytes, false));
    if (Seed % 11 == 0 && Of.size() > 2) // nobody's place any more
      Of[Random() % Of.size()].push_back(Access(Of[1].back().address, 1, true));
    const RowDependences Fast = dependencesBut(Of, SIZE_MAX);
    for (const size_t Other : {size_t{0}, Of.size() / 2, Of.size() - 1}) {
      const RowDependences Slow = dependencesBut(Of, Other);
      ASSERT_EQ(Fast.rows(), Slow.rows());
      ASSERT_EQ(Fast.dependences(), Slow.dependences());
      for (uint32_t Row = 0; Row < Fast.rows(); ++Row) {
        const auto A = Fast.before(Row), B = Slow.before(Row);
        ASSERT_TRUE(std::equal(A.begin(), A.end(), B.begin(), B.end())) << Row;
      }
    }
    Dependences += Fast.dependences();
  }
  EXPECT_GT(Dependences, 50000U);
}

TEST(RowDependences, SayThatReadersAreLacking) {
  RowDependences Found(SIZE_MAX, /*KeepsReaders=*/false);
  const auto Row = [&](std::vector<Access> All) {
    Found.row(std::vector<RowAccess>(All.begin(), All.end()));
    if (Found.givenUp())
      return std::vector<uint32_t>{UINT32_MAX};
    const RowDependences Now = Found.soFar();
    const auto Before = Now.before(Now.rows() - 1);
    return std::vector<uint32_t>(Before.begin(), Before.end());
  };
  using Rows = std::vector<uint32_t>;
  EXPECT_EQ(Row({{80, 8, false}, {88, 8, true}}), Rows{});
  EXPECT_EQ(Row({{80, 8, true}, {80, 8, false}, {88, 8, false}}), Rows{0}); // one has read it
  EXPECT_EQ(Row({{80, 8, false}, {88, 8, false}}), (Rows{0, 1}));
  EXPECT_EQ(Row({{80, 8, false}}), Rows{1}); // more of them do not matter yet
  EXPECT_FALSE(Found.lacksReaders());
  EXPECT_EQ(Row({{88, 8, true}}), Rows{UINT32_MAX});
  EXPECT_TRUE(Found.givenUp() && Found.lacksReaders());
  EXPECT_EQ(Found.rows(), 0U);
}

TEST(RowDependences, GiveUpBeyondTheirMemory) {
  RowDependences Small(1000), Far(1 << 20);
  for (RowDependences *D : {&Small, &Far}) {
    D->row(std::vector<RowAccess>{Access(0, 8, true), Access(uint64_t{1} << 60, 8, true)});
    EXPECT_TRUE(D->givenUp());
    EXPECT_EQ(D->rows(), 0U);
  }
}

TEST(RowSchedule, OfAGridKeepsSomeLinesTogether) {
  constexpr uint32_t N = 300;
  const Pattern P = lower(grid(N, N));
  const RowSchedule S = scheduleRows(dependencesOf(sweep(P)), kinds(P), {.Threads = 4});
  EXPECT_EQ(S.Levels, 2 * N - 1);
  EXPECT_EQ(S.Merged, (N * N + 2047) / 2048);
  EXPECT_GT(S.Width, 4);
  EXPECT_LT(S.Width, 8);
  EXPECT_GT(S.Speedup, 3);
  for (const RowSchedule::Wait &W : S.Waits)
    EXPECT_LT(W.Counter, S.NumCounters);
}

TEST(RowSchedule, HasSkewedWavefrontsOfAGrid) {
  constexpr int64_t N = 120;
  for (const Pattern &P : {lower(grid(N, N)), grid(N, N), lower(grid(60, 20, 12))}) {
    const Program Of = sweep(P);
    const RowSchedule S = scheduleRows(dependencesOf(Of), kinds(P), {.Threads = 1}, runs(P));
    uint64_t InLanes = 0;
    for (const RowSchedule::Wavefront &B : S.Wavefronts)
      InLanes += uint64_t{B.Steps} * SkewedWavefront::Lanes;
    EXPECT_GT(InLanes, static_cast<uint64_t>(P.rows() / 2));
    expectSteps(S, Of);
  }
}

TEST(RowSchedule, HasRowsOfShortLinesInGroups) {
  // No line is long enough for a skewed wavefront. Inside are 1,728 and 3,136 rows.
  for (const auto &[P, Inside] :
       {std::pair(lower(grid(14, 14, 14)), 1728U), std::pair(grid(16, 16, 18), 3136U)}) {
    const Program Of = sweep(P);
    const std::vector<uint16_t> GroupOf = groups(P);
    const RowSchedule S =
        scheduleRows(dependencesOf(Of), kinds(P), {.Threads = 1}, runs(P), GroupOf);
    EXPECT_TRUE(S.Wavefronts.empty());
    EXPECT_GT(S.Groups.size() * RowGroups::Rows, Inside - Inside / 16);
    expectGroups(S, Of, GroupOf);
    expectOrder(S.Order, Of);
    const std::vector<uint16_t> KindOf = kinds(P);
    const uint16_t Longest = *std::max_element(KindOf.begin(), KindOf.end());
    // Those inside that are in one group are near each other in the program.
    for (uint32_t At : S.Groups) {
      if (KindOf[S.Order[At]] != Longest)
        continue;
      const auto [Least, Most] = std::minmax_element(&S.Order[At], &S.Order[At] + RowGroups::Rows);
      EXPECT_LT(*Most - *Least, 2U * 16 * 16);
    }
  }
}

TEST(RowSchedule, PrefersWavefrontsWhereLinesAreLong) {
  const Pattern P = grid(120, 120);
  const std::vector<uint16_t> GroupOf = groups(P);
  const RowSchedule S =
      scheduleRows(dependencesOf(sweep(P)), kinds(P), {.Threads = 1}, runs(P), GroupOf);
  EXPECT_FALSE(S.Wavefronts.empty());
  EXPECT_TRUE(S.Groups.empty());
}

TEST(RowSchedule, HasNoWavefrontsOfLinesThatWaitForWholeLines) {
  // Each line reads the last of the line before.
  Pattern P;
  for (int64_t Row = 0; Row < 3000; ++Row) {
    if (Row >= 30)
      P.add(Row / 30 * 30 - 1);
    P.endRow();
  }
  std::vector<RowsOfRun> Lines;
  for (uint32_t Line = 0; Line < 100; ++Line)
    Lines.push_back({30 * Line, 30, 1, 0});
  const RowSchedule S = scheduleRows(dependencesOf(sweep(P)), kinds(P), {.Threads = 1}, Lines);
  EXPECT_TRUE(S.Wavefronts.empty());
}

TEST(RowSchedule, OfAChainSaysThatItIsOne) {
  const Pattern P = band(5000, 1, 0);
  const RowSchedule S = scheduleRows(dependencesOf(sweep(P)), kinds(P), {.Threads = 4});
  EXPECT_EQ(S.Levels, 5000U);
  EXPECT_LE(S.Width, 1);
  EXPECT_LE(S.Speedup, 1);
}

TEST(RowSchedule, SharesLevelsWhereRowsWaitForRowsFarAway) {
  // Rows of four colours, each of which reads those of the one before.
  Pattern P;
  std::mt19937 Random(1);
  constexpr int64_t OfColour = 20000;
  for (int64_t Row = 0; Row < 4 * OfColour; ++Row) {
    for (int K = 0; K < 3 && Row >= OfColour; ++K)
      P.add(Row / OfColour * OfColour - 1 - static_cast<int64_t>(Random() % OfColour));
    P.endRow();
  }
  const RowSchedule S = scheduleRows(dependencesOf(sweep(P)), kinds(P), {.Threads = 4});
  EXPECT_EQ(S.Levels, 4U);
  EXPECT_GT(S.Speedup, 3);
}

TEST(RowSchedule, IsRightWhateverThreadsDo) {
  double Width = 0;
  size_t NumStrips = 0, NumSteps = 0, NumWavefronts = 0, NumGroups = 0;
  for (unsigned Seed = 1; Seed <= 600; ++Seed) {
    SCOPED_TRACE(Seed);
    std::mt19937 Random(Seed);
    Pattern P = anyPattern(Random, Seed % 50 ? 300 : 2000);
    if (Seed % 7 == 0)
      P = grid(24 + Random() % 40, 9 + Random() % 12, 1 + Random() % 2);
    if (Seed % 2)
      P = lower(P);
    Program Of = sweep(P, Seed % 3 ? 8 : 4);
    if (Seed % 5 == 0)
      std::reverse(Of.begin(), Of.end());
    const unsigned Threads = 1 + Seed % 4;
    const std::vector<uint16_t> GroupOf = Seed % 4 < 2 ? groups(P, 8) : std::vector<uint16_t>();
    const RowSchedule S = scheduleRows(
        dependencesOf(Of), kinds(P),
        {.Threads = Threads, .ChunkRows = 1 + Seed % 16, .MeetingCost = 0.1}, runs(P), GroupOf);
    NumWavefronts += S.Wavefronts.size();
    NumGroups += S.Groups.size();
    ASSERT_NO_FATAL_FAILURE(expectGroups(S, Of, GroupOf));
    ASSERT_NO_FATAL_FAILURE(expectSteps(S, Of));
    ASSERT_NO_FATAL_FAILURE(expectOrder(S.Order, Of));
    ASSERT_NO_FATAL_FAILURE(expectOrder(someExecution(S, Threads, Random), Of));
    Width += S.Width;
    (S.NumCounters == S.Strips.size() - 1 ? NumStrips : NumSteps) += 1;
  }
  EXPECT_GT(Width, 1000);
  EXPECT_GT(NumStrips, 100U);
  EXPECT_GT(NumSteps, 10U);
  EXPECT_GT(NumWavefronts, 30U);
  EXPECT_GT(NumGroups, 300U);
}

TEST(RowNearness, TellsWhatProcessorsDoByThemselves) {
  std::mt19937 Random(1);
  for (const Pattern &P : {grid(60, 60), grid(2000, 4), grid(16, 16, 16), band(3000, 5, 5)}) {
    const RowNearness Near = nearnessOf(dependencesOf(sweep(lower(P))));
    EXPECT_GT(Near.Levels, 7);
    EXPECT_LT(Near.ScatteredShare, 0.1);
    const RowNearness Mixed = nearnessOf(dependencesOf(sweep(lower(permuted(Random, P)))));
    EXPECT_LT(Mixed.Levels, 1.5);
    EXPECT_GT(Mixed.ScatteredShare, 0.7);
  }
  EXPECT_EQ(nearnessOf(RowDependences()).Levels, 0);
}

} // namespace
