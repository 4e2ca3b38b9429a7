//===- bench/sparse/symgs_pointers.cpp - Gauss and Seidel with rows behind pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

struct Matrix {
  long Rows;
  const int *Length;
  const int *const *Column;
  const double *const *Value;
  const double *const *Diagonal; ///< into the values
};

BENCH_KERNEL void sweep(const Matrix &A, const double *B, double *X) {
  for (long I = 0; I < A.Rows; ++I) {
    const int *Column = A.Column[I];
    const double *Value = A.Value[I], Diagonal = *A.Diagonal[I];
    double Sum = B[I];
    for (int K = 0; K < A.Length[I]; ++K)
      Sum -= Value[K] * X[Column[K]];
    Sum += Diagonal * X[I];
    X[I] = Sum / Diagonal;
  }
  for (long I = A.Rows - 1; I >= 0; --I) {
    const int *Column = A.Column[I];
    const double *Value = A.Value[I], Diagonal = *A.Diagonal[I];
    double Sum = B[I];
    for (int K = 0; K < A.Length[I]; ++K)
      Sum -= Value[K] * X[Column[K]];
    Sum += Diagonal * X[I];
    X[I] = Sum / Diagonal;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const bench::PointerRows P = bench::pointerRows(A);
  const std::vector<int> Where = bench::diagonals(A);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  std::vector<double> B = bench::numbers(N, 3), X(N);
  std::vector<const double *> Diagonal(N);
  for (long I = 0; I < N; ++I)
    Diagonal[I] = P.Value[I] + (Where[I] - A.RowStart[I]);
  const Matrix Rows = {N, P.Length.data(), P.Column.data(), P.Value.data(), Diagonal.data()};
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    sweep(Rows, B.data(), X.data());
    Calls.end();
    B[Call % N] = X[Call % N];
  }
  Calls.print(X, {24 * A.entries() + 96 * static_cast<double>(N),
                  4 * A.entries() + 6 * static_cast<double>(N)});
}
