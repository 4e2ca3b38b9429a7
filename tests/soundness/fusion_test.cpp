//===- tests/soundness/fusion_test.cpp - fused or rounded twice -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

// Values whose products are not exact, so that fusing shows.
const std::string Head = R"(
#include <stdio.h>
enum { N = 48 };
static double A[N * N], B[N * N], C[N * N];
static void fill(void) {
  for (int i = 0; i < N * N; ++i) {
    A[i] = 1.0 + (i * 37 % 101) / 97.0;
    B[i] = 1.0 / 3 - (i * 53 % 89) / 71.0;
    C[i] = (i * 29 % 83) / 61.0;
  }
}
static void print(void) {
  for (int i = 0; i < N * N; i += 5)
    printf("%a\n", C[i]);
}
)";

const std::string Main = R"(
int main(void) {
  fill();
  for (int c = 0; c < 40; ++c)
    nest(N);
  print();
}
)";

/// A helper that the original calls is compiled for the target it names itself.
TEST(Fusion, IsDecidedByEachFunctionsOwnTarget) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static double unfused(double a, double b, double c) { return a * b + c; }
__attribute__((noinline, target("avx2,fma"))) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = unfused(A[i * n + j], B[i * n + j], C[i * n + j]) * 0.5 + B[j * n + i];
}
)" + Main,
                      "-O2");
  Program.expectSameBits();
}

TEST(Fusion, OfACalleeIsKeptInACallerWithout) {
  ProgramPair Program(Head + R"(
__attribute__((noinline, target("avx2,fma"))) static double fused(double a, double b, double c) {
  return a * b + c;
}
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = fused(A[i * n + j], B[i * n + j], C[i * n + j]) * 0.5 + B[j * n + i];
}
)" + Main,
                      "-O2");
  Program.expectSameBits();
}

} // namespace
