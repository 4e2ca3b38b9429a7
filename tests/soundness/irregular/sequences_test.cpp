//===- tests/soundness/irregular/sequences_test.cpp - indices that change ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions are made for what index arrays were seen to hold. Then it changes: an index changes, the
// nest writes what was taken for known.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// Indices in pieces, of which one changes in some calls; and indices that what is written
/// overlaps.
constexpr const char *Indices = R"(
#include <stdio.h>
enum { N = 600, M = 40 };
__attribute__((noinline)) static void gather(long m, long n, const int *index, const double *x,
                                             double *y) {
  for (long t = 0; t < m; ++t)
    for (long i = 0; i < n; ++i)
      y[i] = 0.5 * y[i] + x[index[i] + t];
}
__attribute__((noinline)) static void mark(long m, long n, const int *index, int *seen) {
  for (long t = 0; t < m; ++t)
    for (long i = 0; i < n; ++i)
      seen[index[i]] += 1;
}
int main(void) {
  static int index[2 * N], seen[3 * N];
  static double x[4 * N], y[N];
  for (int i = 0; i < N; ++i)
    index[i] = i < 200 ? i : i < 350 ? 2 * i + 7 : 1400 - i;
  for (int i = 0; i < 4 * N; ++i)
    x[i] = i % 37 * 0.5;
  for (int t = 0; t < 1500; ++t) {
    int *changed = &index[t * 7 % N], before = *changed;
    if (t > 700 && t % 6 == 5)
      *changed = t % N;
    gather(M, N, index, x, y);
    mark(M, N, index, seen);
    *changed = before;
    if (t > 700 && t % 50 == 3) {
      /* What is counted are the indices themselves, behind those that are read. */
      for (int i = 0; i < N; ++i)
        index[i] = i % 5;
      mark(M, 4, index, index);
      for (int i = 0; i < N; ++i)
        index[i] = i < 200 ? i : i < 350 ? 2 * i + 7 : 1400 - i;
    }
    if (t % 100 == 9)
      printf("%a %d\n", y[t % N], seen[t % (3 * N)]);
  }
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += y[i] * (i % 7) + seen[i];
  printf("%a\n", sum);
}
)";

TEST(Sequences, IndicesThatChange) { expectGuarded(Indices, "-O2", "gather", "known sequences"); }

/// The length of each row is read from memory that the nest writes in some calls.
constexpr const char *Bounds = R"(
#include <stdio.h>
enum { N = 100 };
__attribute__((noinline)) static void sums(long m, const long *length, const long *x, long *y) {
  for (long i = 0; i < m; ++i)
    for (long j = 0; j < length[i]; ++j)
      y[i] = y[i] % 5 + x[j];
}
int main(void) {
  static long length[N], copy[N], x[N], y[N];
  for (long i = 0; i < N; ++i) {
    length[i] = 80;
    x[i] = i % 9;
  }
  long sum = 0;
  for (long t = 0; t < 4000; ++t) {
    sums(N, length, x, y);
    if (t > 2000 && t % 10 == 3) {
      for (long i = 0; i < N; ++i)
        copy[i] = i % 3;
      sums(N, copy, x, copy);
      for (long i = 0; i < N; ++i)
        sum += copy[i] % 1000003;
    }
    if (t > 2000 && t % 10 == 6) {
      length[t % N] = 3;
      sums(N, length, x, y);
      length[t % N] = 80;
    }
  }
  for (long i = 0; i < N; ++i)
    sum += y[i] % 1000003 * i;
  printf("%ld\n", sum);
}
)";

TEST(Sequences, BoundsThatTheNestWrites) {
  expectGuarded(Bounds, "-O2", "sums", "go up by 0 from 80");
}

} // namespace
