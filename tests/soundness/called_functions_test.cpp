//===- tests/soundness/called_functions_test.cpp - whose exp it is --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version calls what the original called, and computes with the same instructions.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

std::string program(const std::string &Nest, const std::string &Call) {
  return R"(
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { N = 400 };
double X[N], Y[N];
)" + Nest +
         R"(
int main(void) {
  for (int i = 0; i < N; ++i)
    X[i] = 0.37 * (i % 19 - 9);
  unsigned long Sum = 1469598103934665603ul;
  for (int c = 0; c < 60; ++c) {
    )" + Call +
         R"(;
    for (int i = 0; i < N; ++i) {
      unsigned long Bits;
      memcpy(&Bits, &Y[i], 8);
      Sum = (Sum ^ Bits) * 1099511628211ul;
    }
    printf("%lx\n", Sum);
  }
  for (int i = 0; i < N; ++i)
    printf("%a\n", Y[i]);
}
)";
}

/// Base and exponent become constants; LLVM would call the host's pow.
TEST(CalledFunctions, IntegerPowers) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, int n, int m, double b) {
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int k = 1; k < m; ++k)
      s += __builtin_powi(k * b, 3 * k + 1) + __builtin_powi(x[i], m) + __builtin_powi(k + b, -7);
    y[i] = s;
  }
}
)",
                              "nest(X, Y, N, 9, 1.1)"),
                      "-O2");
  Program.expectSameBits();
}

const char *const Exponentials = R"(
__attribute__((noinline)) void nest(const double *x, double *y, int n, double f) {
  for (int i = 0; i < n; ++i)
    y[i] = exp(f * x[i]) + sin(x[i]) * cos(x[i]) + pow(x[i], f);
}
)";

/// A library of the program's own, linked in and not exported.
TEST(CalledFunctions, OfTheProgram) {
  ProgramPair Program({{"program.c", program(Exponentials, "nest(X, Y, N, 2.0)")},
                       {"library.c", R"(
#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN double exp(double x) { return 1 + x * (1 + x / 2); }
HIDDEN double pow(double x, double y) { return y * x + 3; }
HIDDEN double sin(double x) { return x - 17; }
HIDDEN double cos(double x) { return x + 5; }
HIDDEN void sincos(double x, double *s, double *c) { *s = x - 19; *c = x + 7; }
)",
                        "-fno-builtin"}},
                      "-O2 -fno-math-errno");
  Program.expectSameBits();
}

TEST(CalledFunctions, OfTheCLibrary) {
  ProgramPair Program(program(Exponentials, "nest(X, Y, N, 2.0)"), "-O2 -fno-math-errno");
  Program.expectSameBits();
}

TEST(CalledFunctions, SinesWithCosines) {
  ProgramPair Program(program(R"(
__attribute__((noinline)) void nest(const double *x, double *y, int n, double f) {
  for (int i = 0; i < n; ++i) {
    double s, c;
    sincos(f * x[i], &s, &c);
    y[i] = s * x[i] + c;
  }
}
)",
                              "nest(X, Y, N, 2.0)"),
                      "-O2 -fno-math-errno");
  Program.expectSameBits();
}

TEST(CalledFunctions, OfALibraryOfVectors) {
  ProgramPair Program(program(Exponentials, "nest(X, Y, N, 2.0)"),
                      "-O2 -fno-math-errno -fveclib=libmvec -lmvec");
  EXPECT_NE(Program.remarks().find("which has a vector form"), std::string::npos)
      << Program.remarks();
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// The host's instruction for the conversion flushes denormals.
TEST(CalledFunctions, ConversionsToBfloat) {
  ProgramPair Program({{"program.c", program(R"(
__attribute__((noinline)) void nest(const float *x, __bf16 *y, int n, float f) {
  for (int i = 0; i < n; ++i)
    y[i] = (__bf16)(f * x[i]);
}
float A[N];
__bf16 B[N];
static void all(void) {
  for (int i = 0; i < N; ++i)
    A[i] = X[i] * 0x1p-130;
  nest(A, B, N, 1.0f);
  for (int i = 0; i < N; ++i) {
    short Bits;
    memcpy(&Bits, &B[i], 2);
    Y[i] = Bits;
  }
}
)",
                                             "all()")},
                       {"library.c", R"(
#include <string.h>
__bf16 __truncsfbf2(float x) {
  unsigned Bits;
  memcpy(&Bits, &x, 4);
  unsigned short Short = (Bits + 0x7fff + (Bits >> 16 & 1)) >> 16;
  __bf16 Result;
  memcpy(&Result, &Short, 2);
  return Result;
}
)"}},
                      "-O2");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// Products and quotients of complex numbers are calls of the compiler's runtime.
TEST(CalledFunctions, OfComplexArithmetic) {
  const ProgramPair Pair({{"program.cpp", R"cpp(
#include <complex>
#include <cstdio>
#include <vector>
using Complex = std::complex<double>;
[[gnu::noinline]] void relax(std::vector<Complex> &V, const std::vector<Complex> &Y,
                             const std::vector<Complex> &S, int N) {
  for (int I = 0; I < N; ++I) {
    Complex Sum = 0;
    for (int J = 0; J < N; ++J)
      Sum += Y[I * N + J] * V[J];
    V[I] = 0.5 * V[I] + 0.5 * (std::conj(S[I] / V[I]) - Sum) / Y[I * N + I];
  }
}
int main() {
  const int N = 60;
  std::vector<Complex> V(N, 1.0), Y(N * N), S(N);
  for (int I = 0; I < N; ++I) {
    S[I] = {0.01 * I, 0.02};
    for (int J = 0; J < N; ++J)
      Y[I * N + J] = {I == J ? 40.0 : 0.01 * (I % 7), 0.125 * (J % 5)};
  }
  for (int K = 0; K < 40; ++K) {
    relax(V, Y, S, N);
    std::printf("%a %a\n", V[K].real(), V[K].imag());
  }
}
)cpp"}},
                         "-O2 -std=c++20");
  EXPECT_NE(Pair.remarks().find("loop is a region: relax"), std::string::npos) << Pair.remarks();
  Pair.expectSameBits();
}

} // namespace
