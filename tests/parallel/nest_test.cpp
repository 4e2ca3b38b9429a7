//===- tests/parallel/nest_test.cpp - nests that threads share in equal parts -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/loop.h"
#include "tests/parallel/test_loop.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

using namespace specrt;

namespace {

specrt_ranked_nest describe(const std::vector<LoopExtent> &Extents, uint64_t Cuts, double PointNs) {
  specrt_ranked_nest Of{Extents.size(), Cuts, /*threads=*/0, PointNs, {}};
  for (size_t I = 0; I < Extents.size(); ++I)
    Of.extents[I] = {Extents[I].Constant, {Extents[I].Factors[0], Extents[I].Factors[1]}};
  return Of;
}

/// A nest as the specializer emits it: runs end with the loops that they are in.
struct Nest {
  specrt_ranked_nest Of;
  std::vector<std::vector<std::vector<std::atomic<int>>>> Visits; ///< [x0][x1][x2]
  std::atomic<unsigned> RunsOfLevel[MaxRankedLoops] = {};
  std::mutex Lock;
  std::set<std::thread::id> Ids;

  Nest(std::vector<LoopExtent> Extents, uint64_t Cuts, double PointNs = 1e5)
      : Of(describe(Extents, Cuts, PointNs)) {
    Visits = decltype(Visits)(size_t(count(0, 0, 0)));
    for (size_t X0 = 0; X0 < Visits.size(); ++X0) {
      Visits[X0] = std::vector<std::vector<std::atomic<int>>>(size_t(count(1, long(X0), 0)));
      for (size_t X1 = 0; X1 < Visits[X0].size(); ++X1)
        Visits[X0][X1] = std::vector<std::atomic<int>>(size_t(count(2, long(X0), long(X1))));
    }
  }

  long count(unsigned Loop, long X0, long X1) const {
    return Loop < Of.loops
               ? std::max(0L, Of.extents[Loop].constant + Of.extents[Loop].factors[0] * X0 +
                                  Of.extents[Loop].factors[1] * X1)
               : 1;
  }

  void execute(unsigned Level, const int64_t *Run) {
    const auto Range = [&](unsigned Loop, long X0, long X1) -> std::pair<long, long> {
      const long Count = count(Loop, X0, X1);
      if (Loop + 1 < Level)
        return {Run[2 + Loop], std::min(Run[2 + Loop] + 1, Count)};
      return Loop + 1 == Level ? std::pair(Run[0], std::min(Run[1], Count)) : std::pair(0L, Count);
    };
    for (auto [X0, E0] = Range(0, 0, 0); X0 < E0; ++X0)
      for (auto [X1, E1] = Range(1, X0, 0); X1 < E1; ++X1)
        for (auto [X2, E2] = Range(2, X0, X1); X2 < E2; ++X2)
          ++Visits[size_t(X0)][size_t(X1)][size_t(X2)];
  }

  static void call(void *Data) {
    Nest &Self = *static_cast<Nest *>(Data);
    int64_t Run[2 + MaxRankedLoops - 1];
    while (const unsigned Level = specrt_loop_nest_next(Run)) {
      ++Self.RunsOfLevel[Level - 1];
      Self.execute(Level, Run);
      const std::lock_guard<std::mutex> Guard(Self.Lock);
      Self.Ids.insert(std::this_thread::get_id());
    }
    specrt_loop_end_nowait();
  }

  void run(unsigned Threads) {
    specrt_parallel_nest_start(call, this, Threads, &Of, /*bytes=*/0);
    call(this);
    specrt_parallel_end();
  }

