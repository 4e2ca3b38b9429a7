//===- bench/sparse/sweep_residual.cpp - a Gauss-Seidel sweep and the residual after it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

inline void sweepUp(const bench::Matrix &A, const std::vector<double> &Diagonal,
                    const std::vector<double> &B, std::vector<double> &X) {
  for (long I = 0; I < A.Rows; ++I) {
    double Sum = B[I];
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Sum -= A.Value[K] * X[A.Column[K]];
    X[I] += Sum / Diagonal[I];
  }
}

inline void findResidual(const bench::Matrix &A, const std::vector<double> &B,
                         const std::vector<double> &X, std::vector<double> &R) {
  for (long I = 0; I < A.Rows; ++I) {
    double Sum = B[I];
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Sum -= A.Value[K] * X[A.Column[K]];
    R[I] = Sum;
  }
}

BENCH_KERNEL void smooth(const bench::Matrix &A, const std::vector<double> &Diagonal,
                         const std::vector<double> &B, std::vector<double> &X,
                         std::vector<double> &R) {
  sweepUp(A, Diagonal, B, X);
  findResidual(A, B, X, R);
}

BENCH_KERNEL void sweep(const bench::Matrix &A, const std::vector<double> &Diagonal,
                        const std::vector<double> &B, std::vector<double> &X) {
  sweepUp(A, Diagonal, B, X);
}

BENCH_KERNEL void residual(const bench::Matrix &A, const std::vector<double> &B,
                           const std::vector<double> &X, std::vector<double> &R) {
  findResidual(A, B, X, R);
}

} // namespace

// With a third argument of 1, each loop is a separate function.
int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  const bool AreApart = bench::argument(Argc, Argv, 3, 0) != 0;
  const std::vector<int> Where = bench::diagonals(A);
  std::vector<double> B = bench::numbers(N, 3), X(N), R(N), Diagonal(N);
  for (long I = 0; I < N; ++I)
    Diagonal[I] = A.Value[Where[I]];
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    if (AreApart) {
      sweep(A, Diagonal, B, X);
      residual(A, B, X, R);
    } else {
      smooth(A, Diagonal, B, X, R);
    }
    Calls.end();
    B[Call % N] = R[Call % N];
  }
  Calls.print(R, {12 * A.entries() + 52 * static_cast<double>(N),
                  4 * A.entries() + 4 * static_cast<double>(N)});
}
