//===- bench/loops/classes/reordering.cpp - statements to vectorise in another order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// The second statement writes the element that the first one of the next iteration reads.
static void writtenForNext() {
  for (long I = 1; I < Length; ++I) {
    A[I] = B[I - 1] * C[I];
    B[I] = D[I] + E[I];
  }
}
LOOP(writtenForNext);

static void readBeforeWritten() {
  for (int I = 0; I < Length - 1; ++I) {
    R[I] = S[I] + T[I];
    U[I] = R[I + 1] * 0.5f;
  }
}
LOOP(readBeforeWritten);

static void chainOfThree() {
  for (long I = 2; I < Length; ++I) {
    A[I] = B[I - 1] + 1.0;
    B[I] = C[I - 2] * 0.5;
    C[I] = D[I] - E[I];
  }
}
LOOP(chainOfThree);

static void acrossArguments(double *X, double *Y, const double *Z, long N) {
  for (long I = 1; I < N; ++I) {
    X[I] = Y[I - 1] + Z[I];
    Y[I] = Z[I] * Z[I];
  }
}
LOOP(acrossArguments);

/// The statements depend on each other between rows.
static void rowsForNext() {
  for (long I = 1; I < Rows; ++I)
    for (long J = 0; J < Columns; ++J) {
      F[I][J] = G[I - 1][J] * 0.5f;
      G[I][J] = H[I][J] + 0.125f;
    }
}
LOOP(rowsForNext);
} // namespace loops
