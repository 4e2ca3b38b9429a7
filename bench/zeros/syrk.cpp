//===- bench/zeros/syrk.cpp - a dense matrix times its transpose ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"

namespace {

BENCH_KERNEL void update(long N, double Factor, const double *A, double *C) {
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < N; ++K)
      for (long J = 0; J <= I; ++J)
        C[I * N + J] += Factor * A[I * N + K] * A[J * N + K];
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::ZerosCase Case = bench::zerosCase(Argc, Argv, 600);
  const long N = Case.N;
  const std::vector<double> A = bench::matrixOf(Case);
  std::vector<double> C(N * N);
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    Calls.begin();
    update(N, 0.5, A.data(), C.data());
    Calls.end();
  }
  const auto Elements = static_cast<double>(N * N);
  Calls.print(C, {24 * Elements, 1.5 * Elements * static_cast<double>(N)});
}
