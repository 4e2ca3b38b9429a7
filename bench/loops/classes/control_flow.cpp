//===- bench/loops/classes/control_flow.cpp - branches within iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void positiveOnly() {
  for (long I = 0; I < Length; ++I)
    if (B[I] > 0)
      A[I] = B[I] * C[I];
}
LOOP(positiveOnly);

static void threeWays() {
  for (int I = 0; I < Length; ++I) {
    if (S[I] < -0.3f)
      R[I] = T[I] - S[I];
    else if (S[I] < 0.3f)
      R[I] = 0;
    else
      R[I] = T[I] + S[I];
  }
}
LOOP(threeWays);

static void byKind() {
  for (long I = 0; I < Length; ++I)
    switch (Kind[I]) {
    case 0:
      A[I] = B[I];
      break;
    case 1:
      A[I] = C[I] * 2.0;
      break;
    case 2:
      A[I] = B[I] - C[I];
      break;
    default:
      A[I] = 1.0;
    }
}
LOOP(byKind);

static void skipped(float *X, const float *Y, const float *Z, long N) {
  for (long I = 0; I < N; ++I) {
    if (Y[I] == 0.0f)
      continue;
    X[I] = Z[I] / Y[I];
  }
}
LOOP(skipped);

/// The condition depends on the row only.
static void rowsByCondition() {
  for (long I = 0; I < Rows; ++I) {
    if (M[I][0] < 0)
      for (long J = 0; J < Columns; ++J)
        P[I][J] = -Q[I][J];
    else
      for (long J = 0; J < Columns; ++J)
        P[I][J] = Q[I][J] + M[I][J];
  }
}
LOOP(rowsByCondition);

static void limited(double *X, const double *Y, long N, double Limit) {
  for (long I = 0; I < N; ++I) {
    double Value = Y[I] * 2.0;
    if (Value > Limit)
      Value = Limit;
    else if (Value < -Limit)
      Value = -Limit;
    X[I] = Value;
  }
}
LOOP(limited);
} // namespace loops
