//===- bench/sparse/spmv_vectors.cpp - a product with vectors of vectors of entries ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

struct Entry {
  int Column;
  double Value;
};
using Rows = std::vector<std::vector<Entry>>;

BENCH_KERNEL void multiply(const Rows &A, const std::vector<double> &X, std::vector<double> &Y) {
  for (size_t I = 0; I < A.size(); ++I) {
    double Sum = 0.0;
    for (const Entry &E : A[I])
      Sum += E.Value * X[E.Column];
    Y[I] = Sum;
  }
}

Rows rowsOf(const bench::Matrix &A) {
  Rows Result(A.Rows);
  for (long I = 0; I < A.Rows; ++I)
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Result[I].push_back({A.Column[K], A.Value[K]});
  return Result;
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const Rows Entries = rowsOf(A);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = A.Rows;
  std::vector<double> X = bench::numbers(N, 3), Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(Entries, X, Y);
    Calls.end();
    X[Call % N] = 0.1 * Y[Call % N];
  }
  Calls.print(Y, {16 * A.entries() + 40 * static_cast<double>(N), 2 * A.entries()});
}
