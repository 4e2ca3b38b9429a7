//===- tests/soundness/irregular/instrumented_test.cpp - calls that record ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of a region runs a version that writes down what it accesses. Nobody can tell: not by
// results, errno or the order of events, whatever becomes of the call.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

const Environment Always = {{"SPECRT_INSTRUMENT", "always"}};

/// The instrumented calls of a run.
unsigned instrumented(const Outcome &O) {
  unsigned Count = 0;
  for (const nlohmann::json &Region : O.Report["regions"])
    for (const nlohmann::json &Entry : Region["timeline"])
      Count += Entry["event"] == "instrumented";
  return Count;
}

/// All is as without libspecrt, with a call of at least \p Calls regions recorded; in the second
/// run no more.
void expectUnnoticed(const ProgramPair &Pair, unsigned Calls, const Environment &Extra = Always) {
  const Outcome First = Pair.expectSameBits(Extra, /*NeedsVersion=*/false);
  EXPECT_GE(instrumented(First), Calls) << First.Errors;
}

constexpr const char *Rows = R"(
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void layer(double *in, double *out, double **w, long n, long m) {
  for (long j = 1; j <= m; ++j) {
    double sum = 0;
    for (long k = 0; k <= n; ++k)
      sum += w[k][j] * in[k];
    out[j] = sum;
  }
}
int main(void) {
  enum { N = 60, M = 50 };
  double *block = malloc((N + 1) * (M + 1) * sizeof(double)), *w[N + 1], in[N + 1], out[M + 1];
  for (int k = 0; k <= N; ++k)
    w[k] = block + k * (M + 1);
  for (int k = 0; k <= N; ++k)
    for (int j = 0; j <= M; ++j)
      w[k][j] = 1.0 / (k + j + 1);
  for (int k = 0; k <= N; ++k)
    in[k] = k * 0.5;
  double sum = 0;
  for (int t = 0; t < 20000; ++t) {
    layer(in, out, w, N, M);
    sum += out[t % M + 1];
    in[t % N] = out[5] * 1e-3;
  }
  printf("%a\n", sum);
}
)";

TEST(InstrumentedCalls, RowPointersAreFoundToBeRegular) {
  const ProgramPair Pair(Rows, "-O2");
  const Outcome First = Pair.with(Always);
  const nlohmann::json Region = First.region("layer");
  bool Regular = false;
  for (const nlohmann::json &Entry : Region["timeline"])
    Regular |= Entry["event"] == "instrumented" &&
               Entry["text"].get<std::string>().ends_with("reads 61 pointers, 408 bytes apart");
  EXPECT_TRUE(Regular) << Region["timeline"];
  Pair.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(InstrumentedCalls, HappenOnceAndForAll) {
  const ProgramPair Pair(Rows, "-O2");
  // On a busy machine the trial may end before the instrumented call: another cache, another try.
  Environment Extra = Always;
  Outcome First;
  for (int Try = 0; Try < 12; ++Try) {
    Extra["SPECRT_CACHE_DIR"] = Pair.box().path("cache-" + std::to_string(Try));
    First = Pair.with(Extra);
    if (instrumented(First) != 0)
      break;
  }
  EXPECT_EQ(instrumented(First), 1u) << First.Report.dump(1);
  EXPECT_EQ(instrumented(Pair.with(Extra)), 0u);
}

/// That they are apart a guard sees by itself.
TEST(InstrumentedCalls, AreNotNeededForRowPointers) {
  EXPECT_EQ(instrumented(ProgramPair(Rows, "-O2").with()), 0u);
  expectGuarded(Rows, "-O2", "layer", "61 rows of");
}

TEST(InstrumentedCalls, AreOffWhenTheUserSaysSo) {
  const ProgramPair Pair(Rows, "-O2");
  EXPECT_EQ(instrumented(Pair.with({{"SPECRT_INSTRUMENT", "off"}})), 0u);
}

/// Loops of all sorts: early exits, calls, while, empty ones, several exits, sums.
constexpr const char *Sorts = R"(
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 400 };
static int idx[N], hist[64];
static double a[N], b[N], c[N][N / 8];
__attribute__((noinline)) static int find(const double *x, int n, double limit) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 8; ++j)
      if (x[(i * 8 + j) % n] > limit)
        return i * 8 + j;
  return -1;
}
__attribute__((noinline)) static double walk(const int *next, int from, int steps) {
  double s = 0;
  while (from >= 0 && steps-- > 0) {
    s += a[from] * (steps & 3);
    from = next[from];
  }
  return s;
}
__attribute__((noinline)) static void count(const int *v, int n) {
  for (int i = 0; i < n; ++i)
    hist[v[i] & 63] += i;
}
__attribute__((noinline)) static void roots(double *x, const double *y, const int *p, int n) {
  for (int i = 0; i < n; ++i)
    x[p[i]] = sqrt(y[i]) + pow(y[i], 0.3);
}
__attribute__((noinline)) static void triangle(int n, const int *len) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < len[i] % (N / 8); ++j)
      for (int k = j; k < 4; ++k)
        c[i][j] += a[k] * i;
}
__attribute__((noinline)) static long both(long n, const int *p) {
  long s = 0;
  for (long i = 0; i < n; ++i) {
    if (p[i] == 7)
      continue;
    if (p[i] > N * 2)
      break;
    switch (p[i] % 3) {
    case 0: s += i; break;
    case 1: s ^= p[i]; break;
    default: s -= 2;
    }
  }
  return s;
}
int main(void) {
  for (int i = 0; i < N; ++i) {
    idx[i] = (i * 37 + 11) % N;
    a[i] = i * 0.25 - 3;
    b[i] = (i % 17) - 2.5;
  }
  for (int r = 0; r < 6000; ++r) {
    int t = r % 60;
    errno = 0;
    printf("%d ", find(a, N - t, 20 + t));
    printf("%a ", walk(idx, t, 300));
    count(idx, t % 7 ? N : 0);
    roots(b, a, idx, N);
    printf("%d ", errno == EDOM);
    triangle(N, idx);
    printf("%ld\n", both(N - t, idx));
    a[t] += b[t] > 0 ? b[t] : 1;
  }
  double s = 0;
  long h = 0;
  for (int i = 0; i < N; ++i) {
    s += c[i][i % (N / 8)];
    h += hist[i % 64] * i;
  }
  printf("%a %ld\n", s, h);
}
)";

