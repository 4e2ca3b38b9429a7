//===- bench/loops/classes/nonlinear.cpp - subscripts that are products, remainders, powers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void squares() {
  for (long I = 0; I * I < Length; ++I)
    A[I * I] = B[I] + C[I * I];
}
LOOP(squares);

/// The lower triangle of a matrix is stored row after row.
static void packedTriangle() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J <= I; ++J)
      A[I * (I + 1) / 2 + J] = 0.5 * B[I * (I + 1) / 2 + J] + M[I][J];
}
LOOP(packedTriangle);

static void remainders() {
  for (int I = 0; I < Length; ++I)
    R[I % 64] += S[I];
}
LOOP(remainders);

static void pairsExchanged() {
  for (long I = 0; I < Length; ++I)
    A[I ^ 1] = B[I] - C[I ^ 1];
}
LOOP(pairsExchanged);

static void productOfArguments(float *X, const float *Y, long N, long K) {
  for (long I = 0; I < N / (K * K); ++I)
    X[I * K * K] = Y[I * K] + X[I];
}
LOOP(productOfArguments);

/// Adds pairs, then pairs of pairs, as a tree of sums.
static void tree() {
  for (long Step = 1; Step < Length; Step *= 2)
    for (long I = 0; I + Step < Length; I += 2 * Step)
      A[I] += 0.001 * A[I + Step];
}
LOOP(tree);
} // namespace loops
