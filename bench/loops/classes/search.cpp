//===- bench/loops/classes/search.cpp - loops that end when something is found ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// The loop returns at the first large element.
static long firstAbove() {
  for (long I = 0; I < Length; ++I)
    if (A[I] > 0.9995)
      return I;
  return -1;
}
LOOP(firstAbove);

static long lastBelow(const float *X, long N, float Limit) {
  long Last = -1;
  for (long I = 0; I < N; ++I)
    if (X[I] < -Limit)
      Last = I;
  return Last;
}
LOOP(lastBelow);

static long placeOfLargest() {
  long Where = 0;
  for (long I = 1; I < Length; ++I)
    if (B[I] > B[Where])
      Where = I;
  return Where;
}
LOOP(placeOfLargest);

/// The loop exits at a value that does not occur.
static void untilValue() {
  for (long I = 0; I < Length; ++I) {
    if (S[I] > 5.0f)
      break;
    R[I] = S[I] * T[I] + U[I];
  }
}
LOOP(untilValue);

static long firstDifference(const double *X, const double *Y, long N) {
  long I = 0;
  while (I < N && (X[I] < 0.998 || Y[I] < 0.9))
    ++I;
  return I;
}
LOOP(firstDifference);

/// The loop would end when the sum becomes large.
static float sumUntilLarge() {
  float Sum = 0;
  for (long I = 0; I < Length && Sum < 1e6f; ++I)
    Sum += S[I] * S[I];
  return Sum;
}
LOOP(sumUntilLarge);
} // namespace loops
