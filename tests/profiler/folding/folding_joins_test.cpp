//===- tests/profiler/folding/folding_joins_test.cpp - windows, threads and executions joined ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/folding/streams.h"

#include <gmock/gmock.h>
#include <random>
#include <thread>

namespace specrt {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Rows First to Last - 1 of a triangle.
Stream triangle(int64_t First, int64_t Last) {
  Stream S{2, 1, {}};
  for (int64_t I = First; I < Last; ++I)
    for (int64_t J = 0; J <= I; ++J)
      S.add({I, J}, {100 * I + 8 * J});
  return S;
}

TEST(FoldingJoins, WindowsThatTouch) {
  Folding F = triangle(0, 10).fold();
  F.joinWindow(triangle(20, 30).fold());
  EXPECT_THAT(F.Pieces, SizeIs(2));
  F.joinWindow(triangle(10, 20).fold());
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 29, 0 <= c1 <= c0: 100c0 + 8c1 + 0"));
  EXPECT_TRUE(F.Pieces[0].ExactDomain);
  EXPECT_EQ(mismatch(triangle(0, 30), F), "");
}

TEST(FoldingJoins, WindowsWithAGap) {
  Folding F = triangle(0, 3).fold();
  F.joinWindow(triangle(50, 53).fold(), Gaps::Bridge);
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 52, 0 <= c1 <= c0: 100c0 + 8c1 + 0"));
  EXPECT_FALSE(F.Pieces[0].ExactDomain);
  EXPECT_EQ(F.Pieces[0].Points, triangle(0, 3).Points.size() + triangle(50, 53).Points.size());
}

// Where a window has one row only, a third has to confirm what two suggest.
TEST(FoldingJoins, WindowsOfOneRow) {
  Folding F = triangle(3, 4).fold();
  F.joinWindow(triangle(50, 51).fold(), Gaps::Bridge);
  EXPECT_THAT(F.Pieces, SizeIs(2));
  F.joinWindow(triangle(71, 72).fold(), Gaps::Bridge);
  EXPECT_THAT(texts(F), ElementsAre("3 <= c0 <= 71, 0 <= c1 <= c0: 100c0 + 8c1 + 0"));
  EXPECT_FALSE(F.Pieces[0].ExactDomain);
}

TEST(FoldingJoins, WindowsThatDisagree) {
  Folding F = triangle(0, 3).fold();
  Stream Other = triangle(50, 53);
  for (auto &[Point, Label] : Other.Points)
    Label[0] += 4;
  F.joinWindow(Other.fold(), Gaps::Bridge);
  EXPECT_THAT(F.Pieces, SizeIs(2));
}

TEST(FoldingJoins, ColumnsOfWindows) {
  auto Columns = [](int64_t First, int64_t Last) {
    Stream S{2, 1, {}};
    for (int64_t I = 0; I < 10; ++I)
      for (int64_t J = First; J < Last; ++J)
        S.add({I, J}, {50 * I + J});
    return S.fold();
  };
  Folding F = Columns(0, 4);
  F.joinWindow(Columns(4, 9));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 9, 0 <= c1 <= 8: 50c0 + 1c1 + 0"));
}

TEST(FoldingJoins, WindowsWithTops) {
  auto Rows = [](int64_t First, int64_t Last, int64_t Seed) {
    Stream S{2, 1, {}};
    for (int64_t I = First; I < Last; ++I)
      for (int64_t J = 0; J < 20; ++J)
        S.add({I, J}, {8 * I + (J * J + Seed) % 13});
    return S.fold({.Widen = Widening::Always});
  };
  Folding F = Rows(0, 5, 0);
  F.joinWindow(Rows(5, 9, 0));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 8, 0 <= c1 <= 19: 8c0 + Tc1 + 0"));
  F.joinWindow(Rows(9, 12, 1)); // other residuals
  EXPECT_THAT(F.Pieces, SizeIs(2));
}

TEST(FoldingJoins, ThreadsFoldSlices) {
  constexpr int64_t Threads = 4, Rows = 400;
  std::vector<Folding> Parts(Threads);
  std::vector<std::thread> Running;
  for (int64_t T = 0; T < Threads; ++T)
    Running.emplace_back([&Parts, T] {
      Parts[size_t(T)] = triangle(T * Rows / Threads, (T + 1) * Rows / Threads).fold();
    });
  for (std::thread &T : Running)
    T.join();
  Folding F = Parts[0];
  for (size_t T = Threads; --T > 0;)
    F.joinWindow(Parts[T]);
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 399, 0 <= c1 <= c0: 100c0 + 8c1 + 0"));
  EXPECT_EQ(F.Points, triangle(0, Rows).Points.size());
}

/// Points and labels 1000 * I + Step * J + Base.
Folding execution(int64_t Rows, int64_t Columns, int64_t Step, int64_t Base) {
  Stream S{2, 1, {}};
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t J = 0; J < Columns; ++J)
      S.add({I, J}, {1000 * I + Step * J + Base});
  return S.fold();
}

