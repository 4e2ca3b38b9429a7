//===- tests/jit/rows/unrolled_test.cpp - code for each row of a small matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include <cerrno>

extern "C" {
void csr(int, const int *, const int *, const double *, const double *, double *);
void gauss_seidel(int, const int *, const int *, const double *, const double *, double *);
void off_diagonal(int, const int *, const int *, const double *, const double *, double *);
void sweeps(int, const int *, const int *, const double *, const double *, double *);
void searched(int, const int *, const int *, const double *, const double *, double *);
void exponentials(int, const int *, const int *, const double *, const double *, double *);
void incomplete_cholesky(int, const int *, const int *, const double *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

constexpr int Matrices = 16, Uses = 6; // of each kernel

std::unique_ptr<RowVersions> unrolled(const char *Kernel, const std::function<void(void *)> &Call) {
  return std::make_unique<RowVersions>(Kernel, Call, SPECRT_ROWS_KERNELS, nullptr, "rows-unrolled");
}

/// Where rows name other rows, an array is followed only on pages that are read anyway.
void putOnOnePage(std::vector<int> &Numbers) {
  const auto PageOf = [](const int &At) { return reinterpret_cast<uintptr_t>(&At) / 4096; };
  std::vector<std::vector<int>> Others;
  while (!Numbers.empty() && PageOf(Numbers.front()) != PageOf(Numbers.back()))
    Numbers.swap(Others.emplace_back(Numbers));
}

/// Each matrix has code of its own, which has to serve it, and no other one.
template <typename Kernel> void compareWithEach(const Kernel &K) {
  Random Engine(11);
  int Compiled = 0;
  for (int Case = 0; Case < Matrices && !testing::Test::HasFailure(); ++Case) {
    Pattern Rows = K.fit(randomPattern(2 + upTo(Engine, 60), 7, Engine));
    Plain A(Rows, K.Columns, Engine);
    putOnOnePage(A.Ptr);
    putOnOnePage(A.Col);
    const auto Versions = unrolled(
        K.Name, [&](void *Body) { K.Run(reinterpret_cast<decltype(K.Original)>(Body), A); });
    if (Versions->all().empty())
      continue; // all rows are alike
    ++Compiled;
    ASSERT_EQ(Versions->all().size(), 1U);
    const RowVersion &V = Versions->all().front();
    EXPECT_EQ(V.Name, "rows-unrolled");
    K.compare(V, A);
    const RowFigures Seen = V.figures();
    EXPECT_GE(Seen.Calls, 1U) << Seen.Problem; // of one loop, or two
    EXPECT_GE(Seen.RowsUnrolled, Rows.size());
    EXPECT_EQ(Seen.RowsUnrolled, Seen.Rows);
    for (int Use = 0; Use < Uses; ++Use) {
      A.Val = someNumbers<double>(A.Val.size(), Engine);
      K.compare(V, A);
      K.change(A, Rows, Engine);
    }
  }
  EXPECT_GT(Compiled, Matrices / 2);
}

#define KERNEL(Test, Name)                                                                         \
  TEST(UnrolledRows, Test) {                                                                       \
    compareWithEach(rowKernel<Plain>(#Name, &(Name), [](decltype(&(Name)) F, Plain &A) {           \
      F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());               \
    }));                                                                                           \
  }
KERNEL(Products, csr)
KERNEL(Branches, off_diagonal)
KERNEL(Sweeps, gauss_seidel)
KERNEL(SweepsInBothDirections, sweeps)
KERNEL(LoopsThatEndEarly, searched)
KERNEL(CallsThatReportErrors, exponentials)
#undef KERNEL

TEST(UnrolledRows, NoneOfOtherNumbersOfRowsAndNoOtherPattern) {
  Random Engine(5);
  Pattern Rows = randomPattern(40, 7, Engine);
  const auto Run = [](decltype(&gauss_seidel) F, Plain &A, int N) {
    F(N, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
  };
  Plain A(Rows, 1, Engine);
  const auto Versions = unrolled("gauss_seidel", [&](void *Body) {
    Run(reinterpret_cast<decltype(&gauss_seidel)>(Body), A, A.rows());
  });
  ASSERT_EQ(Versions->all().size(), 1U);
  const RowVersion &V = Versions->all().front();
  const auto Compare = [&](int N) {
    Plain Other = A;
    const std::vector<double> Before = A.Y;
    Run(&gauss_seidel, Other, N);
    Run(reinterpret_cast<decltype(&gauss_seidel)>(V.Body), A, N);
    EXPECT_TRUE(same(A.Y, Other.Y)) << N;
    A.Y = Before;
  };
  Compare(39);
  EXPECT_EQ(V.figures().Calls, 0U) << "too few rows";
  V.begin();
  Compare(40);
  EXPECT_EQ(V.figures().Calls, 1U);
  const int Column = A.Col.back();
  A.Col.back() = Column == 0 ? 1 : 0;
  Compare(40);
  EXPECT_EQ(V.figures().Calls, 1U) << "another column";
  EXPECT_EQ(V.figures().Problem, "the rows are not those that the code was made for");
  A.Col.back() = Column;
  V.begin();
  Compare(40);
  EXPECT_EQ(V.figures().Calls, 1U) << "as it was";
}

TEST(UnrolledRows, AFactorWithRootsOfWhatIsNegative) {
  Random Engine(3);
  Pattern Lower;
  for (int I = 0; I < 24; ++I) {
    std::vector<int> Row;
    for (int J = 0; J < I; ++J)
      if (upTo(Engine, 3) == 0)
        Row.push_back(J);
    Row.push_back(I);
    Lower.push_back(std::move(Row));
  }
  Plain A(Lower, 1, Engine);
  std::vector<double> L(A.Col.size());
  const auto Run = [&](decltype(&incomplete_cholesky) F, std::vector<double> &Into) {
    errno = 0;
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), Into.data());
    return errno;
  };
  const auto Versions = unrolled("incomplete_cholesky", [&](void *Body) {
    Run(reinterpret_cast<decltype(&incomplete_cholesky)>(Body), L);
  });
  ASSERT_EQ(Versions->all().size(), 1U);
  const RowVersion &V = Versions->all().front();
  for (int Case = 0; Case < 20; ++Case) {
    std::vector<double> Expected(L.size());
    const int Error = Run(&incomplete_cholesky, Expected);
    L.assign(L.size(), 0);
    EXPECT_EQ(Run(reinterpret_cast<decltype(&incomplete_cholesky)>(V.Body), L), Error);
    EXPECT_TRUE(same(L, Expected)) << Case;
    A.Val = someNumbers<double>(A.Val.size(), Engine);
  }
  EXPECT_EQ(V.figures().Calls, 20U);
}

} // namespace
