//===- bench/loops/classes/packing.cpp - elements that move together, and apart ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static long positivesTogether() {
  long Number = 0;
  for (long I = 0; I < Length; ++I)
    if (B[I] > 0)
      A[Number++] = B[I];
  return Number;
}
LOOP(positivesTogether);

/// Spread over the places where a condition holds.
static void spread() {
  long Next = 0;
  for (long I = 0; I < Length; ++I)
    if (S[I] > 0)
      R[I] = T[Next++];
}
LOOP(spread);

static long placesOfPositives(double *X, const double *Y, long N) {
  long Number = 0;
  for (long I = 0; I < N; ++I)
    if (Y[I] > 0.5)
      X[Number++] = static_cast<double>(I);
  return Number;
}
LOOP(placesOfPositives);

/// Small ones to the left end, others to the right one.
static long parted() {
  long Left = 0, Right = Length - 1;
  for (long I = 0; I < Length; ++I) {
    if (S[I] < 0.1f)
      R[Left++] = S[I];
    else
      R[Right--] = S[I];
  }
  return Left;
}
LOOP(parted);

/// Every third element, together.
static void thirds(float *X, const float *Y, long N) {
  long Number = 0;
  for (long I = 0; I < N; ++I)
    if (I % 3 == 0)
      X[Number++] = Y[I];
}
LOOP(thirds);
} // namespace loops