TEST(InstrumentedCalls, LoopsOfAllSorts) {
  expectUnnoticed(ProgramPair(Sorts, "-O2"), 4);
  expectUnnoticed(ProgramPair(Sorts, "-O3 -march=native -g"), 4);
}

/// Returns how long the first compilation of a region took, in milliseconds.
double firstCompileMs(const nlohmann::json &Region) {
  double Begin = 0;
  for (const nlohmann::json &Entry : Region["timeline"])
    if (Entry["event"] == "compile-begin")
      Begin = Entry["ms"];
    else if (Entry["event"] == "compile-end")
      return Entry["ms"].get<double>() - Begin;
  return 0;
}

/// The first call of triangle() takes 0.2 ms, and waits for code for its rest.
TEST(InstrumentedCalls, WaitsDoNotCountIntoTheTimeOfACall) {
  const ProgramPair Pair(Sorts, "-O2");
  const Outcome O = Pair.expectSameBits(Always, /*NeedsVersion=*/false);
  unsigned Found = 0;
  for (const nlohmann::json &Region : O.Report["regions"]) {
    if (Region["function"] != "triangle")
      continue;
    ++Found;
    EXPECT_GT(Region["sampled_ms"], 0);
    EXPECT_LT(Region["sampled_ms"], firstCompileMs(Region) / 4);
  }
  EXPECT_EQ(Found, 1u);
}

/// A row pointer moves, an index changes: what was recorded is not true any more.
constexpr const char *Changes = R"(
#include <stdio.h>
#include <stdlib.h>
enum { N = 300 };
static long idx[N];
static double x[2 * N], y[N];
__attribute__((noinline)) static void gather(const long *p, long n) {
  for (long r = 0; r < 20; ++r)
    for (long i = 0; i < n; ++i)
      y[i] += x[p[i]] * 0.5;
}
int main(void) {
  for (long i = 0; i < 2 * N; ++i)
    x[i] = i * 0.125;
  for (long i = 0; i < N; ++i)
    idx[i] = i < 100 ? i : i + 50;
  for (int t = 0; t < 8000; ++t) {
    if (t % 5 == 4)
      idx[t % N] = (t * 7) % (2 * N);
    gather(idx, N);
    if (t % 5 == 4)
      idx[t % N] = t % N < 100 ? t % N : t % N + 50;
    if (t % 50 == 4)
      printf("%a\n", y[t % N]);
  }
}
)";

TEST(InstrumentedCalls, WhatTheyShowedMayChange) {
  expectUnnoticed(ProgramPair(Changes, "-O2"), 1, {});
}

