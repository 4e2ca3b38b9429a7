//===- bench/loops/classes/peeling.cpp - first or last iterations that differ ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// The neighbour of the first element is the last one.
static void ring() {
  long Before = Length - 1;
  for (long I = 0; I < Length; ++I) {
    A[I] = B[I] + B[Before];
    Before = I;
  }
}
LOOP(ring);

static void ringOfTwo() {
  long Before = Length - 1, BeforeThat = Length - 2;
  for (long I = 0; I < Length; ++I) {
    R[I] = S[I] + 0.5f * S[Before] + 0.25f * S[BeforeThat];
    BeforeThat = Before;
    Before = I;
  }
}
LOOP(ringOfTwo);

/// All iterations read the element that the first one writes.
static void firstForAll() {
  for (long I = 0; I < Length; ++I)
    A[I] = 0.25 * A[0] + B[I];
}
LOOP(firstForAll);

static void oneInBetween(double *X, const double *Y, long N) {
  for (long I = 0; I < N; ++I)
    X[I] = 0.5 * X[N / 2] + Y[I];
}
LOOP(oneInBetween);

static void onceAtTheStart(float *X, const float *Y, long N) {
  bool First = true;
  float Scale = 0;
  for (long I = 0; I < N; ++I) {
    if (First) {
      Scale = 1.0f + Y[0] * Y[0];
      First = false;
    }
    X[I] = Y[I] * Scale;
  }
}
LOOP(onceAtTheStart);
} // namespace loops
