//===- bench/loops/classes/dependence.cpp - which iterations access the same element ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// Writes go to even places and reads to odd ones, so iterations are independent.
static void evenFromOdd() {
  for (long I = 0; I < Length / 2; ++I)
    A[2 * I] = A[2 * I + 1] * B[I] + C[I];
}
LOOP(evenFromOdd);

/// Writes go to one half of the array, reads to the other.
static void secondHalfFromFirst() {
  for (int I = 0; I < Length / 2; ++I)
    R[I + Length / 2] = R[I] + S[I] * T[I];
}
LOOP(secondHalfFromFirst);

/// Four iterations are independent of each other.
static void fourApart() {
  for (int I = 4; I < Length; ++I)
    A[I] = 0.5 * A[I - 4] + B[I];
}
LOOP(fourApart);

static void backwards() {
  for (long I = Length - 1; I > 0; --I)
    U[I] = U[I - 1] + 0.5f * V[I];
}
LOOP(backwards);

/// An argument determines the direction of the dependence.
static void shiftedByArgument(float *X, const float *Y, long N, long K) {
  for (long I = 0; I < N - K; ++I)
    X[I] = 0.5f * X[I + K] + Y[I];
}
LOOP(shiftedByArgument);

/// Columns in the left half of a matrix depend on columns in the right one.
static void leftFromRight() {
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Columns / 2; ++J)
      M[I][J] = M[I][J + Columns / 2] - P[I][J];
}
LOOP(leftFromRight);
} // namespace loops
