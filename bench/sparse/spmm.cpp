//===- bench/sparse/spmm.cpp - a sparse matrix times 256 columns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

/// Y = A * X; both have \p Columns numbers in each row.
BENCH_KERNEL void multiply(long Rows, long Columns, const std::vector<int> &RowStart,
                           const std::vector<int> &Column, const std::vector<double> &Value,
                           const std::vector<double> &X, std::vector<double> &Y) {
  for (long I = 0; I < Rows; ++I) {
    for (long C = 0; C < Columns; ++C)
      Y[I * Columns + C] = 0.0;
    for (int K = RowStart[I]; K < RowStart[I + 1]; ++K)
      for (long C = 0; C < Columns; ++C)
        Y[I * Columns + C] += Value[K] * X[Column[K] * Columns + C];
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 100);
  const long Columns = bench::argument(Argc, Argv, 3, 256), Size = A.Rows * Columns;
  std::vector<double> X = bench::numbers(Size, 3), Y(Size);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(A.Rows, Columns, A.RowStart, A.Column, A.Value, X, Y);
    Calls.end();
    X[Call % Size] = 0.1 * Y[Call % Size];
  }
  Calls.print(Y, {12 * A.entries() + 16 * static_cast<double>(Size),
                  2 * A.entries() * static_cast<double>(Columns)});
}
