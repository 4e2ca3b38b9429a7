//===- bench/sparse/spmv_coordinates.cpp - a product with entries that name their rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include <algorithm>

namespace {

BENCH_KERNEL void multiply(const std::vector<int> &Row, const std::vector<int> &Column,
                           const std::vector<double> &Value, const std::vector<double> &X,
                           std::vector<double> &Y) {
  std::fill(Y.begin(), Y.end(), 0.0);
  for (size_t K = 0; K < Row.size(); ++K)
    Y[Row[K]] += Value[K] * X[Column[K]];
}

std::vector<int> rowsOf(const bench::Matrix &A) {
  std::vector<int> Result;
  for (long I = 0; I < A.Rows; ++I)
    Result.insert(Result.end(), A.RowStart[I + 1] - A.RowStart[I], static_cast<int>(I));
  return Result;
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const std::vector<int> Row = rowsOf(A);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  std::vector<double> X = bench::numbers(N, 3), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(Row, A.Column, A.Value, X, Y);
    Calls.end();
    X[Call % N] = 0.1 * Y[Call % N];
  }
  Calls.print(Y, {16 * A.entries() + 24 * static_cast<double>(N), 2 * A.entries()});
}
