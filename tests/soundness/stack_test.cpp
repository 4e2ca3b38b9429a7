//===- tests/soundness/stack_test.cpp - threads with little stack ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// Every call comes from a thread of its own with the smallest stack that there is.
constexpr const char *Program = R"(
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
enum { N = 420, Cells = 40000 };
static double A[N][N], B[N][N], C[N][N], D[N][N], X[Cells], Y[Cells];
__attribute__((noinline)) static void product(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
__attribute__((noinline)) static void transposed(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        D[i][j] += 0.5 * A[k][i] * B[j][k];
}
__attribute__((noinline)) static void triangle(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      for (int k = 0; k < j; ++k)
        D[i][j] -= D[i][k] * D[k][j] * 1e-6;
      D[i][j] /= 1.0 + D[j][j] * D[j][j];
    }
}
__attribute__((noinline)) static void smooth(int steps, int n) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      Y[i] = 0.25 * (X[i - 1] + 2 * X[i] + X[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      X[i] = Y[i];
  }
}
static void *run(void *what) {
  switch (*(int *)what) {
  case 0: product(N); break;
  case 1: product(90); break;
  case 2: transposed(200); break;
  case 3: triangle(260); break;
  case 4: smooth(40, Cells); break;
  }
  return 0;
}
int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      A[i][j] = (i * j) % 7 * 0.3, B[i][j] = (i + 2 * j) % 5 - 1.5;
      D[i][j] = 1 + (i + j) % 3;
    }
  for (int i = 0; i < Cells; ++i)
    X[i] = i % 23;
  pthread_attr_t small;
  pthread_attr_init(&small);
  if (pthread_attr_setstacksize(&small, sysconf(_SC_THREAD_STACK_MIN)))
    return 2;
  for (int call = 0; call < 12; ++call)
    for (int what = 0; what < 5; ++what) {
      pthread_t t;
      if (pthread_create(&t, &small, run, &what))
        return 3;
      pthread_join(t, 0);
    }
  for (int i = 0; i < N; i += 3)
    printf("%a %a %a\n", C[i][N - 1 - i], D[i][i / 2], X[17 * i]);
  return 0;
}
)";

TEST(Stack, OfTheLeastSizeIsEnough) {
  ProgramPair Pair(Program, "-O2");
  Outcome First = Pair.expectSameBits({{"SPECRT_THREADS", "1"}});
  EXPECT_NE(First.Report.dump().find("contraction"), std::string::npos);
}

TEST(Stack, OfTheLeastSizeIsEnoughForParallelVersions) {
  ProgramPair Pair(Program, "-O2");
  Outcome First = Pair.expectSameBits({{"SPECRT_THREADS", "2"}});
  EXPECT_NE(First.Report.dump().find("contraction-parallel"), std::string::npos);
}

} // namespace
