//===- tests/soundness/irregular/row_pointers_test.cpp - rows that lie anywhere ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions are made for rows behind row pointers that are apart from each other. Then they change:
// rows move, change their places, come to overlap, become shorter; the nest writes row pointers.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Rows in one block; every tenth call one of them lies elsewhere, or two are the same.
constexpr const char *Rows = R"(
#include <stdio.h>
#include <stdlib.h>
enum { N = 120, M = 90 };
__attribute__((noinline)) static void adjust(double **w, double **old, const double *x, long n,
                                             long m) {
  for (long j = 0; j < m; ++j)
    for (long k = 0; k < n; ++k) {
      double change = 0.3 * x[k] + 0.3 * old[k][j];
      w[k][j] += change;
      old[k][j] = change;
    }
}
int main(void) {
  static double a[N * M], b[N * M], other[M], x[N], *w[N], *old[N];
  for (int k = 0; k < N; ++k) {
    w[k] = a + k * M;
    old[k] = b + k * M;
    x[k] = k * 0.25;
  }
  for (int t = 0; t < 4000; ++t) {
    double *before = w[t % N];
    if (t > 2000 && t % 10 == 3)
      w[t % N] = other;
    if (t > 2000 && t % 10 == 6)
      w[t % N] = w[(t + 7) % N];
    if (t > 2000 && t % 10 == 9)
      w[t % N] = old[(t + 1) % N];
    adjust(w, old, x, N, M);
    w[t % N] = before;
    if (t % 500 == 9)
      printf("%a %a %a\n", a[t % (N * M)], b[t * 3 % (N * M)], other[t % M]);
  }
  double sum = 0;
  for (int i = 0; i < N * M; ++i)
    sum += a[i] * (i % 13) + b[i];
  printf("%a\n", sum);
}
)";

TEST(RowPointers, RowsThatMoveAndComeToOverlap) {
  for (const char *Flags : {"-O2", "-O3 -march=native -g"})
    expectGuarded(Rows, Flags, "adjust", "rows of");
}

/// Rows of planes, against the order in which they lie; some calls see one that moved.
constexpr const char *Planes = R"(
#include <stdio.h>
enum { N = 40 };
__attribute__((noinline)) static void stencil(double ***out, double ***in, long n) {
  for (long k = 1; k < n - 1; ++k)
    for (long j = 1; j < n - 1; ++j)
      for (long i = 1; i < n - 1; ++i)
        out[i][j][k] = 0.2 * (in[n - 1 - i][j][k] + in[i][n - 1 - j][k] + in[i][j][k - 1] +
                              in[i][j][k + 1]);
}
static double a[N][N][N], b[N][N][N], *pa[N][N], *pb[N][N], **qa[N], **qb[N];
int main(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      pa[i][j] = a[i][j];
      pb[i][j] = b[i][j];
      for (int k = 0; k < N; ++k)
        a[i][j][k] = (i * 7 + j * 5 + k * 3) % 11;
    }
    qa[i] = pa[i];
    qb[i] = pb[i];
  }
  for (int t = 0; t < 1500; ++t) {
    double **plane = qb[t % N], *row = pb[t % N][t * 3 % N];
    if (t > 700 && t % 5 == 1)
      qb[t % N] = qb[(t + 1) % N];
    if (t > 700 && t % 5 == 3)
      pb[t % N][t * 3 % N] = pa[t % N][t * 5 % N];
    stencil(qb, qa, N);
    qb[t % N] = plane;
    pb[t % N][t * 3 % N] = row;
    stencil(qa, qb, N);
  }
  double sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        sum += a[i][j][k] * (i + 2 * j + 3 * k) + b[i][j][k];
  printf("%a\n", sum);
}
)";

TEST(RowPointers, PlanesWhoseRowsMove) {
  expectGuarded(Planes, "-O2", "stencil", "38 * 38 rows of");
}

