//===- bench/loops/classes/expansion.cpp - scalars and arrays that each iteration writes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void exchanged() {
  for (long I = 0; I < Length; ++I) {
    const double Kept = A[I];
    A[I] = B[I];
    B[I] = Kept;
  }
}
LOOP(exchanged);

/// The last value is used after the loop.
static float lastLivesOn() {
  float Value = 0;
  for (int I = 0; I < Length; ++I) {
    Value = S[I] + T[I];
    R[I] = Value * Value;
  }
  return Value;
}
LOOP(lastLivesOn);

/// The scalar is written and read under the same condition.
static void underCondition(double *X, const double *Y, const double *Z, long N) {
  double Value = 0;
  for (long I = 0; I < N; ++I) {
    if (Y[I] > 0)
      Value = Y[I] * Z[I];
    if (Y[I] > 0)
      X[I] = Value + 1.0;
  }
}
LOOP(underCondition);

static void smallArray() {
  float Values[4];
  for (long I = 0; I < Length / 4; ++I) {
    for (int J = 0; J < 4; ++J)
      Values[J] = S[4 * I + J] * T[4 * I + 3 - J];
    for (int J = 0; J < 4; ++J)
      R[4 * I + J] = Values[J] + Values[3 - J];
  }
}
LOOP(smallArray);

/// The scalar carries a value to the next iteration.
static void valueBefore() {
  double Before = B[0];
  for (long I = 1; I < Length; ++I) {
    const double Now = B[I];
    A[I] = Now - Before;
    Before = Now;
  }
}
LOOP(valueBefore);
} // namespace loops
