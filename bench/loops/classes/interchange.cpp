//===- bench/loops/classes/interchange.cpp - nests whose loops are in the wrong order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void columnsOutside() {
  for (long J = 0; J < Columns; ++J)
    for (long I = 0; I < Rows; ++I)
      M[I][J] = P[I][J] + Q[I][J];
}
LOOP(columnsOutside);

/// The recurrence runs down the columns.
static void recurrenceInside() {
  for (long J = 0; J < Columns; ++J)
    for (long I = 1; I < Rows; ++I)
      F[I][J] = 0.5f * F[I - 1][J] + G[I][J];
}
LOOP(recurrenceInside);

static void columnSums() {
  for (long J = 0; J < Columns; ++J) {
    double Sum = 0;
    for (long I = 0; I < Rows; ++I)
      Sum += M[I][J];
    A[J] = Sum;
  }
}
LOOP(columnSums);

static void transposed() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Rows; ++J)
      F[I][J] = G[J][I];
}
LOOP(transposed);

/// Multiplies two small matrices; the innermost loop is a sum.
static void product() {
  for (long I = 0; I < 24; ++I)
    for (long J = 0; J < 24; ++J) {
      double Sum = 0;
      for (long K = 0; K < 24; ++K)
        Sum += M[I][K] * P[K][J];
      Q[I][J] = Sum;
    }
}
LOOP(product);

static void columnsByShape(float *X, const float *Y, Shape Of, float Factor) {
  for (long J = 0; J < Of.Width; ++J)
    for (long I = 0; I < Of.Height; ++I)
      X[I * Of.Width + J] = Factor * Y[I * Of.Width + J];
}
LOOP(columnsByShape);
} // namespace loops
