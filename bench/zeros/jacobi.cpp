//===- bench/zeros/jacobi.cpp - sweeps of Jacobi from a start that is mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"
#include <algorithm>

namespace {

BENCH_KERNEL void sweep(long N, const double *A, const double *B, const double *X, double *New) {
  for (long I = 0; I < N; ++I) {
    double Sum = B[I];
    for (long K = 0; K < N; ++K)
      Sum -= A[I * N + K] * X[K];
    New[I] = Sum;
  }
}

} // namespace

/// The diagonal is 1 and is not stored. Few unknowns are nonzero at the beginning, and the
/// right-hand side is zero, so that the unknowns are sparse after the first sweeps, too.
int main(int Argc, char **Argv) {
  const bench::ZerosCase Case = bench::zerosCase(Argc, Argv, 2048);
  const long N = Case.N;
  const std::vector<double> A = bench::matrixOf(Case), B(N);
  std::vector<double> X(N), New(N);
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    if (Call % 3 == 0) {
      std::fill(X.begin(), X.end(), 0.0);
      for (long I = Call % 97; I < N; I += 97)
        X[I] = 1.0;
    }
    Calls.begin();
    sweep(N, A.data(), B.data(), X.data(), New.data());
    Calls.end();
    X.swap(New);
  }
  Calls.print(X, {8.0 * static_cast<double>(N * N), 2.0 * static_cast<double>(N * N)});
}
