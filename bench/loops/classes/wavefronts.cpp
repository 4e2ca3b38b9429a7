//===- bench/loops/classes/wavefronts.cpp - nests parallel along diagonals only ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void aboveAndLeft() {
  for (long I = 1; I < Rows; ++I)
    for (long J = 1; J < Columns; ++J)
      M[I][J] = 0.5 * (M[I - 1][J] + M[I][J - 1]);
}
LOOP(aboveAndLeft);

static void threeNeighbours() {
  for (long I = 1; I < Rows; ++I)
    for (long J = 1; J < Columns; ++J)
      F[I][J] = 0.25f * (F[I - 1][J] + F[I][J - 1] + F[I - 1][J - 1] + G[I][J]);
}
LOOP(threeNeighbours);

static void sweep(double *X, const double *Y, Shape Of) {
  for (long I = 1; I < Of.Height - 1; ++I)
    for (long J = 1; J < Of.Width - 1; ++J)
      X[I * Of.Width + J] =
          0.25 * (X[(I - 1) * Of.Width + J] + X[I * Of.Width + J - 1] + X[(I + 1) * Of.Width + J] +
                  X[I * Of.Width + J + 1] + Y[I * Of.Width + J]);
}
LOOP(sweep);

/// Computes the cost of the cheapest path from a corner.
static void cheapestWay() {
  for (long I = 1; I < Rows; ++I)
    for (long J = 1; J < Columns; ++J) {
      const float Above = F[I - 1][J], Left = F[I][J - 1];
      F[I][J] = (Above < Left ? Above : Left) + G[I][J];
    }
}
LOOP(cheapestWay);

/// Computes the lengths of common substrings of two sequences.
static void commonParts() {
  for (long I = 1; I < Rows; ++I)
    for (long J = 1; J < Columns; ++J)
      M[I][J] = Kind[I] == Kind[100 + J] ? M[I - 1][J - 1] + 1.0 : 0.0;
}
LOOP(commonParts);
} // namespace loops
