//===- bench/loops/classes/node_splitting.cpp - values read before they are overwritten ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void neighbourAhead() {
  for (long I = 0; I < Length - 1; ++I) {
    A[I] = B[I] * 0.5;
    C[I] = A[I] + A[I + 1];
  }
}
LOOP(neighbourAhead);

static void bothNeighbours() {
  for (int I = 1; I < Length - 1; ++I) {
    R[I] = S[I] + 0.25f;
    T[I] = R[I - 1] + R[I + 1];
  }
}
LOOP(bothNeighbours);

static void twoArrays(double *X, double *Y, const double *Z, long N) {
  for (long I = 0; I < N - 1; ++I) {
    X[I] = 0.5 * Y[I] + Z[I];
    Y[I] = X[I + 1] - Z[I];
  }
}
LOOP(twoArrays);

static void rowAhead() {
  for (long I = 0; I < Rows - 1; ++I)
    for (long J = 0; J < Columns; ++J) {
      F[I][J] = G[I][J] * 0.5f;
      H[I][J] = F[I][J] + F[I + 1][J];
    }
}
LOOP(rowAhead);

/// Two statements, each of which reads what the other one overwrites.
static void crossed() {
  for (long I = 0; I < Length - 1; ++I) {
    A[I] = 0.5 * B[I + 1] + C[I];
    B[I] = 0.5 * A[I + 1] - C[I];
  }
}
LOOP(crossed);
} // namespace loops
