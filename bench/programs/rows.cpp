//===- bench/programs/rows.cpp - one product of matrices that are arrays of rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"

namespace {

double **makeMatrix(long Rows, long Columns, unsigned Seed) {
  double **Matrix = new double *[Rows];
  for (long I = 0; I < Rows; ++I) {
    Matrix[I] = new double[Columns];
    bench::fill(Matrix[I], Columns, Seed * Rows + I);
  }
  return Matrix;
}

void multiply(double **C, double **A, double **B, int N) {
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      C[I][J] = 0.0;
      for (int K = 0; K < N; ++K)
        C[I][J] += A[I][K] * B[K][J];
    }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 600);
  double **A = makeMatrix(N, N, 1), **B = makeMatrix(N, N, 2), **C = makeMatrix(N, N, 3);
  bench::Stopwatch Time;
  multiply(C, A, B, static_cast<int>(N));
  Time.stop();
  std::vector<double> All;
  for (long I = 0; I < N; ++I)
    All.insert(All.end(), C[I], C[I] + N);
  Time.print(bench::checksum(All));
}
