//===- bench/loops/elsewhere.cpp - functions that loops call in another file ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

double damp(double X) { return X / (1.0 + X * X); }

float mix(float X, float Y) { return 0.25f * X + 0.75f * Y; }

double weight(long Index) { return 1.0 + 0.5 * static_cast<double>(Index % 5); }

void exchange(double &X, double &Y) {
  const double Kept = X;
  X = Y;
  Y = Kept;
}

bool isAccepted(float X) { return X > -0.5f && X < 0.5f; }

} // namespace loops
