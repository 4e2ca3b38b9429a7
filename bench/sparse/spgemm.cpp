//===- bench/sparse/spgemm.cpp - the numbers of a product of sparse matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of the product is known from an earlier one, as in Newton's method.
#include "sparse.h"

namespace {

/// Computes C = A * B. \p Sums is zero everywhere, before and after.
BENCH_KERNEL void multiply(const bench::Matrix &A, const bench::Matrix &B, bench::Matrix &C,
                           std::vector<double> &Sums) {
  for (long I = 0; I < A.Rows; ++I) {
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K) {
      const double Factor = A.Value[K];
      const int Row = A.Column[K];
      for (int L = B.RowStart[Row]; L < B.RowStart[Row + 1]; ++L)
        Sums[B.Column[L]] += Factor * B.Value[L];
    }
    for (int K = C.RowStart[I]; K < C.RowStart[I + 1]; ++K) {
      C.Value[K] = Sums[C.Column[K]];
      Sums[C.Column[K]] = 0.0;
    }
  }
}

double products(const bench::Matrix &A, const bench::Matrix &B) {
  double Count = 0.0;
  for (int J : A.Column)
    Count += B.RowStart[J + 1] - B.RowStart[J];
  return Count;
}

} // namespace

int main(int Argc, char **Argv) {
  bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000);
  const bench::Matrix B = A;
  bench::Matrix C = bench::productPattern(A, B);
  std::vector<double> Sums(A.Rows);
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    multiply(A, B, C, Sums);
    Calls.end();
    A.Value[Call % static_cast<long>(A.Value.size())] *= 0.99;
  }
  Calls.print(C.Value, {24 * A.entries() + 12 * C.entries() + 12 * static_cast<double>(A.Rows),
                        2 * products(A, B)});
}
