//===- bench/loops/classes/distribution.cpp - loops worth splitting into several ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// One statement is a recurrence, the other is not.
static void besideRecurrence() {
  for (long I = 1; I < Length; ++I) {
    A[I] = B[I] * C[I];
    D[I] = 0.5 * D[I - 1] + E[I];
  }
}
LOOP(besideRecurrence);

static void afterRecurrence() {
  for (int I = 1; I < Length; ++I) {
    R[I] = 0.25f * R[I - 1] + S[I];
    T[I] = R[I] * U[I];
  }
}
LOOP(afterRecurrence);

/// The first statement belongs to the outer loop only.
static void clearedAndSummed() {
  for (long I = 0; I < Rows; ++I) {
    A[I] = 0;
    for (long J = 0; J < Columns; ++J)
      A[I] += M[I][J] * B[J];
  }
}
LOOP(clearedAndSummed);

static void manyStreams(double *X, double *Y, const double *Z, const double *W, long N) {
  for (long I = 1; I < N - 1; ++I) {
    X[I] = Z[I - 1] + W[I + 1];
    Y[I] = Z[I + 1] - W[I - 1];
  }
}
LOOP(manyStreams);

static double sumBesideStore() {
  double Sum = 0;
  for (long I = 0; I < Length; ++I) {
    A[I] = B[I] + C[I];
    Sum += D[I];
  }
  return Sum;
}
LOOP(sumBesideStore);
} // namespace loops
