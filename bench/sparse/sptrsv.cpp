//===- bench/sparse/sptrsv.cpp - solving with a sparse lower triangle ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

/// The diagonal is the last entry of its row.
BENCH_KERNEL void solve(long Rows, const std::vector<int> &RowStart, const std::vector<int> &Column,
                        const std::vector<double> &Value, const std::vector<double> &B,
                        std::vector<double> &X) {
  for (long I = 0; I < Rows; ++I) {
    double Sum = B[I];
    const int Diagonal = RowStart[I + 1] - 1;
    for (int K = RowStart[I]; K < Diagonal; ++K)
      Sum -= Value[K] * X[Column[K]];
    X[I] = Sum / Value[Diagonal];
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix L = bench::lowerTriangle(bench::matrixArgument(Argc, Argv, 1));
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = L.Rows;
  std::vector<double> B = bench::numbers(N, 3), X(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    solve(N, L.RowStart, L.Column, L.Value, B, X);
    Calls.end();
    B[Call % N] = 0.1 * X[Call % N];
  }
  Calls.print(X, {12 * L.entries() + 20 * static_cast<double>(N), 2 * L.entries()});
}