/// Rows of two matrices, allocated in turn and in no order; later calls see them change places,
/// some overlap, and some row is one of the other matrix.
constexpr const char *Ragged = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 120 };
__attribute__((noinline)) static void product(long n, double **c, double **a, double **b) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        c[i][j] += a[i][k] * b[k][j];
}
static double *row(int seed) {
  double *new = malloc((N + seed % 7) * sizeof(double));
  for (int i = 0; i < N; ++i)
    new[i] = (seed * 5 + i * 3) % 17 * 0.125;
  return new;
}
int main(void) {
  static double *a[N], *b[N], *c[N], wide[2 * N];
  for (int i = 0; i < N; ++i) {
    int at = i * 37 % N;
    a[at] = row(i), c[at] = row(2 * i), b[(at + 11) % N] = row(3 * i);
    free(malloc(i * 40));
  }
  double sum = 0;
  for (int t = 0; t < 500; ++t) {
    int x = t % N, y = (t * 7 + 3) % N;
    double *old = c[x];
    if (t % 3 == 0) {
      double *other = a[x];
      a[x] = a[y];
      a[y] = other;
    }
    if (t > 300 && t % 10 == 1)
      c[x] = c[(x + 1) % N];
    if (t > 300 && t % 10 == 4)
      c[x] = a[y];
    if (t > 300 && t % 10 == 7)
      c[x] = wide + 1, b[y] = wide + N;
    product(N, c, a, b);
    if (t > 300 && t % 10 == 7)
      b[y] = row(t);
    c[x] = old;
    for (int i = 0; i < N; ++i)
      sum += c[i][t % N], c[i][(t + i) % N] *= 0.0625, memset(c[(x + i) % N], 0, 64);
    if (t % 100 == 9)
      printf("%a\n", sum);
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      sum += c[i][j] * (i + 2 * j);
  printf("%a %a\n", sum, wide[N]);
}
)";

TEST(RowPointers, RaggedRowsThatChangePlacesAndComeToOverlap) {
  for (const char *Flags : {"-O2", "-O3 -march=native -g"})
    expectGuarded(Ragged, Flags, "product", "120 rows of");
}

/// The rows of vectors. Later ones are moved when they grow, and lie in each other's old places.
constexpr const char *Vectors = R"(
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
using Matrix = std::vector<std::vector<double>>;
__attribute__((noinline)) static uint64_t hashOf(const Matrix &of) {
  uint64_t hash = 0, word;
  for (const std::vector<double> &row : of)
    for (double x : row) {
      if (!std::isfinite(x))
        std::puts("not finite");
      std::memcpy(&word, &x, 8);
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    }
  return hash;
}
extern "C" __attribute__((noinline)) void covariance(const Matrix &data, Matrix &cov, int n, int m) {
  for (int i = 0; i < m; ++i)
    for (int j = i; j < m; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += data[k][i] * data[k][j];
      cov[i][j] = sum / (n - 1.0);
      cov[j][i] = cov[i][j];
    }
}
int main() {
  const int n = 80, m = 60;
  Matrix data(n, std::vector<double>(m)), cov(m, std::vector<double>(m));
  for (int t = 0; t < 1200; ++t) {
    for (int i = 0; i < n; ++i)
      data[i][(t + i) % m] = (i * t) % 19 * 0.25;
    data[t % n].reserve(m + t % 300);
    cov[t % m].shrink_to_fit();
    std::swap(data[t % n], data[t * 3 % n]);
    if (t > 600 && t % 7 == 0)
      cov = Matrix(m, std::vector<double>(m + t % 5));
    covariance(data, cov, n, m);
    if (t > 600 && t % 11 == 0) {
      for (std::vector<double> &row : cov)
        for (double &x : row)
          x *= 0x1p-10;
      covariance(cov, cov, m, m);
    }
    std::printf("%llx\n", (unsigned long long)hashOf(cov));
  }
}
)";

TEST(RowPointers, VectorsOfVectors) {
  const Outcome Last =
      expectGuarded(SourceFile{"program.cpp", Vectors}, "-O2", "covariance", "60 rows of");
  EXPECT_THAT(Last.Output, Not(HasSubstr("not finite")));
}

