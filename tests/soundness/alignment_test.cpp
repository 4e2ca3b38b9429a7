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

/// A row of sums gets a place per iteration around it. Its rows there are as long as needed, not as
/// the alignment that the source promises would have it.
TEST(Alignment, OfExpandedStorage) {
  ProgramPair Program(R"(
#include <stdio.h>
#include <stdlib.h>
enum { N = 24, P = 37 };
_Alignas(64) double Row[4 * P + 4];
static double A[P * P * 4 + 4], C[N * P * 4];
__attribute__((noinline)) static void sums(int n, int p) {
  for (int q = 0; q < n; ++q) {
    for (int j = 0; j < p; ++j) {
      Row[4 * j] = 1; Row[4 * j + 1] = 2; Row[4 * j + 2] = 3;
    }
    for (int s = 0; s < p; ++s)
      for (int j = 0; j < p; ++j) {
        Row[4 * j] += C[q * P + s] * A[s * P + j];
        Row[4 * j + 1] += C[q * P + s] * A[s * P + j + P * P];
        Row[4 * j + 2] += C[q * P + s] * A[s * P + j + 2 * P * P];
      }
    for (int j = 0; j < p; ++j)
      C[q * P + j] = 0.001 * (Row[4 * j] + Row[4 * j + 1] + Row[4 * j + 2]);
  }
}
int main(int argc, char **argv) {
  for (int i = 0; i < P * P * 4; ++i)
    A[i] = i % 17;
  for (int i = 0; i < N * P; ++i)
    C[i] = i % 5;
  for (int c = 0; c < 30; ++c)
    sums(argc + N - 1, argc + P - 1);
  for (int i = 0; i < N * P; ++i)
    printf("%a\n", C[i]);
}
)",
                      "-O3 -march=native");
  Program.expectSameBits();
}

/// Elements of a packed structure have no alignment, whatever their type's is.
TEST(Alignment, OfPackedStructures) {
  ProgramPair Program(R"(
#include <stdio.h>
enum { N = 60 };
struct __attribute__((packed)) { char C; double A[N][N], B[N][N], R[N]; } S;
__attribute__((noinline)) static void product(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double Sum = 0;
      for (int k = 0; k < n; ++k)
        Sum += S.A[i][k] * S.A[k][j];
      S.B[i][j] = Sum;
      S.R[i] += Sum;
    }
}
int main(int argc, char **argv) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      S.A[i][j] = (i * 7 + j) % 13;
  for (int c = 0; c < 20; ++c)
    product(argc + N - 1);
  for (int i = 0; i < N; ++i)
    printf("%a %a\n", S.B[i][(i * 7) % N], S.R[i]);
}
)",
                      "-O3 -march=native");
  Program.expectSameBits();
}

} // namespace
