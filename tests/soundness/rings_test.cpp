//===- tests/soundness/rings_test.cpp - subscripts that begin anew --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids that are closed to rings. LLVM 22's vectoriser gets some of them wrong
// (analysis/narrow_recurrences.h), so the program is not compared with clang's build of it: it
// computes everything a second time in loops that are not vectorised.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

constexpr const char *Rings = R"c(
#include <stdio.h>
#include <string.h>
#define SCALAR _Pragma("clang loop vectorize(disable) interleave(disable)")
#define EACH
enum { N = 256, M = 1000 };
static unsigned char cells[N * N], next[2][N * N];
static double heat[2][N * N], field[N * N];
static int ring[1024], shifted[2][1024];

#define LIFE(NAME, LOOP)                                                                           \
  __attribute__((noinline)) static void NAME(const unsigned char *a, unsigned char *b) {           \
    for (int i = 0; i < N; i++)                                                                    \
      LOOP for (int j = 0; j < N; j++) {                                                           \
        int c = 0;                                                                                 \
        for (int di = -1; di <= 1; di++)                                                           \
          for (int dj = -1; dj <= 1; dj++)                                                         \
            if (di || dj)                                                                          \
              c += a[((i + di + N) % N) * N + (j + dj + N) % N];                                   \
        b[i * N + j] = c == 3 || (c == 2 && a[i * N + j]);                                         \
      }                                                                                            \
  }
LIFE(life, EACH)
LIFE(scalarLife, SCALAR)

#define SPREAD(NAME, LOOP)                                                                         \
  __attribute__((noinline)) static void NAME(const double *a, double *b) {                         \
    for (unsigned i = 0; i < N; i++)                                                               \
      LOOP for (unsigned j = 0; j < N; j++)                                                        \
        b[i * N + j] = a[i * N + (j + 1) % N] + a[i * N + (j - 1) % N] +                           \
                       a[(i + 1) % N * N + j] + a[(i - 1) % N * N + j];                            \
  }
SPREAD(spread, EACH)
SPREAD(scalarSpread, SCALAR)

#define SHIFT(NAME, LOOP)                                                                          \
  __attribute__((noinline)) static void NAME(const int *a, int *b, unsigned from, unsigned base) { \
    LOOP for (unsigned i = 0; i < M; i++)                                                          \
      b[i] = a[base + ((i + from) & 255)] + a[base + (unsigned char)(i + 7)];                      \
  }
SHIFT(shift, EACH)
SHIFT(scalarShift, SCALAR)

int main(void) {
  for (int i = 0; i < N * N; i++)
    cells[i] = i * 2654435761u >> 30 == 0, field[i] = i % 97;
  for (int i = 0; i < 1024; i++)
    ring[i] = i * i;
  for (int t = 0; t < 60; t++) {
    life(cells, next[0]);
    scalarLife(cells, next[1]);
    spread(field, heat[0]);
    scalarSpread(field, heat[1]);
    shift(ring, shifted[0], t, t % 3 * 256);
    scalarShift(ring, shifted[1], t, t % 3 * 256);
    if (memcmp(next[0], next[1], sizeof next[0]) || memcmp(heat[0], heat[1], sizeof heat[0]) ||
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
  for (int Run = 1; Run <= 3; ++Run) {
    SCOPED_TRACE("run " + std::to_string(Run));
    const Outcome With = Program.with();
    EXPECT_EQ(With.Output, "same\n") << With.Errors;
    EXPECT_TRUE(versionsRan(With)) << With.Report.dump(2);
  }
  EXPECT_EQ(Program.with({{"SPECRT_DISABLE", "1"}}).Output, "same\n");
}

} // namespace
