//===- bench/loops/classes/intrinsics.cpp - machine instructions and the C library ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"
#include <algorithm>
#include <cmath>

namespace loops {

static void roots() {
  for (long I = 0; I < Length; ++I)
    A[I] = std::sqrt(1.0 + B[I]);
}
LOOP(roots);

static void absoluteValues(float *X, const float *Y, long N) {
  for (long I = 0; I < N; ++I)
    X[I] = std::fabs(Y[I]) - 0.5f;
}
LOOP(absoluteValues);

static void betweenLimits() {
  for (long I = 0; I < Length; ++I)
    A[I] = std::min(std::max(B[I], -0.5), 0.5);
}
LOOP(betweenLimits);

static void roundedDown() {
  for (long I = 0; I < Length; ++I)
    R[I] = std::floor(8.0f * S[I]) * 0.125f;
}
LOOP(roundedDown);

static void exponentials(double *X, const double *Y, long N) {
  for (long I = 0; I < N; ++I)
    X[I] = std::exp(-Y[I] * Y[I]);
}
LOOP(exponentials);

static void fused() {
  for (long I = 0; I < Length; ++I)
    A[I] = std::fma(B[I], C[I], D[I]);
}
LOOP(fused);

static void waves() {
  for (long I = 0; I < Length; ++I)
    R[I] = std::sin(S[I]) + std::cos(T[I]);
}
LOOP(waves);
} // namespace loops
