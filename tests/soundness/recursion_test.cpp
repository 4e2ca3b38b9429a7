//===- tests/soundness/recursion_test.cpp - regions that enter themselves --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursion that fits the stack without libspecrt fits it with libspecrt, in every run.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char *Reason = "through which its function may be called again";

/// Three runs with the usual 8 MiB of stack.
void expectToFit(const ProgramPair &Program) {
  auto Run = [&](const std::string &Half, const Environment &Settings) {
    std::string Command = "ulimit -s 8192; exec " + Program.box().path(Half).string();
    return Program.box().run("/bin/sh", {"-c", Command}, Settings);
  };
  Outcome Plain = Run("plain", {});
  ASSERT_EQ(Plain.Status, 0);
  for (int I = 1; I <= 3; ++I) {
    SCOPED_TRACE("run " + std::to_string(I));
    specrt::e2e::expectSame(Run("with", AtOnce), Plain);
  }
}

/// The tail calls become a loop around the other call.
TEST(Recursion, Ackermann) {
  ProgramPair Program({{"program.cpp", R"(
#include <cstdio>
__attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
int main() {
  for (int c = 0; c < 20; ++c)
    std::printf("%d\n", ackermann(2, 30 + c));
  std::printf("%d\n", ackermann(1, 32763));
}
)"}},
                      "-O2");
  EXPECT_THAT(Program.remarks(), HasSubstr("calls _Z9ackermannii, " + std::string(Reason)));
  expectToFit(Program);
}

/// Two functions that call each other out of their loops, by attributes or by what can be seen.
std::string mutual(const std::string &Second) {
  return R"(
#include <stdio.h>
double second(const double *a, int n, int depth) __attribute__((pure, nothrow));
double first(const double *a, int n, int depth) __attribute__((pure, nothrow));
double A[8];
__attribute__((noinline)) double first(const double *a, int n, int depth) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * (i == n - 1 && depth ? second(a, n, depth - 1) : 0.5);
  return s;
}
)" + Second +
         R"(
int main(void) {
  for (int i = 0; i < 8; ++i)
    A[i] = 1.0 / (i + 2);
  for (int c = 0; c < 100; ++c)
    printf("%a\n", first(A, 8, c));
  printf("%a\n", first(A, 8, 32765));
}
)";
}

TEST(Recursion, OfTwoFunctions) {
  ProgramPair Program(mutual(R"(
__attribute__((noinline)) double second(const double *a, int n, int depth) {
  return first(a, n, depth) * 0.25;
}
)"),
                      "-O2");
  EXPECT_THAT(Program.remarks(), HasSubstr("calls second, " + std::string(Reason)));
  expectToFit(Program);
}

/// The code of both is looked for, and then the region is left alone when the program is loaded.
TEST(Recursion, ThroughAnotherFile) {
  ProgramPair Program({{"first.c", mutual("")}, {"second.c", R"(
double first(const double *a, int n, int depth) __attribute__((pure, nothrow));
double second(const double *a, int n, int depth) { return first(a, n, depth) * 0.25; }
)"}},
                      "-O2");
  const auto Region = Program.with().region("first");
  ASSERT_FALSE(Region.is_null());
  EXPECT_EQ(Region["reason"], "calls a function whose code is not known: first");
  expectToFit(Program);
}

/// What calls only the C library, or functions that do not lead back, is a region as before.
TEST(Recursion, IsNotSeenInOtherCalls) {
  ProgramPair Program(R"(
#include <math.h>
#include <stdio.h>
double A[64];
__attribute__((noinline)) static double average(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s / n;
}
__attribute__((noinline)) void smooth(double *a, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    a[t] = exp(-average(a, n)) + cbrt(a[t]) + tgamma(a[t] + 1);
}
int main(void) {
  for (int i = 0; i < 64; ++i)
    A[i] = 1.0 / (i + 2);
  for (int c = 0; c < 100; ++c)
    smooth(A, 64, 50);
  for (int i = 0; i < 64; ++i)
    printf("%a\n", A[i]);
}
)",
                      "-O2");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Reason)));
  Program.expectSameBits();
}

} // namespace
