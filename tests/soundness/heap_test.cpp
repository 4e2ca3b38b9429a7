//===- tests/soundness/heap_test.cpp - the heap that a program finds ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

namespace specrt::soundness {
namespace {

// Prints where rows of several lengths lie apart in another way than those before. The products
// give later runs something to load.
const char *const Rows = R"(
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };

__attribute__((noinline)) static void multiply(double *c, const double *a, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

static void rows(int size) {
  char *row[200];
  for (int i = 0; i < 200; ++i)
    row[i] = malloc(size);
  for (int i = 2; i < 200; ++i)
    if (row[i] - row[i - 1] != row[1] - row[0]) {
      printf("row %d of %d bytes: %ld\n", i, size, (long)(row[i] - row[i - 1]));
      break;
    }
}

int main(void) {
  rows(24);
  rows(400);
  rows(1200);
  rows(4800);
  rows(12000);
  static double a[N * N], b[N * N], c[N * N];
  for (int i = 0; i < N * N; ++i)
    a[i] = 1.0 / (i + 1), b[i] = i;
  for (int call = 0; call < 60; ++call) {
    multiply(c, a, b, N);
    a[call] = c[call];
  }
  printf("%a\n", c[N]);
}
)";

TEST(Heap, RowsLieTheSameDistanceApartAlsoWhereVersionsWereLoaded) {
  ProgramPair Program(Rows, "-O2");
  EXPECT_EQ(Program.plain().Output.find("row"), std::string::npos) << Program.plain().Output;
  Program.expectSameBits();
  EXPECT_EQ(Program.with().Output, Program.plain().Output);
}

} // namespace
} // namespace specrt::soundness
