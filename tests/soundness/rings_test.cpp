//===- tests/soundness/rings_test.cpp - subscripts that begin anew --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that are closed to rings. LLVM 22's vectoriser gets some of them wrong
// (analysis/narrow_recurrences.h), so the program is not compared with clang's build of it: it
// computes everything a second time in functions that are not optimised.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

constexpr const char *Rings = R"c(
#include <stdio.h>
#include <string.h>
enum { N = 256, M = 1000 };
static unsigned char cells[N * N], next[2][N * N];
static double heat[2][N * N], reach[2][N * N], field[N * N];
static int ring[6000], shifted[2][1024], sums[2][1024];

#define LIFE(NAME)                                                                                 \
  __attribute__((noinline)) static void NAME(const unsigned char *a, unsigned char *b) {           \
    for (int i = 0; i < N; i++)                                                                    \
      for (int j = 0; j < N; j++) {                                                                \
        int c = 0;                                                                                 \
        for (int di = -1; di <= 1; di++)                                                           \
          for (int dj = -1; dj <= 1; dj++)                                                         \
            if (di || dj)                                                                          \
              c += a[((i + di + N) % N) * N + (j + dj + N) % N];                                   \
        b[i * N + j] = c == 3 || (c == 2 && a[i * N + j]);                                         \
      }                                                                                            \
  }

#define SPREAD(NAME)                                                                               \
  __attribute__((noinline)) static void NAME(const double *a, double *b) {                         \
    for (unsigned i = 0; i < N; i++)                                                               \
      for (unsigned j = 0; j < N; j++)                                                             \
        b[i * N + j] = a[i * N + (j + 1) % N] + a[i * N + (j - 1) % N] +                           \
                       a[(i + 1) % N * N + j] + a[(i - 1) % N * N + j];                            \
  }

#define SHIFT(NAME)                                                                                \
  __attribute__((noinline)) static void NAME(const int *a, int *b, unsigned from, unsigned base) { \
    for (unsigned i = 0; i < M; i++)                                                               \
      b[i] = a[base + ((i + from) & 255)] + a[base + (unsigned char)(i + 7)];                      \
  }

/* Two iterations at either end wrap. What is done twice shows. */
#define FAR(NAME)                                                                                  \
  __attribute__((noinline)) static void NAME(const double *a, double *b, unsigned base) {          \
    for (unsigned i = 0; i < N; i++)                                                               \
      for (unsigned j = 0; j < N; j++)                                                             \
        b[i * N + j] += a[base + i * N + (j + 2) % N] - a[base + i * N + (j - 2) % N] +            \
                        a[(i + 2) % N * N + j];                                                    \
  }

#define SUM(NAME)                                                                                  \
  __attribute__((noinline)) static void NAME(const int *a, int *b, unsigned base) {                \
    for (unsigned i = 0; i < 1024; i++)                                                            \
      b[i] += a[base + ((i + 2) & 1023)] + a[base + 5 * i];                                        \
  }

LIFE(life)
SPREAD(spread)
SHIFT(shift)
FAR(far)
SUM(sum)
#pragma clang optimize off
LIFE(plainLife)
SPREAD(plainSpread)
SHIFT(plainShift)
FAR(plainFar)
SUM(plainSum)
#pragma clang optimize on

int main(void) {
  for (int i = 0; i < N * N; i++)
    cells[i] = i * 2654435761u >> 30 == 0, field[i] = i % 97;
  for (int i = 0; i < 6000; i++)
    ring[i] = i * i;
  for (int t = 0; t < 60; t++) {
    life(cells, next[0]);
    plainLife(cells, next[1]);
    spread(field, heat[0]);
    plainSpread(field, heat[1]);
    far(field, reach[0], t / 100);
    plainFar(field, reach[1], t / 100);
    sum(ring, sums[0], t);
    plainSum(ring, sums[1], t);
    shift(ring, shifted[0], t, t % 3 * 256);
    plainShift(ring, shifted[1], t, t % 3 * 256);
    if (memcmp(next[0], next[1], sizeof next[0]) || memcmp(heat[0], heat[1], sizeof heat[0]) ||
        memcmp(reach[0], reach[1], sizeof reach[0]) || memcmp(sums[0], sums[1], sizeof sums[0]) ||
        memcmp(shifted[0], shifted[1], M * sizeof(int))) {
      puts("different");
      return 0;
    }
    memcpy(cells, next[1], sizeof cells);
    field[t] += heat[1][t];
  }
  puts("same");
}
)c";

TEST(Rings, AreComputedAsTheyAreWritten) {
  const ProgramPair Program(Rings, "-O3 -march=native");
  int Ran = 0; // on trial at least; whether a version wins is up to the processor
  for (int Run = 1; Run <= 3; ++Run) {
    SCOPED_TRACE("run " + std::to_string(Run));
    const Outcome With = Program.with();
    EXPECT_EQ(With.Output, "same\n") << With.Errors;
    Ran += versionsRan(With);
  }
  EXPECT_GT(Ran, 0);
  EXPECT_EQ(Program.with({{"SPECRT_DISABLE", "1"}}).Output, "same\n");
}

} // namespace
