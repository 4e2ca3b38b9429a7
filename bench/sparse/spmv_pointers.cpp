//===- bench/sparse/spmv_pointers.cpp - a product with rows behind pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

BENCH_KERNEL void multiply(long Rows, const int *Length, const int *const *Column,
                           const double *const *Value, const double *X, double *Y) {
  for (long I = 0; I < Rows; ++I) {
    const int *Columns = Column[I];
    const double *Values = Value[I];
    double Sum = 0.0;
    for (int K = 0; K < Length[I]; ++K)
      Sum += Values[K] * X[Columns[K]];
    Y[I] = Sum;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const bench::PointerRows P = bench::pointerRows(A);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  std::vector<double> X = bench::numbers(N, 3), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(N, P.Length.data(), P.Column.data(), P.Value.data(), X.data(), Y.data());
    Calls.end();
    X[Call % N] = 0.1 * Y[Call % N];
  }
  Calls.print(Y, {12 * A.entries() + 36 * static_cast<double>(N), 2 * A.entries()});
}
