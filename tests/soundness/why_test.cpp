//===- tests/soundness/why_test.cpp - what is said of the loops of a program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `specrt explain REGION --why`, after a run, about nests that everybody knows.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

const Environment Recorded = {{"SPECRT_INSTRUMENT", "always"}};

/// What the tool says of \p Region after a run of \p Text, which has the same bits as ever.
std::string why(const std::string &Text, const std::string &Region, const Environment &Extra) {
  const ProgramPair Pair(Text, "-O2");
  const Outcome Ran = Pair.expectSameBits(Extra, /*NeedsVersion=*/false);
  EXPECT_EQ(Ran.Status, 0) << Ran.Errors;
  const Outcome Told = Pair.box().run(SPECRT_SOUNDNESS_TOOL, {"explain", Region, "--why"});
  EXPECT_EQ(Told.Status, 0) << Told.Errors;
  return Told.Output;
}

constexpr const char *Product = R"(
#include <stdio.h>
enum { N = 40 };
static double A[N * N], B[N * N], C[N * N];
__attribute__((noinline)) void product(long n, double *restrict c, double *restrict a,
                                              double *restrict b) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
int main(void) {
  for (int i = 0; i < N * N; ++i)
    A[i] = i % 7, B[i] = i % 11;
  for (int t = 0; t < 40000; ++t)
    product(N, C, A, B);
  printf("%a\n", C[77]);
}
)";

void expectProduct(const std::string &Said) {
  EXPECT_THAT(Said, HasSubstr("  loop 1, line 7, "));
  EXPECT_THAT(Said, HasSubstr("    loop 2, line 8, "));
  EXPECT_THAT(Said,
              HasSubstr("        parallel:     no: it carries the sum of line 10\n"
                        "        vectorisable: no: it carries the sum of line 10, whose order "
                        "counts\n"));
  EXPECT_THAT(Said, HasSubstr("      parallel:     yes\n      vectorisable: yes\n"
                              "      tilable:      yes, with loop 1\n"));
  EXPECT_THAT(Said, HasSubstr("    10  read    b + 8*c2 + 320*c3  0, 1, 40"));
  EXPECT_THAT(Said, HasSubstr("  -> line 10 (b) has stride 1 along loop 2, 40 along loop 3: "
                              "interchange them, with the sum of"));
  EXPECT_THAT(Said, HasSubstr("  -> loop 1 (line 7) is parallel: its iterations can run on several "
                              "threads\n"));
  EXPECT_THAT(Said, HasSubstr("  loop 3: the counter of line 9, an induction variable: in "
                              "nobody's way\n"));
}

TEST(Why, AProductInABadOrderIsInterchanged) {
  const std::string Said = why(Product, "product", Recorded);
  EXPECT_THAT(Said, HasSubstr("From one recorded call"));
  expectProduct(Said);
}

constexpr const char *Stencil = R"(
#include <stdio.h>
enum { T = 30, N = 40 };
static double A[T * N];
__attribute__((noinline)) void stencil(long t, long n, double *a) {
  for (long i = 1; i < t; ++i)
    for (long j = 0; j < n - 1; ++j)
      a[i * n + j] = 0.5 * (a[(i - 1) * n + j] + a[(i - 1) * n + j + 1]);
}
int main(void) {
  for (int i = 0; i < T * N; ++i)
    A[i] = i % 7;
  for (int r = 0; r < 100000; ++r)
    stencil(T, N, A);
  printf("%a\n", A[777]);
}
)";

constexpr const char *StencilPicture = R"(
  c1 \ c2 0   1   2   3   4   5   6   7   8   9   10  11
     0    o   o   o   o   o   o   o   o   o   o   o   o  ...
          | / | / | / | / | / | / | / | / | / | / | / |
     1    o   o   o   o   o   o   o   o   o   o   o   o  ...
)";

void expectStencil(const std::string &Said) {
  EXPECT_THAT(Said, HasSubstr("  loop 1: line 8 -> line 8 through a, distance (1, 0)\n"));
  EXPECT_THAT(Said, HasSubstr("  loop 1: line 8 -> line 8 through a, distance (1, -1)\n"));
  EXPECT_THAT(Said, HasSubstr("distance (1, -1) goes backwards along loop 2"));
  EXPECT_THAT(Said, HasSubstr("    loop 2, line 7, "));
  EXPECT_THAT(Said,
              HasSubstr("      parallel:     yes\n      vectorisable: yes\n      tilable:     "
                        " no: "));
  EXPECT_THAT(Said, HasSubstr(StencilPicture));
  EXPECT_THAT(Said, HasSubstr("  -> loop 2 runs against loop 1 (line 8 -> line 8 through a, "
                              "distance (1, -1)): skew it"));
}

TEST(Why, AProductIsToldWithoutARecording) {
  const std::string Said = why(Product, "product", {});
  EXPECT_THAT(Said, HasSubstr("From the code"));
  expectProduct(Said);
}

