//===- bench/programs/factorisation.cpp - LU by blocks, all threads at each step ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes A = L U without pivots, in place, for a matrix whose diagonal dominates. Threads wait
// for each other twice per block column, so a thread without a processor delays all others.
#include "outcome.h"

namespace {

constexpr long Block = 40;

struct Matrix {
  double *Data;
  long N;
  double *block(long I, long J) const { return Data + I * Block * N + J * Block; }
};

void factorDiagonal(double *A, long N) {
  for (long K = 0; K < Block; ++K)
    for (long I = K + 1; I < Block; ++I) {
      A[I * N + K] /= A[K * N + K];
      for (long J = K + 1; J < Block; ++J)
        A[I * N + J] -= A[I * N + K] * A[K * N + J];
    }
}

/// Solves X U = A in place of A.
void solveRight(double *A, const double *U, long N) {
  for (long I = 0; I < Block; ++I)
    for (long K = 0; K < Block; ++K) {
      A[I * N + K] /= U[K * N + K];
      for (long J = K + 1; J < Block; ++J)
        A[I * N + J] -= A[I * N + K] * U[K * N + J];
    }
}

/// Solves L X = A in place of A, where L has ones on its diagonal.
void solveLeft(double *A, const double *L, long N) {
  for (long K = 0; K < Block; ++K)
    for (long I = K + 1; I < Block; ++I)
      for (long J = 0; J < Block; ++J)
        A[I * N + J] -= L[I * N + K] * A[K * N + J];
}

/// Computes C -= A B.
void update(double *C, const double *A, const double *B, long N) {
  for (long I = 0; I < Block; ++I)
    for (long K = 0; K < Block; ++K)
      for (long J = 0; J < Block; ++J)
        C[I * N + J] -= A[I * N + K] * B[K * N + J];
}

void factor(Matrix A) {
  const long Blocks = A.N / Block;
#pragma omp parallel
  for (long K = 0; K < Blocks; ++K) {
#pragma omp single
    factorDiagonal(A.block(K, K), A.N);
#pragma omp for
    for (long I = K + 1; I < Blocks; ++I) {
      solveRight(A.block(I, K), A.block(K, K), A.N);
      solveLeft(A.block(K, I), A.block(K, K), A.N);
    }
#pragma omp for collapse(2)
    for (long I = K + 1; I < Blocks; ++I)
      for (long J = K + 1; J < Blocks; ++J)
        update(A.block(I, J), A.block(I, K), A.block(K, J), A.N);
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 30) * Block;
  std::vector<double> A = bench::numbers(N * N, 1);
  for (long I = 0; I < N; ++I)
    A[I * N + I] += static_cast<double>(N);
  bench::Stopwatch Time;
  factor({A.data(), N});
  Time.stop();
  Time.print(bench::checksum(A));
}
