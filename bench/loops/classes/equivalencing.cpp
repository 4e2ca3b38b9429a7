//===- bench/loops/classes/equivalencing.cpp - one memory under several names ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void twoViews() {
  double *Low = A, *High = A + Length / 2;
  for (long I = 0; I < Length / 2; ++I)
    Low[I] = 0.5 * High[I] + B[I];
}
LOOP(twoViews);

/// The loop treats a matrix as one long row.
static void flat() {
  float *All = &F[0][0];
  const float *Others = &G[0][0];
  for (long I = 0; I < Rows * Columns; ++I)
    All[I] = 0.5f * All[I] + Others[I];
}
LOOP(flat);

/// The two names are a few elements apart.
static void overlapping() {
  double *Ahead = A + Few;
  for (long I = 0; I < Length - 8; ++I)
    A[I] = 0.5 * Ahead[I] + B[I];
}
LOOP(overlapping);

/// Both names mean the same array.
static void sameTwice(float *X, long N) {
  const float *Y = X;
  for (long I = 0; I + 1 < N; ++I)
    X[I] = 0.5f * (Y[I] + Y[I + 1]);
}
LOOP(sameTwice);

/// Four consecutive numbers are the coordinates of a point and its weight.
static void points(double *X, const double *Weights, long N) {
  const double *Second = X + 1, *Third = X + 2;
  double *Weighted = X + 3;
  for (long I = 0; I < N; I += 4)
    Weighted[I] = Weights[I] * (X[I] + Second[I] + Third[I]);
}
LOOP(points);

} // namespace loops
