//===- bench/loops/classes/splitting.cpp - iterations that differ by their number ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void halfAndHalf() {
  for (long I = 0; I < Length; ++I) {
    if (I < Length / 3)
      A[I] = B[I] + C[I];
    else
      A[I] = B[I] * C[I];
  }
}
LOOP(halfAndHalf);

static void atUnknownPlace() {
  for (long I = 0; I < Length; ++I)
    R[I] = I < Middle ? S[I] : T[I] + 0.5f;
}
LOOP(atUnknownPlace);

/// Reads and writes cross in the middle.
static void mirrored() {
  for (long I = 0; I < Length; ++I)
    A[I] = 0.5 * A[Length - 1 - I] + B[I];
}
LOOP(mirrored);

/// The ends differ from the inside.
static void edges(float *X, const float *Y, long N) {
  for (long I = 0; I < N; ++I) {
    if (I == 0 || I == N - 1)
      X[I] = Y[I];
    else
      X[I] = 0.5f * Y[I] + 0.25f * (Y[I - 1] + Y[I + 1]);
  }
}
LOOP(edges);

static void triangles() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Columns; ++J) {
      if (J < I)
        M[I][J] = P[I][J];
      else
        M[I][J] = Q[I][J] * 0.5;
    }
}
LOOP(triangles);
} // namespace loops
