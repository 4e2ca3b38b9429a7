//===- bench/loops/classes/rerolling.cpp - loops unrolled by hand ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void byFour() {
  for (long I = 0; I < Length; I += 4) {
    A[I] = B[I] * C[I];
    A[I + 1] = B[I + 1] * C[I + 1];
    A[I + 2] = B[I + 2] * C[I + 2];
    A[I + 3] = B[I + 3] * C[I + 3];
  }
}
LOOP(byFour);

static float dotByFive() {
  float Sum = 0;
  for (long I = 0; I < Length; I += 5)
    Sum = Sum + R[I] * S[I] + R[I + 1] * S[I + 1] + R[I + 2] * S[I + 2] + R[I + 3] * S[I + 3] +
          R[I + 4] * S[I + 4];
  return Sum;
}
LOOP(dotByFive);

static void addedByTwo(double *X, const double *Y, long N, double Factor) {
  for (long I = 0; I + 1 < N; I += 2) {
    X[I] += Factor * Y[I];
    X[I + 1] += Factor * Y[I + 1];
  }
}
LOOP(addedByTwo);

static void gatheredByFour() {
  for (long I = 0; I < Length; I += 4) {
    R[I] = S[Order[I]];
    R[I + 1] = S[Order[I + 1]];
    R[I + 2] = S[Order[I + 2]];
    R[I + 3] = S[Order[I + 3]];
  }
}
LOOP(gatheredByFour);

/// Real and imaginary parts alternate.
static void complexProducts(float *X, const float *Y, const float *Z, long N) {
  for (long I = 0; I + 1 < N; I += 2) {
    const float Real = Y[I] * Z[I] - Y[I + 1] * Z[I + 1];
    X[I + 1] = Y[I] * Z[I + 1] + Y[I + 1] * Z[I];
    X[I] = Real;
  }
}
LOOP(complexProducts);
} // namespace loops
