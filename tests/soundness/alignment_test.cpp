//===- tests/soundness/alignment_test.cpp - alignment of moved accesses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// A value that a loop carries is loaded again in every iteration. Only the first of these
/// addresses is that of the load before the loop, which may be aligned better than the others.
TEST(Alignment, OfCarriedValues) {
  ProgramPair Program(R"(
#include <stdio.h>
_Alignas(64) double A[4096], B[4096];
__attribute__((noinline)) static void sweep(int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    double a = A[0];
    for (int j = 0; j < n; ++j) {
      double b = A[j + 1];
      B[j] = 0.5 * (a + b);
      a = b;
    }
    for (int j = 0; j < n; ++j)
      A[j] = 0.99 * B[j];
  }
}
int main(void) {
  for (int i = 0; i < 4096; ++i)
    A[i] = i % 17;
  for (int c = 0; c < 60; ++c)
    sweep(3999, 100);
  for (int i = 0; i < 4000; i += 7)
    printf("%a %a\n", A[i], B[i]);
}
)",
                      "-O3 -march=native");
  Outcome First = Program.expectSameBits({{"SPECRT_HOT", "1"}});
  EXPECT_NE(First.Report.dump().find("time-tiled"), std::string::npos);
}

} // namespace