  /// Returns whether each iteration was executed \p Times times.
  bool areAllVisited(int Times) const {
    for (const auto &Row : Visits)
      for (const auto &Column : Row)
        for (const std::atomic<int> &Of : Column)
          if (Of != Times)
            return false;
    return true;
  }
};

class Nests : public testing::Test {
protected:
  void SetUp() override { specrt_parallel_configure(0); }
};

TEST_F(Nests, EachIterationRunsOnce) {
  const std::vector<LoopExtent> Shapes[] = {{{6}, {1000}},
                                            {{40}, {0, {1}}},
                                            {{40}, {20, {-1}}},
                                            {{3}, {2}, {500}},
                                            {{20}, {0, {1}}, {0, {0, 1}}},
                                            {{1}, {7}}};
  for (const std::vector<LoopExtent> &Shape : Shapes)
    for (uint64_t Cuts = 1; Cuts <= Shape.size(); ++Cuts) {
      Nest Of(Shape, Cuts);
      Of.run(0);
      EXPECT_TRUE(Of.areAllVisited(1)) << Cuts;
      Of.run(1);
      EXPECT_TRUE(Of.areAllVisited(2)) << Cuts;
    }
}

/// The square roots that find where a chunk begins are not those of the program.
TEST_F(Nests, TheCutsNeitherTrapNorRaiseFlags) {
  Nest Of({{40}, {0, {1}}}, 2);
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_ALL_EXCEPT);
  Of.run(0);
  const int Enabled = fegetexcept();
  fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
  EXPECT_EQ(Enabled, FE_ALL_EXCEPT);
  EXPECT_TRUE(Of.areAllVisited(1));
}

/// On one thread the nest runs in the order of the source, in one piece.
TEST_F(Nests, OneThreadRunsAllRows) {
  Nest Of({{6}, {1000}}, 2);
  Of.run(1);
  EXPECT_EQ(Of.RunsOfLevel[0], 1u);
  EXPECT_EQ(Of.RunsOfLevel[1], 0u);
}

TEST_F(Nests, FewRowsAreCut) {
  if (!specrt_test::hasTwoProcessors())
    GTEST_SKIP() << "needs two processors";
  Nest Of({{3}, {1000}}, 2);
  Of.run(2);
  EXPECT_GE(Of.RunsOfLevel[1], 2u);
  EXPECT_TRUE(Of.areAllVisited(1));
}

/// The counts of inner loops only serve to balance: a nest that has more iterations runs them all.
TEST_F(Nests, WrongCountsOfInnerLoopsChangeNothing) {
  const bool HasThreads = specrt_test::hasTwoProcessors();
  for (const LoopExtent &Wrong :
       {LoopExtent{0}, LoopExtent{1}, LoopExtent{5000}, LoopExtent{-3, {1}},
        LoopExtent{std::numeric_limits<int64_t>::max(), {std::numeric_limits<int64_t>::max()}}}) {
    Nest Of({{6}, {1000}}, 2);
    Of.Of.extents[1].constant = Wrong.Constant;
    Of.Of.extents[1].factors[0] = Wrong.Factors[0];
    Of.Of.threads = 2; // the model has decided
    const bool IsCut = SharedNest::of(Of.Of, 2).has_value();
    EXPECT_EQ(IsCut, Wrong.Constant != 0 && Wrong.Factors[0] <= 1) << Wrong.Constant;
    // The body knows what the nest has.
    struct Body {
      std::atomic<unsigned> NumParts{0};
      std::vector<std::atomic<int>> Visits = std::vector<std::atomic<int>>(6 * 1000);
      static void call(void *Data) {
        Body &Self = *static_cast<Body *>(Data);
        int64_t Run[4];
        while (const unsigned Level = specrt_loop_nest_next(Run)) {
          Self.NumParts += Level > 1;
          for (int64_t Row = Level == 1 ? Run[0] : Run[2], Last = Level == 1 ? Run[1] : Run[2] + 1;
               Row < Last; ++Row)
            for (int64_t X = Level == 1 ? 0 : Run[0],
                         End = Level == 1 ? 1000 : std::min<int64_t>(Run[1], 1000);
                 X < End; ++X)
              ++Self.Visits[size_t(Row * 1000 + X)];
        }
        specrt_loop_end_nowait();
      }
    } Own;
    specrt_parallel_nest_start(Body::call, &Own, 2, &Of.Of, 0);
    specrt_parallel_end();
    if (HasThreads && Wrong.Constant == 5000)
      EXPECT_GT(Own.NumParts, 0u);
    EXPECT_TRUE(std::all_of(Own.Visits.begin(), Own.Visits.end(), [](const auto &V) {
      return V == 1;
    })) << Wrong.Constant;
  }
}

