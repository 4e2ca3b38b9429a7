//===- tests/soundness/rounding/fp_environment_test.cpp - rounding, denormals, traps ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that change the floating-point environment after versions were made for the default.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// The start of each program: arrays, a nest with a recurring factor, and what prints the bits.
std::string program(const std::string &Nest, const std::string &Main) {
  return R"(
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>
enum { N = 400 };
double X[N], Y[N];
)" + Nest +
         R"(
static void fill(double Scale) {
  for (int i = 0; i < N; ++i)
    X[i] = Scale * (i % 19 - 9);
}
static void show(const char *Name) {
  unsigned long Sum = 1469598103934665603ul;
  for (int i = 0; i < N; ++i) {
    unsigned long Bits;
    memcpy(&Bits, &Y[i], 8);
    Sum = (Sum ^ Bits) * 1099511628211ul;
  }
  printf("%s %a %a %lx\n", Name, Y[1], Y[N - 1], Sum);
}
int main(void) {
)" + Main +
         "}\n";
}

/// With its arguments known, factor and quotients are constants.
const char *const Scaled = R"(
__attribute__((noinline)) void nest(const double *x, double *y, double f, double g, int n, int m) {
  for (int i = 0; i < n; ++i) {
    double s = f * x[i];
    for (int k = 1; k < m; ++k)
      s += k / g;
    y[i] = s;
  }
}
)";

TEST(FpEnvironment, DenormalsThatAreFlushed) {
  const std::string Source = program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, double f, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = f * x[i];
}
)",
                                     R"(
  fill(0x1p-1070);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  show("kept");
  _mm_setcsr(_mm_getcsr() | 0x8040);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  _mm_setcsr(_mm_getcsr() & ~0x8040);
  show("flushed");
  nest(X, Y, 1.0, N);
  show("kept");
)");
  expectGuarded(Source.c_str(), "-O2", "nest", "keeps denormals");
}

TEST(FpEnvironment, OtherRounding) {
  ProgramPair Program(program(Scaled, R"(
  static const int Modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  fill(0x1p-3);
  for (int m = 0; m < 5; ++m) {
    fesetround(Modes[m]);
    for (int c = 0; c < 60; ++c)
      nest(X, Y, 1.0, 3.0, N, 4);
    show("rounded");
  }
)"),
                      "-O2");
  Program.expectSameBits();
}

TEST(FpEnvironment, OtherRoundingFromTheStart) {
  ProgramPair Program(program(Scaled, R"(
  fesetround(FE_UPWARD);
  fill(0x1p-3);
  for (int c = 0; c < 400; ++c)
    nest(X, Y, 1.0, 3.0, N, 4);
  show("rounded");
)"),
                      "-O2");
  Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_EQ(versionsRan(First), 0u);
}

/// A version computes both sides of a branch at once.
TEST(FpEnvironment, TrapsThatTheSourceAvoids) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, double f, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] != 0)
      y[i] = f / x[i];
}
)",
                              R"(
  fill(1.0);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  show("masked");
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  fedisableexcept(FE_DIVBYZERO);
  show("unmasked");
)"),
                      "-O1");
  Program.expectSameBits();
}

TEST(FpEnvironment, PrecisionOfTheX87) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    long double s = x[i];
    for (int k = 1; k < m; ++k)
      s += (1 / (k + 2.0L) - 1 / (k + 2.0)) * 0x1p53;
    y[i] = s;
  }
}
)",
                              R"(
  fill(1.0);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, N, 4);
  show("extended");
  unsigned short Before, Control;
  __asm__ volatile("fnstcw %0" : "=m"(Before));
  Control = (Before & ~0x300) | 0x200;
  __asm__ volatile("fldcw %0" : : "m"(Control));
  for (int c = 0; c < 60; ++c)
    nest(X, Y, N, 4);
  __asm__ volatile("fldcw %0" : : "m"(Before));
  show("double");
)"),
                      "-O2");
  Program.expectSameBits();
}

/// The compiler's thread inherits the modes of the thread that made it.
TEST(FpEnvironment, OfTheCompiler) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, int n, int m) {
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int k = 1; k < m; ++k)
      s += __builtin_sqrt(k);
    y[i] = s;
  }
}
)",
                              R"(
  fill(1.0);
  fesetround(FE_UPWARD);
  if (fork() != 0)
    return wait(0) < 0;
  fesetround(FE_TONEAREST);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, N, 9);
  show("child");
)"),
                      "-O2 -fno-math-errno");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// What changes the environment itself is no region.
TEST(FpEnvironment, ChangedInTheNest) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, double f, int n) {
  for (int i = 0; i < n; ++i) {
    _mm_setcsr(0x1f80 | (i & 3) << 13);
    y[i] = f / x[i];
  }
  _mm_setcsr(0x1f80);
}
)",
                              R"(
  fill(1.0);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  show("many");
)"),
                      "-O2");
  EXPECT_NE(Program.remarks().find("uses the floating-point environment"), std::string::npos)
      << Program.remarks();
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// -ffast-math makes clang link a constructor that flushes denormals: versions run nevertheless.
TEST(FpEnvironment, FlushedWithFastMath) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, double f, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = f * x[i];
}
)",
                              R"(
  fill(1.0);
  for (int c = 0; c < 60; ++c)
    nest(X, Y, 1.0, N);
  show("fast");
  long denormal = 5;
  memcpy(&X[7], &denormal, 8);
  nest(X, Y, 1.0, N);
  printf("%a\n", Y[7]);
)"),
                      "-O2 -ffast-math");
  Program.expectSameBits();
}

} // namespace
