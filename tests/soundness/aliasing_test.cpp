//===- tests/soundness/aliasing_test.cpp - which pointers are alone --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// A loop that reads through q what it has just written through p, where \p Setup computes both
/// from one object: each value depends on the one before.
std::string recurrence(const std::string &Parameters, const std::string &Setup,
                       const std::string &Arguments) {
  return R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double Static[2048];
long Zeros[16];
__attribute__((noinline)) static double *row(double *p, long o) { return p + o; }
__attribute__((noinline)) void run(long n, long *o, double *out, )" +
         Parameters + ") {\n" + Setup + R"(
  p[0] = 1000;
  for (long i = 0; i < n; i++)
    p[i + 1] = q[i] * 0.5 + 1.0;
  memcpy(out, p, (n + 1) * sizeof *p);
}
int main(int argc, char **argv) {
  double out[2048];
  for (int c = 0; c < 40; ++c) {
    run(1000 * argc, Zeros + argc - 1, out, )" +
         Arguments + R"();
    for (int i = 0; i <= 1000; i += 37)
      printf("%a\n", out[i]);
  }
}
)";
}

void expectDependence(const std::string &Parameters, const std::string &Setup,
                      const std::string &Arguments) {
  ProgramPair Program(recurrence(Parameters, Setup, Arguments), "-O3 -march=native");
  EXPECT_NE(Program.remarks().find("loop is a region"), std::string::npos);
  Program.expectSameBits();
}

/// An accessor returns a pointer from its argument. That does not count as a capture.
TEST(Aliasing, AccessorOfHeap) {
  expectDependence("int unused", "double *p = calloc(n + 1, 8), *q = row(p, o[0]);", "0");
}

TEST(Aliasing, AccessorOfStack) {
  expectDependence("int unused", "double a[2048]; double *p = a, *q = row(a, o[0]);", "0");
}

TEST(Aliasing, AccessorOfRestrictParameter) {
  expectDependence("double *restrict p", "double *q = row(p, o[0]);", "Static");
}

/// The pointers that may come from the accessor are two calls and a choice away.
TEST(Aliasing, AccessorsBehindAChoice) {
  expectDependence("double *restrict p, double *r",
                   "double *q = o[1] ? r : row(o[2] ? r + 1 : row(p, o[0]), o[3]);",
                   "Static, Static + 1024");
}

/// More address computations than LLVM looks through when it is not asked to go on.
TEST(Aliasing, ChainOfAddresses) {
  expectDependence("int unused", R"(
  double *p = calloc(n + 1, 8);
  double *q = p + o[0]; q += o[1]; q += o[2]; q += o[3]; q += o[4]; q += o[5]; q += o[6];
  q += o[7]; q += o[8]; q += o[9]; q += o[10]; q += o[11]; q += o[12];)",
                   "0");
}

TEST(Aliasing, ChainOfAddressesFromRestrictParameter) {
  expectDependence("double *restrict p", R"(
  double *q = p + o[0]; q += o[1]; q += o[2]; q += o[3]; q += o[4]; q += o[5]; q += o[6];
  q += o[7]; q += o[8]; q += o[9]; q += o[10]; q += o[11]; q += o[12];)",
                   "Static");
}

/// Each call of the inlined function reads the row that the call before it wrote: no call breaks
/// its promise that its own two rows do not overlap. Believed of all iterations, it would allow
/// tiles.
TEST(Aliasing, InlinedRestrictHoldsForOneIteration) {
  ProgramPair Program(R"(
#include <stdio.h>
double A[401 * 1000];
static inline void relax(double *restrict y, const double *restrict x, int n) {
  for (int j = 0; j < n - 1; j++)
    y[j] = 0.5 * x[j + 1] + 1.0;
}
__attribute__((noinline)) void sweep(double *p, const double *q, int m, int n) {
  for (int i = 0; i < m; i++)
    relax(p + i * n, q + i * n, n);
}
int main(void) {
  for (int c = 0; c < 60; ++c) {
    for (int j = 0; j < 1000; j++)
      A[j] = (j + c) % 13;
    sweep(A + 1000, A, 400, 1000);
    printf("%a\n", A[40 * 1000 + c]);
  }
}
)",
                      "-O3 -march=native");
  EXPECT_NE(Program.remarks().find("program.c:9:3: remark: loop is a region"), std::string::npos);
  Outcome First = Program.expectSameBits();
  // Nothing kept Polly from looking at the nest.
  EXPECT_EQ(First.Report.dump().find("a function with unknown effects"), std::string::npos);
  Program.expectSameBits({{"SPECRT_THREADS", "4"}});
}

} // namespace
