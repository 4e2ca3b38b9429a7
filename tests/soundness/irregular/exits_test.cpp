//===- tests/soundness/irregular/exits_test.cpp - loops that end where data says so ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations of such a loop are counted before it runs, by what decides about its end. That
// must be what decides about it in the loop, and nothing may be read that the loop would not read.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char *Counted = "its iterations are counted before it runs";
constexpr const char *Written = "it may write what decides about its end";

/// What all programs begin with: N columns, at most Terms rows, and hashes of results.
constexpr const char *Common = R"(
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { N = 1000, Terms = 90, Calls = 60 };
static double sum[N], other[N], rows[Terms * N], factors[Terms + 1], limits[Terms + 1];
static unsigned long hash = 14695981039346656037ul;
static void take(const void *p, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ ((const unsigned char *)p)[i]) * 1099511628211ul;
}
static void start(void) {
  for (int i = 0; i < N; ++i) { sum[i] = 1.0 / (i + 1); other[i] = 1.0 + i; }
  for (int i = 0; i < Terms * N; ++i) rows[i] = (i * 7919 % 1009) / 1009.0 - 0.5;
  for (int i = 0; i <= Terms; ++i) { factors[i] = 1.0 / (i + 1); limits[i] = i; }
}
)";

std::string program(const std::string &Rest) { return Common + Rest; }

std::string said(const Outcome &O) { return O.Report.dump(); }

/// A sum of weighted rows that ends at a small factor.
constexpr const char *Accumulate = R"(
__attribute__((noinline)) long accumulate(double *s, const double *f, const double *r, long terms,
                                          long n, double least) {
  long k;
  for (k = 0; k < terms && fabs(f[k]) > least; ++k)
    for (long j = 0; j < n; ++j)
      s[j] += f[k] * r[k * n + j];
  return k;
}
)";

