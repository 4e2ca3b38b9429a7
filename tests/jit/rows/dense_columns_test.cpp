//===- tests/jit/rows/dense_columns_test.cpp - loops over columns that are one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"

extern "C" {
void spmm(int, int, const int *, const int *, const double *, const double *, double *);
void spmm_copied(int, int, const int *, const int *, const double *, const double *, const double *,
                 double *);
void spmm_spread(int, int, const int *, const int *, const double *, const double *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

constexpr int Cases = 200;

TEST(DenseColumns, BeginAsZeros) {
  for (const int Columns : {1, 3, 16, 29})
    rowKernel<Plain>(
        "spmm", &spmm,
        [&](decltype(&spmm) F, Plain &A) {
          F(A.rows(), Columns, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
        },
        static_cast<size_t>(Columns))
        .compareMany(Cases);
}

TEST(DenseColumns, BeginAsCopies) {
  constexpr int Columns = 13;
  rowKernel<Plain>(
      "spmm_copied", &spmm_copied,
      [&](decltype(&spmm_copied) F, Plain &A) {
        F(A.rows(), Columns, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.X.data(),
          A.Y.data());
      },
      Columns)
      .compareMany(Cases);
}

/// Iterations write what others of the same row's loops read.
TEST(DenseColumns, ThatMeetStayApart) {
  constexpr int Columns = 13;
  rowKernel<Plain>(
      "spmm_spread", &spmm_spread,
      [&](decltype(&spmm_spread) F, Plain &A) {
        F(A.rows(), Columns, A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());
      },
      Columns)
      .compareMany(Cases);
}

} // namespace
