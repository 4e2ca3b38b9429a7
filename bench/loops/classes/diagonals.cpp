//===- bench/loops/classes/diagonals.cpp - diagonals of matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void mainDiagonal() {
  for (long I = 0; I < Rows; ++I)
    M[I][I] = P[I][I] + 0.5 * A[I];
}
LOOP(mainDiagonal);

static void unitMatrix() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Columns; ++J)
      F[I][J] = I == J ? 1.0f : 0.0f;
}
LOOP(unitMatrix);

static double crossDiagonal() {
  double Sum = 0;
  for (long I = 0; I < Rows; ++I)
    Sum += M[I][Rows - 1 - I] * P[I][I];
  return Sum;
}
LOOP(crossDiagonal);

/// Adds a multiple of the unit matrix to a matrix behind a pointer.
static void diagonalByShape(double *X, Shape Of, double Factor) {
  for (long I = 0; I < Of.Height; ++I)
    X[I * (Of.Width + 1)] = 0.5 * X[I * (Of.Width + 1)] + Factor;
}
LOOP(diagonalByShape);

/// Multiplies a tridiagonal matrix by a vector.
static void threeDiagonals() {
  for (long I = 1; I < Rows - 1; ++I) {
    R[I] = 0;
    for (long J = I - 1; J <= I + 1; ++J)
      R[I] += F[I][J] * S[J];
  }
}
LOOP(threeDiagonals);
} // namespace loops
