//===- bench/loops/classes/dataflow.cpp - facts that the code around a loop determines ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

/// Both branches give the same step.
static void sameStep() {
  long Step = 2;
  if (Few > 1)
    Step = 1;
  else
    --Step;
  for (long I = 0; I < Length; I += Step)
    A[I] = B[I] + C[I];
}
LOOP(sameStep);

/// The limit is a constant, whichever way it is computed.
static void constantLimit() {
  int Limit = 4000;
  for (int I = 0; I < 10; ++I)
    Limit += 400;
  for (int I = 0; I < Limit; ++I)
    R[I] = 2.0f * S[I] - T[I];
}
LOOP(constantLimit);

/// The factor is read before the loop that writes its neighbours.
static void factorAhead(double *X, const double *Y, long N) {
  const double Factor = X[0];
  for (long I = 1; I < N; ++I)
    X[I] = Factor * Y[I];
}
LOOP(factorAhead);

static void flagAhead() {
  const bool Doubled = S[0] > 2.0f;
  for (long I = 0; I < Length; ++I) {
    if (Doubled)
      R[I] = 2.0f * S[I];
    else
      R[I] = S[I] + U[I];
  }
}
LOOP(flagAhead);

/// The second loop reads only what the first one writes.
static void onlyBetweenLoops() {
  double Between[Columns];
  for (long I = 0; I < Rows; ++I) {
    for (long J = 0; J < Columns; ++J)
      Between[J] = M[I][J] * P[I][J];
    for (long J = 0; J < Columns; ++J)
      Q[I][J] = Between[Columns - 1 - J];
  }
}
LOOP(onlyBetweenLoops);
} // namespace loops
