//===- bench/irregular/strides.cpp - a product of matrices that know their shape ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nest reads sizes and row strides from structures, as libraries for linear algebra do.
#include "outcome.h"

namespace {

struct Matrix {
  size_t Rows, Columns, Stride;
  double *Data;
};

BENCH_KERNEL void multiply(Matrix *C, const Matrix *A, const Matrix *B) {
  for (size_t I = 0; I < C->Rows; ++I)
    for (size_t J = 0; J < C->Columns; ++J)
      for (size_t K = 0; K < A->Columns; ++K)
        C->Data[I * C->Stride + J] += A->Data[I * A->Stride + K] * B->Data[K * B->Stride + J];
}

} // namespace

int main(int Argc, char **Argv) {
  const size_t N = bench::argument(Argc, Argv, 1, 300), Calls = bench::argument(Argc, Argv, 2, 40);
  const size_t Stride = N + 8;
  std::vector<double> Values[3];
  Matrix M[3];
  for (unsigned I = 0; I < 3; ++I) {
    Values[I] = bench::numbers(N * Stride, I);
    M[I] = {N, N, Stride, Values[I].data()};
  }
  bench::Stopwatch Time;
  for (size_t Call = 0; Call < Calls; ++Call)
    multiply(&M[0], &M[1], &M[2]);
  Time.stop();
  Time.print(bench::checksum(Values[0]));
}