TEST(Exits, AreFoundWhereverTheyAre) {
  ProgramPair Pair(program(std::string(Accumulate) + R"(
int main(void) {
  start();
  const double special[] = {0.0, NAN, -NAN, INFINITY, -0.0, 1e-300};
  for (int c = 0; c < Calls; ++c) {
    /* At the beginning, in the middle, behind the end, at what is no number. */
    const long at = (long[]){0, 1, 17, Terms - 1, Terms}[c % 5];
    const double old = factors[at];
    factors[at] = special[c % 6];
    const long k = accumulate(sum, factors, rows, Terms, N, 1e-9);
    factors[at] = old;
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits()), HasSubstr(Counted));
}

TEST(Exits, NothingBehindThemIsRead) {
  ProgramPair Pair(program(std::string(Accumulate) + R"(
/* A copy behind which there is no memory. */
static double *at_the_end(const double *from, size_t n) {
  const size_t page = sysconf(_SC_PAGESIZE), bytes = n * sizeof *from;
  const size_t size = (bytes + page - 1) / page * page;
  char *all = mmap(0, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + size, page, PROT_NONE)) exit(1);
  return memcpy(all + size - bytes, from, bytes);
}
int main(void) {
  start();
  for (int c = 0; c < Calls; ++c) {
    /* The element that ends the loop is the last of its page, the rows end where those used do. */
    const long full = c % 4 == 0 ? 0 : 23;
    const double old = factors[full];
    factors[full] = 0;
    const double *f = at_the_end(factors, full + 1), *r = at_the_end(rows, full * N);
    factors[full] = old;
    const long k = accumulate(sum, f, r, 1000000, N, 1e-9);
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits()), HasSubstr(Counted));
}

TEST(Exits, InTheMiddleLeaveTheirIterationUnfinished) {
  ProgramPair Pair(program(R"(
struct end { long k; int which; double last; };
__attribute__((noinline)) struct end steps(double *restrict s, double *restrict o,
                                           const double *restrict f, const double *restrict g,
                                           long n) {
  struct end e = {0, 0, 0};
  for (long k = 0;; ++k) {
    if (f[k] < 1e-6) { e.k = k; e.which = 1; break; }
    for (long j = 0; j < n; ++j)
      s[j] = s[j] * 0.75 + f[k] * o[j];
    e.last = f[k];
    if (g[k] > 50) { e.k = k; e.which = 2; break; }
    for (long j = 0; j < n; ++j)
      o[j] = o[j] * 0.5 + s[j];
    if (k == 40) { e.k = -k; e.which = 3; break; }
  }
  return e;
}
int main(void) {
  start();
  for (int c = 0; c < Calls; ++c) {
    const int at = c % 3 == 0 ? c % 7 : 41 + c % 2, second = c % 4 == 1 ? c % 11 : 60;
    const double a = factors[at], b = limits[second];
    factors[at] = 0;
    limits[second] = 99;
    const struct end e = steps(sum, other, factors, limits, N);
    factors[at] = a;
    limits[second] = b;
    take(&e.k, sizeof e.k);
    take(&e.which, sizeof e.which);
    take(&e.last, sizeof e.last);
    take(sum, sizeof sum);
    take(other, sizeof other);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits()), HasSubstr(Counted));
}

TEST(Exits, OfInnerLoopsAreFoundInEveryIteration) {
  ProgramPair Pair(program(R"(
__attribute__((noinline)) long rows_until(double *restrict s, const double *restrict r,
                                          const int *restrict marks, long m, long width, long n) {
  long all = 0;
  for (long i = 0; i < m; ++i) {
    long k = 0;
    while (k < width && marks[i * width + k] != 7) {
      for (long j = 0; j < n; ++j)
        s[j] = s[j] * 0.5 + r[k * n + j];
      ++k;
    }
    all = all * 3 + k;
  }
  return all;
}
static int marks[20 * 15];
int main(void) {
  start();
  for (int c = 0; c < Calls; ++c) {
    for (int i = 0; i < 20; ++i)
      for (int k = 0; k < 15; ++k)
        marks[i * 15 + k] = (c + i * 5 + k) % 17;
    const long all = rows_until(sum, rows, marks, 20, 15, N);
    take(&all, sizeof all);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  // Without versions for rows, of which the report would tell instead.
  EXPECT_THAT(said(Pair.expectSameBits({{"SPECRT_INSTRUMENT", "off"}})), HasSubstr(Counted));
}

TEST(Exits, BehindEachIterationAreFound) {
  ProgramPair Pair(program(R"(
__attribute__((noinline)) double until(double *restrict s, const double *restrict f,
                                       const double *restrict r, long n) {
  double last;
  long k = 0;
  do {
    for (long j = 0; j < n; ++j)
      s[j] += f[k] * r[k * n + j];
    last = s[0];
  } while (f[++k] > 0.05);
  return last + k;
}
int main(void) {
  start();
  for (int c = 0; c < Calls; ++c) {
    const double old = factors[c % 13];
    factors[c % 13] = c % 2 ? NAN : 0.01;
    const double last = until(sum, factors, rows, N);
    factors[c % 13] = old;
    take(&last, sizeof last);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits()), HasSubstr(Counted));
}

TEST(Exits, ThatTheLoopDecidesItselfAreLeftAlone) {
  ProgramPair Pair(program(R"(
__attribute__((noinline)) long relax(double *s, const double *r, long n) {
  long k;
  for (k = 0; k < 80 && s[n / 2] > 1e-3; ++k)
    for (long j = 0; j < n; ++j)
      s[j] = s[j] * 0.75 + r[k * n + j] * 1e-6;
  return k;
}
int main(void) {
  for (int c = 0; c < Calls; ++c) {
    start();
    sum[N / 2] = c;
    const long k = relax(sum, rows, N);
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  const std::string Said = said(Pair.expectSameBits({}, /*NeedsVersion=*/false));
  EXPECT_THAT(Said, HasSubstr(Written));
  EXPECT_THAT(Said, Not(HasSubstr(Counted)));
}

TEST(Exits, ThatDependOnAllOfTheWorkAreLeftAlone) {
  ProgramPair Pair(program(R"(
__attribute__((noinline)) long converge(double *restrict s, const double *restrict r, long n) {
  long k;
  for (k = 0; k < 80; ++k) {
    double change = 0;
    for (long j = 0; j < n; ++j) {
      const double next = s[j] * 0.75 + r[j] * 0.25;
      change += fabs(next - s[j]);
      s[j] = next;
    }
    if (change < 1e-3)
      break;
  }
  return k;
}
int main(void) {
  for (int c = 0; c < Calls; ++c) {
    start();
    const long k = converge(sum, rows + c % Terms * N, N);
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  const std::string Said = said(Pair.expectSameBits({}, /*NeedsVersion=*/false));
  EXPECT_THAT(Said, HasSubstr("exit-work"));
  EXPECT_THAT(Said, Not(HasSubstr(Counted)));
}

/// The version was made for factors beside the sum; then they lie in it.
TEST(Exits, ThatALaterCallDecidesItselfRunTheOriginal) {
  ProgramPair Pair(program(std::string(Accumulate) + R"(
int main(void) {
  start();
  for (int c = 0; c < 3 * Calls; ++c) {
    if (c % 20 == 0)
      start();
    const int inside = c > Calls && c % 3 == 0;
    const long k = accumulate(sum, inside ? sum + 5 : factors, rows, Terms, N, inside ? 0.15 : 0.02);
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits()), HasSubstr(Counted));
}

/// What a restrict parameter promises of one iteration says nothing of the next.
TEST(Exits, ArePromisedNothingByWhatIsInlinedIntoTheLoop) {
  ProgramPair Pair(program(R"(
static inline __attribute__((always_inline)) double weigh(double *restrict to,
                                                          const double *restrict by,
                                                          const double *restrict r, long n) {
  const double f = *by;
  for (long j = 0; j < n; ++j)
    to[j] += f * r[j];
  return f;
}
__attribute__((noinline)) long sums(double *s, const double *r, long n) {
  long k;
  for (k = 0; k < 60; ++k)
    if (weigh(s + 64 + k, s + k, r + k * n, n) < 0.01)
      break;
  return k;
}
int main(void) {
  for (int c = 0; c < Calls; ++c) {
    start();
    for (int i = 0; i < 64; ++i) sum[i] = 1;
    for (int i = 64; i < N; ++i) sum[i] = 0.4 + 0.01 * (c % 9);
    const long k = sums(sum, rows, 100);
    take(&k, sizeof k);
    take(sum, sizeof sum);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  Pair.expectSameBits({}, /*NeedsVersion=*/false);
}

/// `while (i < n && a[i] != key) ++i`, which has nothing else to do.
TEST(Exits, OfPureSearchesStayWhatTheyAre) {
  ProgramPair Pair(program(R"(
__attribute__((noinline)) long search(const int *a, long n, int key) {
  long i = 0;
  while (i < n && a[i] != key)
    ++i;
  return i;
}
static int keys[5000];
int main(void) {
  for (int i = 0; i < 5000; ++i) keys[i] = i * 7919 % 10007;
  for (int c = 0; c < 50 * Calls; ++c) {
    const long i = search(keys, 5000, c * 31 % 10007);
    take(&i, sizeof i);
  }
  printf("%lx\n", hash);
}
)"),
                   "-O2");
  EXPECT_THAT(said(Pair.expectSameBits({}, /*NeedsVersion=*/false)), Not(HasSubstr(Counted)));
}

} // namespace
