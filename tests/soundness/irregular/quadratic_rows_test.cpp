//===- tests/soundness/irregular/quadratic_rows_test.cpp - rows that begin at squares ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed triangles and the like are modelled as arrays with rows of one length where rows do not
// overlap. Whether they do follows from sizes, which change from call to call here.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// A program that calls \p Nest with the sizes of its main, on three arrays.
std::string program(const std::string &Nest, const std::string &Calls) {
  return R"(#include <stdio.h>
#include <string.h>
enum { N = 70000 };
static double A[N], B[N], C[N];
static void fill(double *x, unsigned seed) {
  for (int i = 0; i < N; ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (double)(int)seed / 3e9;
  }
}
static void show(const char *name, const double *x) {
  unsigned long long hash = 1469598103934665603ull;
  for (int i = 0; i < N; ++i) {
    unsigned long long word;
    memcpy(&word, x + i, 8);
    hash = (hash ^ word) * 1099511628211ull;
  }
  printf("%s %016llx\n", name, hash);
}
__attribute__((noinline)) )" +
         Nest + R"(
int main(void) {
  fill(A, 1), fill(B, 2), fill(C, 3);
  for (int c = 0; c < 24; ++c) {
    )" + Calls +
         R"(
    show("A", A), show("B", B), show("C", C);
  }
}
)";
}

constexpr const char *Flags = "-O3 -march=native -fno-inline";

void expectSame(const std::string &Nest, const std::string &Calls) {
  ProgramPair Program(program(Nest, Calls), Flags);
  Program.expectSameBits();
  // With a cache of its own: versions that lost before would not run.
  Program.expectSameBits(
      {{"SPECRT_THREADS", "1"}, {"SPECRT_CACHE_DIR", Program.box().path("serial").string()}});
}

TEST(QuadraticRows, OfTrianglesOfChangingSizes) {
  expectSame(R"(void nest(long n, long m, const double *a, const double *b, double *c) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k <= i; k++)
      for (long j = 0; j < m; j++)
        c[i * m + j] += a[i * (i + 1) / 2 + k] * b[k * m + j];
})",
             "nest(c < 8 ? 120 : c < 16 ? 95 : 121 - c, c < 12 ? 80 : 77, A, B, C);");
}

TEST(QuadraticRows, OfUpperTrianglesInPlace) {
  expectSame(R"(void nest(int n, const double *b, double *a) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++)
        a[i * n - i * (i - 1) / 2 + j - i] = 0.9 * a[i * n - i * (i - 1) / 2 + j - i] +
                                             b[i * n + k] * b[j * n + k];
})",
             "nest(c % 8 < 5 ? 90 : 61 + c, B, A);");
}

TEST(QuadraticRows, OfAFactorisation) {
  expectSame(R"(void nest(long n, double *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      for (long k = 0; k < j; k++)
        a[i * (i + 1) / 2 + j] -= a[i * (i + 1) / 2 + k] * a[j * (j + 1) / 2 + k];
      a[i * (i + 1) / 2 + j] /= 3.0 + a[j * (j + 1) / 2 + j] * a[j * (j + 1) / 2 + j];
    }
})",
             "nest(c < 15 ? 130 : 129, A);");
}

/// They do so far: m is at most 2 s + 1.
TEST(QuadraticRows, OfRowsThatBeginToOverlap) {
  expectSame(R"(void nest(long n, long s, long m, const double *b, double *a) {
  for (long k = 0; k < 30; k++)
    for (long i = s; i < n; i++)
      for (long j = 0; j < m; j++)
        a[i * i + j] = 0.75 * a[i * i + j] + b[i * m + j];
})",
             "nest(200, 20, c < 10 ? 40 : c < 16 ? 41 : 43, B, A);");
}

TEST(QuadraticRows, OfRowsOfWhichTheLastGrows) {
  expectSame(R"(void nest(long n, long more, const double *b, double *a) {
  for (long k = 0; k < 20; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j <= i + more; j++)
        a[i * (i + 1) / 2 + j] = 0.5 * a[i * (i + 1) / 2 + j] + b[j + k];
})",
             "nest(150, c < 12 ? 0 : 1, B, A);");
}

TEST(QuadraticRows, BesideAnArrayThatComesCloser) {
  expectSame(R"(void nest(long n, const double *a, double *c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k <= i; k++)
        c[i * n + j] += 0.001 * a[i * (i + 1) / 2 + k] * c[k * n + j];
})",
             "nest(100, A + 20000, c < 10 ? C : A + 20000 - 10000 + (c < 15 ? 0 : 8 * (c - 14)));");
}

TEST(QuadraticRows, OfScatteredSquares) {
  expectSame(R"(void nest(long n, long m, const double *b, const double *x, double *a) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * i] += b[i * m + j] * x[j];
})",
             "nest(c < 12 ? 250 : 200 + c, 260, B, C, A);");
}

/// Of one array, by functions that differ from call to call.
TEST(QuadraticRows, WithAnotherFunctionNextTime) {
  expectSame(R"(void nest(long n, long q, const double *b, double *a) {
  for (long k = 0; k < 20; k++)
    for (long i = 1; i < n; i++)
      for (long j = 0; j < i; j++)
        a[i * (i + q) / 2 + j] = 0.5 * a[i * (i + q) / 2 + j] + b[i] * b[j + k];
})",
             "nest(150, c < 8 ? 1 : c < 16 ? -1 : 3, B, A);");
}

} // namespace
