//===- bench/sparse/symgs.cpp - a symmetric sweep of Gauss and Seidel ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

BENCH_KERNEL void sweep(long Rows, const std::vector<int> &RowStart, const std::vector<int> &Column,
                        const std::vector<double> &Value, const std::vector<double> &Diagonal,
                        const std::vector<double> &B, std::vector<double> &X) {
  for (long I = 0; I < Rows; ++I) {
    double Sum = B[I];
    for (int K = RowStart[I]; K < RowStart[I + 1]; ++K)
      Sum -= Value[K] * X[Column[K]];
    Sum += Diagonal[I] * X[I];
    X[I] = Sum / Diagonal[I];
  }
  for (long I = Rows - 1; I >= 0; --I) {
    double Sum = B[I];
    for (int K = RowStart[I]; K < RowStart[I + 1]; ++K)
      Sum -= Value[K] * X[Column[K]];
    Sum += Diagonal[I] * X[I];
    X[I] = Sum / Diagonal[I];
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  const std::vector<int> Where = bench::diagonals(A);
  std::vector<double> B = bench::numbers(N, 3), X(N), Diagonal(N);
  for (long I = 0; I < N; ++I)
    Diagonal[I] = A.Value[Where[I]];
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    sweep(N, A.RowStart, A.Column, A.Value, Diagonal, B, X);
    Calls.end();
    B[Call % N] = X[Call % N];
  }
  Calls.print(X, {24 * A.entries() + 56 * static_cast<double>(N),
                  4 * A.entries() + 6 * static_cast<double>(N)});
}