TEST(Why, AStencilIsSkewed) {
  const std::string Said = why(Stencil, "stencil", Recorded);
  EXPECT_THAT(Said, HasSubstr("From one recorded call"));
  expectStencil(Said);
}

TEST(Why, AStencilIsToldWithoutARecording) {
  const std::string Said = why(Stencil, "stencil", {});
  EXPECT_THAT(Said, HasSubstr("From the code"));
  expectStencil(Said);
}

/// The layer of a network: its rows lie anywhere, and still all go on by one along the outer loop.
TEST(Why, RowsBehindRowPointersHaveStridesAlongThem) {
  const std::string Said = why(R"(
#include <stdio.h>
#include <stdlib.h>
enum { N = 60, M = 90 };
__attribute__((noinline)) void layer(double *out, double **w, const double *in, long n, long m) {
  for (long j = 0; j < n; ++j) {
    double sum = 0;
    for (long k = 0; k < m; ++k)
      sum += w[k][j] * in[k];
    out[j] = sum;
  }
}
int main(void) {
  double *w[M], in[M], out[N];
  for (int k = 0; k < M; ++k) {
    w[k * 7 % M] = malloc(sizeof out);
    in[k] = k % 13;
  }
  for (int k = 0; k < M; ++k)
    for (int j = 0; j < N; ++j)
      w[k][j] = (k + j) % 11;
  for (int r = 0; r < 3000; ++r)
    layer(out, w, in, N, M);
  printf("%a\n", out[7]);
}
)",
                               "layer", {{"SPECRT_INSTRUMENT", "off"}});
  EXPECT_THAT(Said, HasSubstr("w + 8*c2           0, 1"));
  EXPECT_THAT(Said, HasSubstr("w[] + 8*c1 + T*c2  1, none"));
  EXPECT_THAT(Said, HasSubstr("  -> line 9 (w[]) has stride 1 along loop 1, none along loop 2: "
                              "interchange them, with the sum of"));
}

/// A loop whose end depends on what it computes, around one that can be modelled.
TEST(Why, WhatCannotBeModelledIsNotKnown) {
  const std::string Said = why(R"(
#include <stdio.h>
enum { N = 600 };
static double A[N], B[N];
__attribute__((noinline)) int settle(long n, double *restrict a, double *restrict b) {
  int steps = 0;
  double change;
  do {
    change = 0;
    for (long i = 1; i < n - 1; ++i)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (long i = 1; i < n - 1; ++i) {
      double d = b[i] - a[i];
      change += d * d;
      a[i] = b[i];
    }
  } while (++steps < 500 && change > 1e-3);
  return steps;
}
int main(void) {
  int steps = 0;
  for (int t = 0; t < 60; ++t) {
    for (int i = 0; i < N; ++i)
      A[i] = i % (7 + t % 2);
    steps += settle(N, A, B);
  }
  printf("%a %d\n", A[77], steps);
}
)",
                               "settle", {});
  EXPECT_THAT(Said, HasSubstr("From the code"));
  EXPECT_THAT(Said, HasSubstr("    parallel:     no: "));
  EXPECT_THAT(Said, HasSubstr("    loop 2, line 10, 598 iterations\n"
                              "      parallel:     yes\n      vectorisable: yes\n"));
  EXPECT_THAT(Said, HasSubstr("      parallel:     no: it carries the sum of line 14\n"));
}

/// Rows that lie anywhere are modelled, so that no call has to be recorded.
TEST(Why, RowsBehindRowPointersAreModelled) {
  const std::string Said = why(R"(
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void layer(double *in, double *out, double **w, long n, long m) {
  for (long j = 1; j <= m; ++j) {
    double sum = 0;
    for (long k = 0; k <= n; ++k)
      sum += w[k][j] * in[k];
    out[j] = sum;
  }
}
int main(void) {
  enum { N = 60, M = 50 };
  double *w[N + 1], in[N + 1], out[M + 1];
  for (int k = 0; k <= N; ++k)
    w[k] = calloc(M + 1 + 40 * (k % 3), sizeof(double));
  for (int k = 0; k <= N; ++k)
    for (int j = 0; j <= M; ++j)
      w[k][j] = 1.0 / (k + j + 1);
  for (int k = 0; k <= N; ++k)
    in[k] = k * 0.5;
  double sum = 0;
  for (int t = 0; t < 2000; ++t) {
    layer(in, out, w, N, M);
    sum += out[t % M + 1];
    in[t % N] = out[5] * 1e-3;
  }
  printf("%a\n", sum);
}
)",
                               "layer", {});
  EXPECT_THAT(Said, HasSubstr("From the code"));
  EXPECT_THAT(Said, HasSubstr("    parallel:     yes"));
  EXPECT_THAT(Said, HasSubstr("      tilable:      yes, with loop 1"));
  EXPECT_THAT(Said, HasSubstr("  -> loop 1 (line 5) is parallel"));
}

