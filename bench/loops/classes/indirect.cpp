//===- bench/loops/classes/indirect.cpp - subscripts that are in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

static void gathered() {
  for (long I = 0; I < Length; ++I)
    A[I] = B[Order[I]] + C[I];
}
LOOP(gathered);

static void scattered() {
  for (long I = 0; I < Length; ++I)
    R[Order[I]] = S[I] * T[I];
}
LOOP(scattered);

static void counts() {
  for (long I = 0; I < Length; ++I)
    A[Place[I]] += 1.0;
}
LOOP(counts);

static void gatheredByArgument(double *X, const double *Y, const int *Where, long N) {
  for (long I = 0; I < N; ++I)
    X[I] = 0.5 * X[I] + Y[Where[I]];
}
LOOP(gatheredByArgument);

/// The subscript of the subscript is in memory, too.
static float twoLevels() {
  float Sum = 0;
  for (long I = 0; I < Length; ++I)
    Sum += S[Place[Order[I]]];
  return Sum;
}
LOOP(twoLevels);

/// The factors come from a table of constants.
static void fromTable() {
  static constexpr float Table[4] = {0.5f, -1.0f, 0.25f, 2.0f};
  for (long I = 0; I < Length; ++I)
    R[I] = S[I] * Table[Kind[I]];
}
LOOP(fromTable);
} // namespace loops