TEST(InstrumentedCalls, WithLinesAndNamesOfTheSource) {
  expectUnnoticed(ProgramPair(Changes, "-O2 -g"), 1, {});
}

/// Leaves the recording call by siglongjmp, whichever it is; later calls go on.
constexpr const char *Left = R"(
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
enum { N = 3000 };
static int idx[N];
static double a[N], b[N];
static sigjmp_buf out;
static volatile sig_atomic_t inside;
static void leave(int sig) {
  if (inside) {
    inside = 0;
    siglongjmp(out, 1);
  }
}
__attribute__((noinline)) static void gather(const int *p, int n, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < n; ++i)
      b[i] = a[p[i]] + r;
}
int main(void) {
  for (int i = 0; i < N; ++i)
    idx[i] = N - 1 - i, a[i] = i;
  struct sigaction act;
  memset(&act, 0, sizeof(act));
  act.sa_handler = leave;
  sigaction(SIGALRM, &act, 0);
  struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, 0);
  for (volatile int t = 0; t < 400; ++t) {
    if (sigsetjmp(out, 1) == 0) {
      inside = 1;
      gather(idx, N, 100);
      inside = 0;
    }
  }
  setitimer(ITIMER_REAL, &never, 0);
  gather(idx, N, 3);
  for (int i = 0; i < N; i += 100)
    printf("%a\n", b[i]);
}
)";

TEST(InstrumentedCalls, MayBeLeftAtAnyTime) {
  const ProgramPair Pair(Left, "-O2");
  Pair.expectSameBits(Always, /*NeedsVersion=*/false);
  Pair.expectSameBits({{"SPECRT_INSTRUMENT", "always"}, {"SPECRT_COMPILE", "background"}},
                      /*NeedsVersion=*/false);
}

/// Several threads call one region; one of them records. Children of a fork go on.
constexpr const char *Threads = R"(
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 2000, T = 4 };
static int idx[N];
static double a[N], out[T][N];
__attribute__((noinline)) static void gather(double *b, const int *p, int n) {
  for (int r = 0; r < 5; ++r)
    for (int i = 0; i < n; ++i)
      b[i] += a[p[i]] * r;
}
static void *work(void *arg) {
  for (int t = 0; t < 500; ++t)
    gather(out[(long)arg], idx, N);
  return 0;
}
static void show(void) {
  double s = 0;
  for (int k = 0; k < T; ++k)
    for (int i = 0; i < N; ++i)
      s += out[k][i] * (i % 7);
  printf("%a\n", s);
  fflush(stdout);
}
int main(void) {
  for (int i = 0; i < N; ++i)
    idx[i] = (i * 3) % N, a[i] = i * 0.5;
  pthread_t t[T];
  for (long k = 0; k < T; ++k)
    pthread_create(&t[k], 0, work, (void *)k);
  for (int k = 0; k < T; ++k)
    pthread_join(t[k], 0);
  show();
  for (int c = 0; c < 3; ++c) {
    gather(out[0], idx, N);
    if (fork() == 0) {
      for (int k = 0; k < 50; ++k)
        gather(out[1], idx, N);
      show();
      _exit(0);
    }
    wait(0);
  }
  show();
}
)";

TEST(InstrumentedCalls, OfSeveralThreadsAndProcesses) {
  const ProgramPair Pair(Threads, "-O2 -pthread");
  Pair.expectSameBits(Always, /*NeedsVersion=*/false);
  Pair.expectSameBits({{"SPECRT_INSTRUMENT", "always"}, {"SPECRT_COMPILE", "background"}},
                      /*NeedsVersion=*/false);
}

/// Iterations of the outermost loop that last longer than a recording may: it is cut off inside.
constexpr const char *Long = R"(
#include <stdio.h>
enum { N = 300 };
static int idx[N];
static double a[N][N + 50], b[N];
__attribute__((noinline)) static double heavy(const int *p, int n) {
  double s = 0;
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 40; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          s += a[p[i]][j + k + r] * b[p[j]];
  return s;
}
int main(void) {
  for (int i = 0; i < N; ++i) {
    idx[i] = (i * 13) % N, b[i] = i;
    for (int j = 0; j < N + 50; ++j)
      a[i][j] = i ^ j;
  }
  double s = 0;
  for (int t = 0; t < 30; ++t) {
    s += heavy(idx, N);
    b[t] += s;
  }
  printf("%a\n", s);
}
)";

TEST(InstrumentedCalls, AreCutOffInTheMiddleOfAnIteration) {
  expectUnnoticed(ProgramPair(Long, "-O2"), 1);
}

} // namespace