/// A triangle: each call reads all row pointers, but no loop does by itself. Rows are as long as
/// they must be, so that they may lie closer than a square's.
constexpr const char *Triangle = R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 90 };
__attribute__((noinline)) static unsigned long hash_of(double **a) {
  unsigned long hash = 0, word;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      if (!isfinite(a[i][j]))
        puts("not finite");
      memcpy(&word, &a[i][j], 8);
      hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    }
  return hash;
}
__attribute__((noinline)) static void decompose(double **a) {
  for (long i = 0; i < N; ++i) {
    for (long j = 0; j < i; ++j) {
      for (long k = 0; k < j; ++k)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] *= 0.0625;
    }
    for (long j = i; j < N; ++j)
      for (long k = 0; k < i; ++k)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
int main(void) {
  static double *a[N], other[2 * N];
  for (int i = 0; i < N; ++i)
    a[i * 7 % N] = malloc((N + i % 5) * sizeof(double));
  for (int t = 0; t < 800; ++t) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        a[i][j] = i == j ? 1 : (i * 7 + j * 3 + t) % 11 * 0.01;
    double *before = a[t % N];
    if (t > 400 && t % 9 == 2)
      a[t % N] = a[t * 5 % N];
    if (t > 400 && t % 9 == 5)
      a[t % N] = other + t % N;
    for (int i = 0; i < 2 * N; ++i)
      other[i] = 0.01 * (1 + i % 3);
    decompose(a);
    printf("%lx\n", hash_of(a));
    a[t % N] = before;
  }
}
)";

TEST(RowPointers, TrianglesReadAllRowsTogether) {
  const Outcome Last = expectGuarded(SourceFile{"program.c", Triangle}, "-O3 -march=native",
                                     "decompose", "90 rows of");
  EXPECT_THAT(Last.Output, Not(HasSubstr("not finite")));
}

/// The nest writes, as bytes, the pointers to planes that it follows later. In late calls what is
/// there before leads nowhere: no guard may follow it.
constexpr const char *Bytes = R"(
#include <stdio.h>
#include <string.h>
enum { N = 24 };
__attribute__((noinline)) static void add(unsigned char ***a, unsigned char **bytes,
                                          const unsigned char *good, long n) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j)
      for (long k = 0; k < n; ++k)
        a[i][j][k] += i + j;
    for (long b = 0; b < 8; ++b)
      bytes[i][b] = good[8 * i + b];
  }
}
static unsigned char values[N][N][N], spare[N][8], *rows[N][N], **planes[N + 1], **good[N + 1];
static unsigned char *aside[N], *inside[N];
int main(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j)
      rows[i][j] = values[i][j];
    good[i] = planes[i] = rows[i];
    aside[i] = spare[i];
    inside[i] = (unsigned char *)&planes[i + 1];
  }
  for (int t = 0; t < 1500; ++t) {
    const int is_late = t > 1000;
    if (is_late)
      for (int i = 1; i <= N; ++i)
        planes[i] = (unsigned char **)(16L * i);
    add(planes, is_late ? inside : aside, (const unsigned char *)&good[1], N);
    unsigned long hash = 0;
    for (int i = 0; i < N * N * N; ++i)
      hash = hash * 31 + ((unsigned char *)values)[i];
    printf("%lx\n", hash);
  }
}
)";

TEST(RowPointers, PointersThatLeadNowhereYet) {
  for (const char *Flags : {"-O2", "-O3 -march=native -fno-strict-aliasing"})
    ProgramPair(Bytes, Flags).expectSameBits({}, /*NeedsVersion=*/false);
}

/// The nest stores row pointers: nothing is known of rows.
constexpr const char *Stored = R"(
#include <stdio.h>
enum { N = 100 };
__attribute__((noinline)) static void shift(double **w, long n) {
  for (long i = 0; i < n; ++i) {
    double *row = w[i];
    for (long j = 0; j < n; ++j)
      row[j] = row[j] * 0.5 + i;
    w[i] = w[i + 1];
  }
}
int main(void) {
  static double a[N + 1][N], *w[N + 1];
  double sum = 0;
  for (int t = 0; t < 3000; ++t) {
    for (int i = 0; i <= N; ++i)
      w[i] = a[(i + t) % (N + 1)];
    shift(w, N);
    sum += a[t % N][t * 3 % N];
  }
  printf("%a\n", sum);
}
)";

TEST(RowPointers, RowPointersThatTheNestWrites) {
  ProgramPair(Stored, "-O2").expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