TEST_F(Nests, NestsOfNoRowsRunNothing) {
  for (const int64_t Rows : {int64_t{0}, int64_t{-5}}) {
    Nest Of({{0}, {10}}, 2);
    Of.Of.extents[0].constant = Rows;
    Of.run(0);
    EXPECT_EQ(Of.RunsOfLevel[0] + Of.RunsOfLevel[1], 0u);
  }
}

/// Any thread may take any chunk, and chunks may begin within rows.
TEST(NestChunks, ContainEachIterationOnceForAnyNumberOfThreads) {
  const std::vector<LoopExtent> Shapes[] = {
      {{6}, {1000}}, {{90}, {0, {1}}}, {{90}, {60, {-1}}}, {{25}, {0, {1}}, {0, {0, 1}}}};
  for (const std::vector<LoopExtent> &Shape : Shapes)
    for (const unsigned Threads : {2U, 3U, 16U, 64U})
      for (uint64_t Cuts = 1; Cuts <= Shape.size(); ++Cuts) {
        Nest Of(Shape, Cuts);
        Of.Of.threads = Threads; // the model has decided
        const std::optional<SharedNest> Shared = SharedNest::of(Of.Of, Threads);
        ASSERT_TRUE(Shared);
        ParallelLoop Loop(nullptr, nullptr, 0, long(Shared->total()), 1);
        Loop.setNest(*Shared);
        Loop.setThreads(Threads);
        unsigned Thread = 0, NumWithinRows = 0;
        for (long From, To; Loop.take(Thread, From, To); Thread = (Thread * 5 + 1) % Threads) {
          NestRange Chunk = Shared->chunk(uint64_t(From), uint64_t(To));
          for (LoopRun Run = Chunk.take(); Run.Level != 0; Run = Chunk.take()) {
            const int64_t Words[] = {Run.Begin, Run.End, Run.Around[0], Run.Around[1]};
            Of.execute(Run.Level, Words);
            NumWithinRows += Run.Level > 1;
          }
        }
        EXPECT_TRUE(Of.areAllVisited(1)) << Threads << " threads, loop " << Cuts;
        EXPECT_EQ(NumWithinRows > 0, Cuts > 1);
      }
}

/// The work of the workers that always give the next chunk to the one that is free first, largest
/// over mean.
double imbalance(const std::vector<LoopExtent> &Shape, unsigned Threads) {
  const std::optional<SharedNest> Nest =
      SharedNest::of(describe(Shape, Shape.size(), /*PointNs=*/1), Threads);
  if (!Nest)
    return 1e9;
  ParallelLoop Loop(nullptr, nullptr, 0, long(Nest->total()), 1);
  Loop.setNest(*Nest);
  Loop.setThreads(Threads);
  std::vector<double> Work(Threads);
  for (long From, To;;) {
    const auto Free = std::min_element(Work.begin(), Work.end());
    if (!Loop.take(unsigned(Free - Work.begin()), From, To))
      break;
    *Free += double(To - From);
  }
  const double Mean = double(Nest->total()) / Threads;
  return *std::max_element(Work.begin(), Work.end()) / Mean;
}

TEST(NestChunks, SixteenWorkersHaveAboutTheSameWork) {
  EXPECT_LE(imbalance({{6}, {100000}}, 16), 1.03);
  EXPECT_LE(imbalance({{300}, {0, {1}}, {0, {0, 1}}}, 16), 1.03);
  EXPECT_LE(imbalance({{3}, {2}, {100000}}, 16), 1.03);
  EXPECT_LE(imbalance({{40}, {0, {20000}}}, 64), 1.03);
}

} // namespace
