//===- tests/jit/rows/hoisted_pointers_test.cpp - matrices that are structures ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/structures.h"

#include <list>

extern "C" {
void rounded_product(int, const compressed *, const double *, unsigned char *);
void redirected(int, const compressed *, int **, int *const *, const int *, const double *,
                double *);
void pointed_levels(int, const level *);
}

using namespace specrt;

namespace {

/// Pointers to arrays are read in each row, and rows may write between them, or over them.
TEST(HoistedPointers, AreApartFromWhatIsWritten) {
  Random Engine(3);
  Sparse<int, int, double> A(bandPattern(60, 1), 1, Engine);
  for (size_t K = 0; K < A.Val.size(); ++K)
    A.Val[K] = double(K % 9);
  std::fill(A.X.begin(), A.X.end(), 2);
  const compressed Pointers{A.Ptr.data(), {}, A.Col.data(), A.Val.data()};
  compressed Structure = Pointers;
  std::vector<unsigned char> Apart(60);
  const RowVersions Versions("rounded_product", [&](void *Body) {
    reinterpret_cast<decltype(&rounded_product)>(Body)(60, &Structure, A.X.data(), Apart.data());
  });
  ASSERT_EQ(Versions.all().size(), 2U);
  const auto Call = [&](decltype(&rounded_product) F, unsigned char *Result) {
    Structure = Pointers;
    F(60, &Structure, A.X.data(), Result);
    return std::vector<unsigned char>(Result, Result + 60);
  };
  const std::vector<unsigned char> Expected = Call(rounded_product, Apart.data());
  auto *Between = reinterpret_cast<unsigned char *>(Structure.Room);
  // The last row comes to the first byte of a pointer, when it has used it.
  auto *Over = reinterpret_cast<unsigned char *>(&Structure.Col) - 59;
  for (const RowVersion &V : Versions.all()) {
    auto *Body = reinterpret_cast<decltype(&rounded_product)>(V.Body);
    EXPECT_EQ(Call(Body, Apart.data()), Expected);
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    EXPECT_EQ(Call(Body, Between), Expected);
    EXPECT_EQ(V.figures().Calls, 2U);
    EXPECT_EQ(Call(Body, Over), Expected);
    EXPECT_EQ(V.figures().Calls, 2U);
  }
}

/// The inspector must not follow the pointer that was there before the loop.
TEST(HoistedPointers, ThatTheLoopOverwrites) {
  Random Engine(3);
  Sparse<int, int, double> A(bandPattern(60, 1), 1, Engine);
  std::fill(A.X.begin(), A.X.end(), 2);
  compressed Structure{A.Ptr.data(), {}, A.Col.data(), A.Val.data()};
  const std::vector<int *> Rows(60, A.Col.data());
  int *Elsewhere = nullptr;
  const auto Call = [&](decltype(&redirected) F, int **Slot) {
    F(60, &Structure, Slot, Rows.data(), A.Ptr.data(), A.X.data(), A.Y.data());
    return A.Y;
  };
  const RowVersions Versions("redirected", [&](void *Body) {
    Call(reinterpret_cast<decltype(&redirected)>(Body), &Elsewhere);
  });
  ASSERT_EQ(Versions.all().size(), 2U);
  const std::vector<double> Expected = Call(redirected, &Elsewhere);
  for (const RowVersion &V : Versions.all()) {
    auto *Body = reinterpret_cast<decltype(&redirected)>(V.Body);
    EXPECT_TRUE(same(Call(Body, &Elsewhere), Expected));
    Structure.Col = nullptr;
    V.begin();
    EXPECT_TRUE(same(Call(Body, &Structure.Col), Expected));
    EXPECT_EQ(V.figures().Calls, 0U);
    EXPECT_EQ(Structure.Col, A.Col.data());
  }
}

/// The rows are those of the matrices, and not the levels of the hierarchy that has them.
TEST(HoistedPointers, ThatLeadToOneMatrixAfterTheOther) {
  Random Engine(3);
  std::list<Sparse<int, int, double>> Matrices;
  std::vector<level> Levels;
  for (const int Side : {40, 20, 10}) {
    auto &A = Matrices.emplace_back(gridPattern(Side, Side), 1, Engine);
    Levels.push_back(
        {Side * Side, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data()});
  }
  const auto Call = [&](decltype(&pointed_levels) F) {
    F(int(Levels.size()), Levels.data());
    std::vector<double> All;
    for (auto &A : Matrices) {
      All.insert(All.end(), A.Y.begin(), A.Y.end());
      std::fill(A.Y.begin(), A.Y.end(), 0.0);
    }
    return All;
  };
  const std::vector<double> Expected = Call(pointed_levels);
  const RowVersions Versions(
      "pointed_levels",
      [&](void *Body) { Call(reinterpret_cast<decltype(&pointed_levels)>(Body)); },
      SPECRT_POINTER_KERNELS);
  EXPECT_EQ(Versions.rowLoops(), 1U);
  ASSERT_EQ(Versions.all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions.all()) {
    for (int Times = 1; Times <= 3; ++Times) {
      EXPECT_TRUE(same(Call(reinterpret_cast<decltype(&pointed_levels)>(V.Body)), Expected));
      EXPECT_EQ(V.figures().Calls, 3U * Times) << V.figures().Problem;
    }
    EXPECT_GT(V.figures().RowsInClasses, 50U) << "of the last, smallest one";
  }
}

} // namespace
