//===- bench/zeros/gemm.cpp - a dense matrix times one of 256 columns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"

namespace {

BENCH_KERNEL void multiply(long N, long M, const double *A, const double *B, double *C) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < M; ++J)
        C[I * M + J] += A[I * N + K] * B[K * M + J];
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::ZerosCase Case = bench::zerosCase(Argc, Argv, 1024);
  const long N = Case.N, M = 256;
  const std::vector<double> A = bench::matrixOf(Case), B = bench::numbers(N * M, 3);
  std::vector<double> C(N * M);
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    Calls.begin();
    multiply(N, M, A.data(), B.data(), C.data());
    Calls.end();
  }
  const auto Bytes = static_cast<double>(8 * N * N + 24 * N * M);
  Calls.print(C, {Bytes, 2.0 * static_cast<double>(N * N * M)});
}
