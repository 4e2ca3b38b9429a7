//===- bench/sparse/spmv_twice.cpp - a matrix times a vector, and times the result ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

inline void multiply(const bench::Matrix &A, const std::vector<double> &X, std::vector<double> &Y) {
  for (long I = 0; I < A.Rows; ++I) {
    double Sum = 0.0;
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Sum += A.Value[K] * X[A.Column[K]];
    Y[I] = Sum;
  }
}

BENCH_KERNEL void multiplyTwice(const bench::Matrix &A, const std::vector<double> &X,
                                std::vector<double> &T, std::vector<double> &Y) {
  multiply(A, X, T);
  multiply(A, T, Y);
}

BENCH_KERNEL void multiplyOnce(const bench::Matrix &A, const std::vector<double> &X,
                               std::vector<double> &Y) {
  multiply(A, X, Y);
}

} // namespace

// With a third argument of 1, each product is a separate function.
int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  const bool AreApart = bench::argument(Argc, Argv, 3, 0) != 0;
  std::vector<double> X = bench::numbers(N, 3), T(N), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    if (AreApart) {
      multiplyOnce(A, X, T);
      multiplyOnce(A, T, Y);
    } else {
      multiplyTwice(A, X, T, Y);
    }
    Calls.end();
    X[Call % N] = 0.01 * Y[Call % N];
  }
  Calls.print(Y, {12 * A.entries() + 44 * static_cast<double>(N), 4 * A.entries()});
}