TEST(FoldingJoins, EqualExecutionsAreCounted) {
  Folding F = execution(4, 5, 8, 0);
  F.joinExecution(execution(4, 5, 8, 0));
  F.joinExecution(execution(4, 5, 8, 0));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 3, 0 <= c1 <= 4: 1000c0 + 8c1 + 0"));
  EXPECT_EQ(F.Pieces[0].Executions, 3u);
  EXPECT_EQ(F.Points, 60u);
}

TEST(FoldingJoins, ExecutionsAtOtherPlaces) {
  Folding F = execution(4, 5, 8, 0);
  F.joinExecution(execution(4, 5, 8, 640));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 3, 0 <= c1 <= 4: 1000c0 + 8c1 + T"));
  F.joinExecution(execution(4, 5, 16, 640));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 3, 0 <= c1 <= 4: 1000c0 + Tc1 + T"));
  EXPECT_TRUE(F.Pieces[0].ExactDomain);
}

TEST(FoldingJoins, ExecutionsOfOtherSizes) {
  Folding F = execution(4, 5, 8, 0);
  F.joinExecution(execution(9, 3, 8, 640));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 8, 0 <= c1 <= 4: 1000c0 + 8c1 + T"));
  EXPECT_FALSE(F.Pieces[0].ExactDomain);
  EXPECT_FALSE(F.GaveUp);
}

// A single iteration says nothing about a stride.
TEST(FoldingJoins, ExecutionsOfOneIteration) {
  Folding F = execution(4, 1, 0, 0);
  F.joinExecution(execution(9, 3, 8, 0));
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 8, 0 <= c1 <= 2: 1000c0 + 8c1 + T"));
}

TEST(FoldingJoins, ExecutionsThatHaveNothingInCommon) {
  Folding F = execution(4, 5, 8, 0);
  Folding Two = triangle(3, 6).fold();
  Two.joinWindow(triangle(9, 12).fold());
  F.joinExecution(Two);
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 11, 0 <= c1 <= 11: Tc0 + Tc1 + T"));
  EXPECT_TRUE(F.GaveUp);
  EXPECT_EQ(F.Points, 20 + Two.Points);
}

TEST(FoldingJoins, EmptyParts) {
  Folding F = Folder(2, 1).finish();
  F.joinExecution(execution(4, 5, 8, 0));
  F.joinExecution(Folder(2, 1).finish());
  F.joinWindow(Folder(2, 1).finish());
  EXPECT_THAT(texts(F), ElementsAre("0 <= c0 <= 3, 0 <= c1 <= 4: 1000c0 + 8c1 + 0"));
}

// Any slicing of a random stream joins to something that is true of it.
TEST(FoldingJoins, RandomSlices) {
  std::mt19937 Random(1);
  for (int Try = 0; Try < 3000; ++Try) {
    Stream S{2, 2, {}};
    const int64_t Bend = int64_t(Random() % 9), Slope = int64_t(Random() % 3);
    for (int64_t I = 0; I < 8; ++I)
      for (int64_t J = 0; J <= 3 + Slope * I; ++J)
        S.add({I, J}, {I < Bend ? 8 * J + I : 4 * J, Random() % 7 ? J : J * J});
    const Widening Widen = Widening(Random() % 3);
    std::vector<Folding> Parts;
    for (auto First = S.Points.begin(); First != S.Points.end();) {
      auto Length = std::min<ptrdiff_t>(1 + ptrdiff_t(Random() % 60), S.Points.end() - First);
      Stream Part{2, 2, {First, First + Length}};
      Parts.push_back(Part.fold({.Widen = Widen, .MaxLive = 100}));
      First += Length;
    }
    Folding F = Folder(2, 2).finish();
    std::shuffle(Parts.begin(), Parts.end(), Random);
    for (const Folding &Part : Parts)
      F.joinWindow(Part);
    ASSERT_EQ(mismatch(S, F), "") << "try " << Try;
  }
}

} // namespace
} // namespace specrt
