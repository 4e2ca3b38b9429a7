//===- bench/loops/classes/packing.cpp - elements moved together and apart ---===//
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

/// Consecutive elements go to the places where a condition holds.
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

/// Small elements go to the left end, others to the right end.
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

/// Packs every third element.
static void thirds(float *X, const float *Y, long N) {
  long Number = 0;
  for (long I = 0; I < N; ++I)
    if (I % 3 == 0)
      X[Number++] = Y[I];
}
LOOP(thirds);
} // namespace loops
