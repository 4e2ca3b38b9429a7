//===- bench/loops/classes/symbolics.cpp - bounds, steps and offsets known at run time ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void offsetByArgument(double *X, const double *Y, long N, long K) {
  for (long I = 0; I < N - K; ++I)
    X[I] = Y[I + K] * 1.5;
}
LOOP(offsetByArgument);

static void strideByArgument(float *X, const float *Y, long N, long K) {
  for (long I = 0; I < N; I += K)
    X[I] = Y[I] + 0.5f;
}
LOOP(strideByArgument);

static void halves(double *X, long N) {
  for (long I = 0; I < N / 2; ++I)
    X[I] = 0.5 * (X[I] + X[I + N / 2]);
}
LOOP(halves);

static void offsetInMemory() {
  for (long I = 0; I < Middle; ++I)
    R[I] = R[I + Middle] + S[I];
}
LOOP(offsetInMemory);

static void boundsInMemory() {
  for (long I = Few; I < Length - Few; ++I)
    A[I] = B[I - Few] + B[I + Few];
}
LOOP(boundsInMemory);

static void matrixByShape(float *X, const float *Y, Shape Of) {
  for (long I = 0; I < Of.Height; ++I)
    for (long J = 1; J < Of.Width; ++J)
      X[I * Of.Width + J] = Y[I * Of.Width + J] - Y[I * Of.Width + J - 1];
}
LOOP(matrixByShape);
} // namespace loops
