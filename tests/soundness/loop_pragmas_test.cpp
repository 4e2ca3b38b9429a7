//===- tests/soundness/loop_pragmas_test.cpp - pragmas that Polly must not see ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// Polly crashed when it unrolled a loop because of a pragma. The optimisation level must leave the
/// loop, and with it the pragma, to the version.
TEST(LoopPragmasInPolly, OfUnrolling) {
  ProgramPair Program(R"(
#include <stdio.h>
__attribute__((noinline)) static void nest(float *A, const int *X, long m) {
  for (long i = 0; i < 4; ++i) {
#pragma clang loop unroll(full)
    for (long j = 0; j < m; ++j)
      A[i * m + j] = A[(i + 3) * m + (j + 2)] - A[X[i * 5] + i];
  }
}
static float A[4000];
static int X[40];
int main(void) {
  for (int i = 0; i < 4000; i++)
    A[i] = i % 17;
  for (int i = 0; i < 40; i++)
    X[i] = i * 8;
  for (int c = 0; c < 200; c++)
    nest(A, X, c < 150 ? 18 : c < 180 ? 23 : 1);
  for (int i = 0; i < 100; i++)
    printf("%a\n", A[i]);
}
)",
                      "-O1");
  Program.expectSameBits();
}

} // namespace
