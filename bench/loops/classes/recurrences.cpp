//===- bench/loops/classes/recurrences.cpp - values computed from earlier ones ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void firstOrder() {
  for (long I = 1; I < Length; ++I)
    A[I] = B[I] - 0.5 * A[I - 1];
}
LOOP(firstOrder);

static void secondOrder() {
  for (int I = 2; I < Length; ++I)
    R[I] = 0.4f * R[I - 1] - 0.3f * R[I - 2] + S[I];
}
LOOP(secondOrder);

static void sumsSoFar(double *X, const double *Y, long N) {
  double Sum = 0;
  for (long I = 0; I < N; ++I) {
    Sum += Y[I];
    X[I] = Sum;
  }
}
LOOP(sumsSoFar);

static double polynomial() {
  double Value = 0;
  for (long I = 0; I < Length; ++I)
    Value = Value * 0.75 + A[I];
  return Value;
}
LOOP(polynomial);

/// Eliminates forward in a tridiagonal matrix.
static void elimination() {
  for (long I = 1; I < Length; ++I) {
    const float Factor = 1.0f / (4.0f - 0.25f * R[I - 1]);
    R[I] = (1.0f + 0.125f * S[I]) * Factor;
  }
}
LOOP(elimination);

static void coupled() {
  for (long I = 1; I < Length; ++I) {
    A[I] = 0.5 * B[I - 1] + C[I];
    B[I] = 0.5 * A[I] - D[I];
  }
}
LOOP(coupled);

/// The rows are independent recurrences.
static void everyRow() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 1; J < Columns; ++J)
      F[I][J] = 0.5f * F[I][J - 1] + G[I][J];
}
LOOP(everyRow);
} // namespace loops
