//===- bench/loops/classes/interprocedural.cpp - loops whose bodies are functions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static double blend(double X, double Y, double Share) { return Share * X + (1.0 - Share) * Y; }

static void blended() {
  for (long I = 0; I < Length; ++I)
    A[I] = blend(B[I], C[I], 0.3);
}
LOOP(blended);

static void addRow(float *To, const float *From, long Width) {
  for (long J = 0; J < Width; ++J)
    To[J] += 0.5f * From[J];
}

static void rowByRow() {
  for (long I = 1; I < Rows; ++I)
    addRow(F[I], G[I - 1], Columns);
}
LOOP(rowByRow);

struct Pair {
  double X, Y;
};

static Pair rotate(Pair Given) {
  return {0.6 * Given.X - 0.8 * Given.Y, 0.8 * Given.X + 0.6 * Given.Y};
}

static void rotated(double *X, double *Y, long N) {
  for (long I = 0; I < N; ++I) {
    const Pair Turned = rotate({X[I], Y[I]});
    X[I] = Turned.X;
    Y[I] = Turned.Y;
  }
}
LOOP(rotated);

template <class Operation> static void each(float *X, long N, Operation Apply) {
  for (long I = 0; I < N; ++I)
    X[I] = Apply(I);
}

static void givenAsLambda(float *X, const float *Y, const float *Z, long N, float Factor) {
  each(X, N, [=](long I) { return Factor * Y[I] + Z[I]; });
}
LOOP(givenAsLambda);

static void count(double X, double &Sum, long &Number) {
  if (X > 0.25) {
    Sum += X;
    ++Number;
  }
}

static double byReference() {
  double Sum = 0;
  long Number = 0;
  for (long I = 0; I < Length; ++I)
    count(A[I], Sum, Number);
  return Sum / static_cast<double>(Number);
}
LOOP(byReference);
} // namespace loops
