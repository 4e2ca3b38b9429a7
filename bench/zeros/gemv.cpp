//===- bench/zeros/gemv.cpp - a dense matrix times a vector ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"

namespace {

BENCH_KERNEL void multiply(long N, const double *A, const double *X, double *Y) {
  for (long I = 0; I < N; ++I) {
    double Sum = 0.0;
    for (long K = 0; K < N; ++K)
      Sum += A[I * N + K] * X[K];
    Y[I] = Sum;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::ZerosCase Case = bench::zerosCase(Argc, Argv, 2048);
  const long N = Case.N;
  const std::vector<double> A = bench::matrixOf(Case);
  std::vector<double> X = bench::numbers(N, 3), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    Calls.begin();
    multiply(N, A.data(), X.data(), Y.data());
    Calls.end();
    X[Call % N] = 0.1 * Y[Call % N];
  }
  Calls.print(Y, {8.0 * static_cast<double>(N * N), 2.0 * static_cast<double>(N * N)});
}
