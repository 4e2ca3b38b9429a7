//===- tests/jit/rows/notes_test.cpp - rows that make notes, bit for bit --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/noted_rows.h"
#include "tests/jit/rows/structures.h"

extern "C" {
void sparse_product(int, const compressed *, const compressed *, double *);
void last_met(int, const int *, const int *, const double *, int *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

constexpr int Cases = 500; // of each kernel and candidate

TEST(RowNotes, SayWhereARowHasItsColumns) { incompleteFactorisation().compareMany(Cases); }

/// A matrix, its square, and the sums of a row.
struct Square {
  explicit Square(Plain &A)
      : Factor{A.Ptr.data(), {}, A.Col.data(), A.Val.data()}, Sums(lasting(size_t(A.rows()), 0.0)) {
    static std::vector<int> Ptr, Col;
    Ptr.reserve(1 << 16);
    Col.reserve(1 << 20);
    Ptr.assign(1, 0);
    Col.clear();
    std::vector<int> Met(size_t(A.rows()), -1);
    for (int I = 0; I < A.rows(); ++I) {
      for (int K = A.Ptr[size_t(I)]; K < A.Ptr[size_t(I) + 1]; ++K) {
        const auto Other = size_t(A.Col[size_t(K)]);
        for (int M = A.Ptr[Other]; M < A.Ptr[Other + 1]; ++M)
          if (int &Last = Met[size_t(A.Col[size_t(M)])]; Last != I) {
            Last = I;
            Col.push_back(A.Col[size_t(M)]);
          }
      }
      Ptr.push_back(int(Col.size()));
    }
    Result.resize(Col.size());
    Product = {Ptr.data(), {}, Col.data(), Result.data()};
  }

  compressed Factor, Product;
  std::vector<double> &Sums;
  std::vector<double> Result;
};

auto product() {
  return rowKernel<Plain>("sparse_product", &sparse_product,
                          [](decltype(&sparse_product) F, Plain &A) {
                            Square S(A);
                            F(A.rows(), &S.Factor, &S.Product, S.Sums.data());
                            A.Y = S.Result;
                            A.Y.insert(A.Y.end(), S.Sums.begin(), S.Sums.end());
                          });
}

TEST(RowNotes, AreSumsOfARowOfAProduct) { product().compareMany(Cases); }

/// Rows are in classes and run in lanes, and nothing is noted in memory.
TEST(RowNotes, AreInRegisters) {
  Random Engine(3);
  Plain A(gridPattern(60, 60), 1, Engine);
  const auto Factorise = incompleteFactorisation();
  const auto Factors = Factorise.versions();
  for (const RowVersion &V : Factors->all()) {
    Factorise.compare(V, A);
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    EXPECT_GT(V.figures().RowsInLanes, 2300U);
  }
  const auto Multiply = product();
  const auto Products = Multiply.versions();
  for (const RowVersion &V : Products->all()) {
    Multiply.compare(V, A);
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    EXPECT_GT(V.figures().RowsInClasses, 2500U);
  }
}

TEST(RowNotes, ThatStayAreNone) {
  Random Engine(3);
  Plain A(gridPattern(20, 20), 1, Engine);
  std::vector<int> Last(400, -1);
  std::vector<double> Result(A.Val.size());
  const RowVersions Versions("last_met", [&](void *Body) {
    reinterpret_cast<decltype(&last_met)>(Body)(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(),
                                                Last.data(), Result.data());
  });
  EXPECT_EQ(Versions.rowLoops(), 1U);
  EXPECT_TRUE(Versions.shapes().empty());
}

/// A table no longer holds once somebody else has written something there.
TEST(RowNotes, AreWatched) {
  Random Engine(3);
  Plain A(gridPattern(60, 60), 1, Engine);
  const std::vector<int> Diagonal = diagonals(A);
  const auto Versions = incompleteFactorisation().versions();
  std::vector<int> Where(3600);
  const auto Call = [&](decltype(&incomplete) F, int Somewhere, int None) {
    std::fill(Where.begin(), Where.end(), -1);
    Where[1800] = Somewhere;
    std::vector<double> Result = A.Val;
    F(A.rows(), A.Ptr.data(), A.Col.data(), Diagonal.data(), None, Where.data(), Result.data());
    Result.insert(Result.end(), Where.begin(), Where.end());
    return Result;
  };
  for (const RowVersion &V : Versions->all()) {
    auto *Body = reinterpret_cast<decltype(&incomplete)>(V.Body);
    EXPECT_TRUE(same(Call(Body, -1, -1), Call(incomplete, -1, -1)));
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    // Each row that has the column leaves -1 there, and then rows leave -2 everywhere.
    for (const int None : {-1, -2}) {
      EXPECT_TRUE(same(Call(Body, 5 + None, None), Call(incomplete, 5 + None, None)));
      EXPECT_EQ(V.figures().Calls, 1U);
      EXPECT_EQ(V.figures().Problem, words(Reason::RowsLeaveNotes));
    }
    EXPECT_TRUE(same(Call(Body, -1, -2), Call(incomplete, -1, -2)));
    EXPECT_EQ(V.figures().Calls, 1U);
  }
}

} // namespace
