//===- bench/fine/blocks.cpp - an OpenMP factorisation that copies blocks with omp simd ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = L U without pivots, in place, for a matrix of floats whose diagonal dominates. A thread
// copies the two blocks that it needs into arrays of its own; their product is subtracted row by
// row.
#include "outcome.h"

namespace {

/// Rows and columns of a block. Its three operands take 6 KB and stay in the first-level cache.
constexpr int Block = 16;

struct Matrix {
  float *Data;
  long N;
  float *row(long I) const { return Data + I * N; }
};

using Tile = float[Block][Block];

void copy(Tile &To, const Matrix &From, long Top, long Left) {
  for (int I = 0; I < Block; ++I) {
    const float *Row = From.row(Top + I) + Left;
#pragma omp simd
    for (int J = 0; J < Block; ++J)
      To[I][J] = Row[J];
  }
}

void factorDiagonal(const Matrix &A, long First) {
  for (long K = First; K < First + Block; ++K)
    for (long I = K + 1; I < First + Block; ++I) {
      A.row(I)[K] /= A.row(K)[K];
      for (long J = K + 1; J < First + Block; ++J)
        A.row(I)[J] -= A.row(I)[K] * A.row(K)[J];
    }
}

/// Solves X U = A in place for a block below the diagonal one.
void solveBelow(const Matrix &A, long First, long Top) {
  Tile Upper;
  copy(Upper, A, First, First);
  for (long I = Top; I < Top + Block; ++I)
    for (int K = 0; K < Block; ++K) {
      float *Row = A.row(I) + First;
      Row[K] /= Upper[K][K];
      for (int J = K + 1; J < Block; ++J)
        Row[J] -= Row[K] * Upper[K][J];
    }
}

/// Solves L X = A in place for a block to the right of the diagonal one.
void solveRight(const Matrix &A, long First, long Left) {
  Tile Lower;
  copy(Lower, A, First, First);
  for (int K = 0; K < Block; ++K)
    for (int I = K + 1; I < Block; ++I)
#pragma omp simd
      for (int J = 0; J < Block; ++J)
        A.row(First + I)[Left + J] -= Lower[I][K] * A.row(First + K)[Left + J];
}

/// Subtracts the product of the block on the left and the block above.
void update(const Matrix &A, long First, long Top, long Left) {
  alignas(64) Tile Beside, Above;
  alignas(64) float Sums[Block];
  copy(Beside, A, Top, First);
  copy(Above, A, First, Left);
  for (int I = 0; I < Block; ++I) {
    for (float &Sum : Sums)
      Sum = 0;
    for (int K = 0; K < Block; ++K)
#pragma omp simd
      for (int J = 0; J < Block; ++J)
        Sums[J] += Beside[I][K] * Above[K][J];
    float *Row = A.row(Top + I) + Left;
#pragma omp simd
    for (int J = 0; J < Block; ++J)
      Row[J] -= Sums[J];
  }
}

void factor(const Matrix &A) {
  for (long First = 0; First < A.N; First += Block) {
    const long Rest = A.N - First - Block;
    factorDiagonal(A, First);
#pragma omp parallel for
    for (long Other = 0; Other < Rest; Other += Block) {
      solveBelow(A, First, First + Block + Other);
      solveRight(A, First, First + Block + Other);
    }
#pragma omp parallel for
    for (long Which = 0; Which < Rest / Block * (Rest / Block); ++Which) {
      const long Across = Rest / Block;
      update(A, First, First + Block + Which / Across * Block,
             First + Block + Which % Across * Block);
    }
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 40) * Block,
             Calls = bench::argument(Argc, Argv, 2, 30);
  std::vector<float> Start(N * N), A;
  bench::fill(Start.data(), Start.size(), 1);
  for (long I = 0; I < N; ++I)
    Start[I * N + I] += static_cast<float>(N);
  uint64_t Seen = 0;
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call) {
    A = Start;
    factor({A.data(), N});
    Seen = 3 * Seen + bench::checksum(A.data() + N * (N - 1), N);
  }
  Time.stop();
  Time.print(Seen ^ bench::checksum(A));
}
