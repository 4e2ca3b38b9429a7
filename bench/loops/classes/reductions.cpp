//===- bench/loops/classes/reductions.cpp - sums, extrema and counts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static double sum() {
  double Sum = 0;
  for (long I = 0; I < Length; ++I)
    Sum += A[I];
  return Sum;
}
LOOP(sum);

static float dot(const float *X, const float *Y, long N) {
  float Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += X[I] * Y[I];
  return Sum;
}
LOOP(dot);

static double largest() {
  double Largest = A[0];
  for (long I = 1; I < Length; ++I)
    if (A[I] > Largest)
      Largest = A[I];
  return Largest;
}
LOOP(largest);

static long ofIntegers() {
  long Sum = 0;
  for (long I = 0; I < Length; ++I)
    Sum += Kind[I] * (I & 7);
  return Sum;
}
LOOP(ofIntegers);

static long counted(const float *X, long N, float Limit) {
  long Number = 0;
  for (long I = 0; I < N; ++I)
    Number += X[I] < Limit;
  return Number;
}
LOOP(counted);

/// Computes eight independent sums.
static void eightSums() {
  double Sums[8] = {};
  for (long I = 0; I < Length; I += 8)
    for (long J = 0; J < 8; ++J)
      Sums[J] += A[I + J] * B[I + J];
  for (long J = 0; J < 8; ++J)
    C[J] = Sums[J];
}
LOOP(eightSums);

static double meanAndSpread() {
  double Sum = 0, Squares = 0;
  for (long I = 0; I < Length; ++I) {
    Sum += B[I];
    Squares += B[I] * B[I];
  }
  return Squares - Sum * Sum / Length;
}
LOOP(meanAndSpread);
} // namespace loops
