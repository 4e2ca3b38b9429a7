//===- bench/sparse/spmv.cpp - a sparse matrix times a vector ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

BENCH_KERNEL void multiply(long Rows, const std::vector<int> &RowStart,
                           const std::vector<int> &Column, const std::vector<double> &Value,
                           const std::vector<double> &X, std::vector<double> &Y) {
  for (long I = 0; I < Rows; ++I) {
    double Sum = 0.0;
    for (int K = RowStart[I]; K < RowStart[I + 1]; ++K)
      Sum += Value[K] * X[Column[K]];
    Y[I] = Sum;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  std::vector<double> X = bench::numbers(N, 3), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(N, A.RowStart, A.Column, A.Value, X, Y);
    Calls.end();
    X[Call % N] = 0.1 * Y[Call % N];
  }
  Calls.print(Y, {12 * A.entries() + 20 * static_cast<double>(N), 2 * A.entries()});
}