/// Tables 3 and 4 of the folding paper, of the example as a user compiles it; its rows are equally
/// spaced, 17 elements apart, so that no coefficient is top.
TEST(Why, TheExampleOfThePaper) {
  const ProgramPair Pair(
      {{"backprop.cpp", "#include \"" SPECRT_SOUNDNESS_EXAMPLES "/backprop.cpp\"\n"}},
      "-O3 -std=c++20 -I" SPECRT_SOUNDNESS_EXAMPLES);
  const Outcome Ran = Pair.with({{"SPECRT_INSTRUMENT", "always"}}, {"42", "16", "40000"});
  EXPECT_EQ(Ran.Status, 0) << Ran.Errors;
  const Outcome Told = Pair.box().run(SPECRT_SOUNDNESS_TOOL, {"explain", "layerForward", "--why"});
  const std::string &Said = Told.Output;
  EXPECT_THAT(Said, HasSubstr("From one recorded call"));
  // Domain: 0 <= cj <= 15, 0 <= ck <= 42.
  EXPECT_THAT(Said, HasSubstr(", 16 iterations recorded\n    parallel:     yes\n"));
  EXPECT_THAT(Said,
              HasSubstr(", 43 iterations recorded\n      parallel:     no: it carries the sum"));
  // I1, I2, I3.
  EXPECT_THAT(Said, HasSubstr("  read    Weights + 8*c2             0, 1              100 %\n"));
  EXPECT_THAT(Said, HasSubstr("  read    Weights[] + 8*c1 + 136*c2  1, 17             100 %\n"));
  EXPECT_THAT(Said, HasSubstr("  read    Layer1 + 8*c2              0, 1              100 %\n"));
  // I4 -> I4: (cj, ck) needs (cj, ck - 1).
  EXPECT_THAT(Said, HasSubstr("  loop 2: the sum"));
}

constexpr const char *Sum = R"(
#include <stdio.h>
static double A[5000];
static unsigned B[5000];
__attribute__((noinline)) double sum(long n, const double *a) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += a[i];
  return s;
}
__attribute__((noinline)) void scan(long n, unsigned *b) {
  for (long i = 1; i < n; ++i)
    b[i] += 3 * b[i - 1];
}
int main(void) {
  double s = 0;
  for (int i = 0; i < 5000; ++i)
    A[i] = i % 7, B[i] = i % 5;
  for (int t = 0; t < 40000; ++t) {
    s += sum(5000, A);
    A[t % 5000] += 0.5;
    scan(5000, B);
  }
  printf("%a %u\n", s, B[4999]);
}
)";

TEST(Why, ASumIsAReductionAndAScanIsNone) {
  const std::string Said = why(Sum, "sum", Recorded);
  EXPECT_THAT(Said, HasSubstr("  loop 1: the sum of line 8, a reduction: in another order its "
                              "result may differ\n"));
  EXPECT_THAT(Said, HasSubstr("  -> loop 1 carries the sum of line 8: several of them"));
  const std::string Scan = why(Sum, "scan", Recorded);
  EXPECT_THAT(Scan, Not(HasSubstr("reduction")));
  EXPECT_THAT(Scan, HasSubstr("    parallel:     no: "));
}

TEST(Why, SumsAndScansAreToldWithoutARecording) {
  const std::string Said = why(Sum, "sum", {});
  EXPECT_THAT(Said, HasSubstr("From the code"));
  EXPECT_THAT(Said, HasSubstr("  loop 1: the sum of line 8, a reduction: in another order its "
                              "result may differ\n"));
  const std::string Scan = why(Sum, "scan", {});
  EXPECT_THAT(Scan, HasSubstr("From the code"));
  EXPECT_THAT(Scan, Not(HasSubstr("reduction")));
  EXPECT_THAT(Scan, HasSubstr("    parallel:     no: line 13 "));
}

/// Unrolled completely, it has many statements.
constexpr const char *Unrolled = R"(
#include <stdio.h>
static unsigned char A[1 << 12], B[1 << 12];
__attribute__((noinline)) void add(const unsigned char *a, unsigned char *b, unsigned base) {
  for (unsigned k = 0; k < 3; ++k, a += 7, b += 5)
    for (unsigned char i = 2; i < 62; i += 2)
      b[i] += a[base + (unsigned short)i];
}
int main(void) {
  for (int i = 0; i < 1 << 12; ++i)
    A[i] = i * 11;
  for (int t = 0; t < 6000; ++t)
    add(A, B, t % 60 * 3);
  for (int i = 0; i < 80; ++i)
    printf("%d ", B[i]);
}
)";

TEST(Why, ANestOfWhichToTellTakesTooLongHasVersions) {
  const ProgramPair Pair(Unrolled, "-O3 -march=native");
  EXPECT_THAT(Pair.expectSameBits({{"SPECRT_LOG", "debug"}}).Errors,
              Not(HasSubstr("compiler failed")));
}

} // namespace
