//===- bench/loops/classes/calls.cpp - functions that other files define ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void damped() {
  for (long I = 0; I < Length; ++I)
    A[I] = damp(B[I]);
}
LOOP(damped);

static void mixed(float *X, const float *Y, const float *Z, long N) {
  for (long I = 0; I < N; ++I)
    X[I] = mix(Y[I], Z[I]);
}
LOOP(mixed);

static double weighted() {
  double Sum = 0;
  for (long I = 0; I < Length; ++I)
    Sum += weight(I) * A[I];
  return Sum;
}
LOOP(weighted);

static void exchangedElsewhere(double *X, double *Y, long N) {
  for (long I = 0; I < N; ++I)
    if (X[I] < Y[I])
      exchange(X[I], Y[I]);
}
LOOP(exchangedElsewhere);

static long accepted() {
  long Number = 0;
  for (long I = 0; I < Length; ++I)
    if (isAccepted(S[I])) {
      R[I] = S[I] + T[I];
      ++Number;
    }
  return Number;
}
LOOP(accepted);
} // namespace loops
