//===- bench/loops/classes/induction.cpp - subscripts and values that grow by steps ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void countedDown() {
  long J = Length;
  for (long I = 0; I < Length; ++I) {
    --J;
    A[I] = B[J] * C[I];
  }
}
LOOP(countedDown);

static void threeAtATime() {
  long J = 0;
  for (long I = 0; J < Length; ++I) {
    R[I] = S[J] + T[J];
    J += 3;
  }
}
LOOP(threeAtATime);

/// The counter continues over all rows.
static void countedOverRows() {
  long K = 0;
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J <= I; ++J)
      A[K++] = M[I][J] + 1.0;
}
LOOP(countedOverRows);

/// Each value has its own rounding error.
static void valueGrows() {
  double X = 0.1;
  for (int I = 0; I < Length; ++I) {
    A[I] = X * B[I];
    X += 0.1;
  }
}
LOOP(valueGrows);

/// The subscript wraps around.
static void roundAndRound(float *X, const float *Y, const float *Z, long N, long K) {
  long J = 0;
  for (long I = 0; I < N; ++I) {
    X[I] = Y[I] * Z[J];
    J = J + 1 == 16 * K ? 0 : J + 1;
  }
}
LOOP(roundAndRound);

/// Each step is longer than the one before.
static void longerSteps(double *X, const double *Y, long N) {
  long Step = 1;
  for (long J = 0; J < N; J += Step++)
    X[J] = Y[J] + X[J / 2];
}
LOOP(longerSteps);
} // namespace loops
