//===- tests/jit/rows/groups_test.cpp - rows given by patterns, bit for bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/regular_rows.h"
#include <algorithm>

extern "C" {
void noting_starts(int, const int *, const int *, const int *, int *, double *);
void noting_sevens(int, const int *, const int *, const int *, int *, double *);
void gauss_seidel(int, const int *, const int *, const double *, const double *, double *);
void sweeps(int, const int *, const int *, const double *, const double *, double *);
void sweep_floats(int, const int *, const int *, const float *, const float *, float *);
}

using namespace specrt;

namespace {

/// All neighbours in three dimensions.
Pattern allNeighbours(int Size) {
  Pattern Rows;
  const auto Range = [&](int At) { return std::pair(std::max(At - 1, 0), std::min(At + 2, Size)); };
  for (int I = 0; I < Size * Size * Size; ++I) {
    std::vector<int> &Row = Rows.emplace_back();
    const auto [Z0, Z1] = Range(I / Size / Size);
    const auto [Y0, Y1] = Range(I / Size % Size);
    const auto [X0, X1] = Range(I % Size);
    for (int Z = Z0; Z < Z1; ++Z)
      for (int Y = Y0; Y < Y1; ++Y)
        for (int X = X0; X < X1; ++X)
          Row.push_back((Z * Size + Y) * Size + X);
  }
  return Rows;
}

/// Learns from \p From, and compares with each of \p Others, several times and changed meanwhile.
/// \p Share of the rows, in per cent, are in groups at first.
template <typename Matrix, typename Kernel>
void compareInGroups(const Kernel &K, const Pattern &From, const std::vector<Pattern> &Others,
                     unsigned Share) {
  Random Engine(5);
  Matrix A(From, 1, Engine);
  const RowVersions Versions(
      K.Name, [&](void *Body) { K.Run(reinterpret_cast<decltype(K.Original)>(Body), A); });
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all())
    for (const Pattern &P : Others) {
      SCOPED_TRACE(V.Name + ", " + std::to_string(P.size()) + " rows");
      V.begin();
      Pattern Rows = P;
      A.assign(Rows, 1, Engine);
      K.compare(V, A);
      if (V.Name == "rows") { // for threads there are too few rows
        EXPECT_GT(V.figures().Calls, 0U) << V.figures().Problem;
        EXPECT_GT(V.figures().RowsInLanes, Share * P.size() / 100);
        EXPECT_GT(V.figures().RowsInClasses, V.figures().RowsInLanes);
      }
      for (int Use = 0; Use < 12; ++Use) {
        K.change(A, Rows, Engine);
        K.compare(V, A);
      }
    }
}

#define KERNEL(Name, ...)                                                                          \
  rowKernel<__VA_ARGS__>(#Name, &Name, [](decltype(&Name) F, __VA_ARGS__ &A) {                     \
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());                 \
  })
using Doubles = Sparse<int, int, double>;
using Floats = Sparse<int, int, float>;

TEST(RowGroups, OfShortLines) {
  // Inside are 1,000 of 1,728 rows, 1,728 of 2,744 and 4,096 of 5,832.
  compareInGroups<Doubles>(KERNEL(gauss_seidel, Doubles), allNeighbours(12),
                           {allNeighbours(12), allNeighbours(14), allNeighbours(18)}, 50);
}

TEST(RowGroups, OfFloats) {
  compareInGroups<Floats>(KERNEL(sweep_floats, Floats), grid3Pattern(12, 12, 12),
                          {grid3Pattern(12, 12, 12), grid3Pattern(14, 11, 13)}, 40);
}

/// One loop begins with the last row.
TEST(RowGroups, FromBothEnds) {
  compareInGroups<Doubles>(KERNEL(sweeps, Doubles), allNeighbours(12),
                           {allNeighbours(12), allNeighbours(15)}, 50);
}

/// What one loop's rows are given another one's do not need: they share no tables.
TEST(RowGroups, OfLoopsThatStoreOtherNumbers) {
  Random Engine(5);
  Doubles A(allNeighbours(12), 1, Engine);
  std::vector<int> Length, Notes(A.Y.size());
  for (size_t I = 0; I < A.Y.size(); ++I)
    Length.push_back(A.Ptr[I + 1] - A.Ptr[I]);
  const auto Run = [&](void *Body) {
    std::fill(A.Y.begin(), A.Y.end(), 0.5);
    reinterpret_cast<decltype(&noting_starts)>(Body)(A.rows(), A.Ptr.data(), Length.data(),
                                                     A.Col.data(), Notes.data(), A.Y.data());
  };
  const RowVersions Starts("noting_starts", Run), Sevens("noting_sevens", Run);
  ASSERT_EQ(Starts.all().size(), 2U);
  ASSERT_EQ(Sevens.all().size(), 2U);
  const RowVersion &First = Starts.all()[1], &Second = Sevens.all()[1];
  EXPECT_FALSE(std::ranges::equal(First.Rows->digest, Second.Rows->digest));
  for (const auto &[V, Original] :
       {std::pair(&First, &noting_starts), std::pair(&Second, &noting_sevens)})
    for (int Call = 0; Call < 3; ++Call) {
      Run(reinterpret_cast<void *>(Original));
      const std::vector<double> Expected = A.Y;
      const std::vector<int> ExpectedNotes = Notes;
      Run(V->Body);
      EXPECT_TRUE(same(A.Y, Expected));
      EXPECT_EQ(Notes, ExpectedNotes);
      EXPECT_GT(V->figures().RowsInLanes, 800U) << V->figures().Problem;
    }
}

/// Nothing but the columns of a row is needed to tell it from those with the same number of them.
TEST(RowGroups, OfRowsThatOnlyLookAlike) {
  Random Engine(11);
  Pattern P = allNeighbours(14);
  for (int I = 0; I < 60; ++I) {
    std::vector<int> &Row = P[static_cast<size_t>(upTo(Engine, int(P.size()) - 1))];
    Row[static_cast<size_t>(upTo(Engine, int(Row.size()) - 1))] = upTo(Engine, int(P.size()) - 1);
  }
  compareInGroups<Doubles>(KERNEL(gauss_seidel, Doubles), allNeighbours(12), {P}, 30);
}

} // namespace
