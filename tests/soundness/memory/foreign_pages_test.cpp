//===- tests/soundness/memory/foreign_pages_test.cpp - pages between the rows of arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the arrays lie two pages apart. What lies between them belongs to somebody else: it
// cannot be read, or who reads it waits for a handler, which ends the program.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// What the programs below have in common. The argument says whose the pages are.
constexpr const char *Common = R"(
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { Page = 4096, Stride = 2 * Page };
static int handler = -1;
static void *handle(void *unused) {
  struct uffd_msg message;
  if (read(handler, &message, sizeof(message)) > 0)
    _exit(9);
  return unused;
}
static int listens(void) {
  handler = syscall(SYS_userfaultfd, O_CLOEXEC);
  if (handler < 0)
    handler = syscall(SYS_userfaultfd, O_CLOEXEC | 1);
  struct uffdio_api api = {.api = UFFD_API};
  pthread_t thread;
  return handler >= 0 && ioctl(handler, UFFDIO_API, &api) == 0 &&
         pthread_create(&thread, 0, handle, 0) == 0;
}
/* Rows of a page each, with a page of somebody else behind each. */
static void *rows(int count, const char *kind) {
  char *a = mmap(0, (size_t)count * Stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  int file = memfd_create("empty", 0);
  for (int i = 0; i < count; ++i) {
    char *gap = a + (size_t)i * Stride + Page;
    struct uffdio_register pages = {.range = {(uintptr_t)gap, Page},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING};
    if ((!strcmp(kind, "file") &&
         mmap(gap, Page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) ||
        (!strcmp(kind, "protected") && mprotect(gap, Page, PROT_NONE)) ||
        (!strcmp(kind, "handled") && ioctl(handler, UFFDIO_REGISTER, &pages)))
      abort();
  }
  close(file);
  return a;
}
static uint64_t hash(const double *p, int count) {
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, p + i, 8);
    h = (h ^ bits) * 1099511628211u;
  }
  return h;
}
static void run(const char *kind);
int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "none";
  if (!strcmp(kind, "handled") && !listens())
    return 77;
  run(kind);
  return 0;
}
)";

/// Lists of a matrix that is mostly zero, and a matrix that stays finite.
constexpr const char *Zeros = R"(
enum { N = 120, LD = Stride / 8, M = 64, W = 512 };
__attribute__((noinline)) void product(int n, int m, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[i * m + j] += a[(long)i * LD + k] * b[k * m + j];
}
__attribute__((noinline)) void times(int n, int m, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 0; k < m; ++k)
      s += a[(long)i * LD + k] * x[k];
    y[i] = s;
  }
}
static void run(const char *kind) {
  double *a = rows(N, kind), *full = rows(N, kind);
  double *b = malloc(N * M * 8), *c = calloc(N * M, 8), *x = calloc(W, 8), *y = calloc(N, 8);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < W; ++k) {
      a[i * LD + k] = (i * 7 + k) % 21 ? 0 : 1.0 / (i + k + 1);
      full[i * LD + k] = 1.0 / (i + k + 1);
    }
  for (int i = 0; i < N * M; ++i)
    b[i] = 1.0 / (i + 1);
  for (int k = 5; k < W; k += 31)
    x[k] = k - 7.5;
  for (int r = 0; r < 200; ++r) {
    product(N, M, a, b, c);
    times(N, W, full, x, y);
    if (r % 10 == 9)
      printf("%d %016lx %016lx\n", r, hash(c, N * M), hash(y, N));
    if (r == 120)
      a[5 * LD + 7] = full[6 * LD + 8] = 1;
  }
}
)";

/// Indices in pieces that count up. Each row fills its page.
constexpr const char *Sequences = R"(
enum { N = 8, LD = Stride / 4, M = Page / 4, T = 40 };
__attribute__((noinline)) void gather(long t, long m, const int *index, const double *x,
                                      double *y) {
  for (long k = 0; k < t; ++k)
    for (long j = 0; j < m; ++j)
      y[j] = 0.5 * y[j] + x[index[j] + k];
}
static void run(const char *kind) {
  int *index = rows(N, kind);
  static double x[4 * M], y[M];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      index[i * LD + j] = j < 200 ? j : j < 350 ? 2 * j + 7 : 2 * M - j;
  for (int i = 0; i < 4 * M; ++i)
    x[i] = i % 37 * 0.5;
  for (int r = 0; r < 1500; ++r) {
    int *row = index + r % N * LD, *changed = &row[r * 7 % M], before = *changed;
    if (r > 700 && r % 6 == 5)
      *changed = r % M;
    gather(T, M, row, x, y);
    *changed = before;
    if (r % 100 == 9)
      printf("%d %016lx\n", r, hash(y, M));
  }
}
)";

/// Rows of a sparse matrix behind pointers.
constexpr const char *Tables = R"(
enum { N = 4000 };
__attribute__((noinline)) void product(int n, const int *length, int *const *column,
                                       double *const *value, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 0; k < length[i]; ++k)
      s += value[i][k] * x[column[i][k]];
    y[i] = s;
  }
}
static void run(const char *kind) {
  char *columns = rows(N / 100, kind);
  static int length[N], *column[N];
  static double *value[N], x[N + 10], y[N];
  for (int i = 0; i < N; ++i) {
    length[i] = 5;
    column[i] = (int *)(columns + i / 100 * Stride) + i % 100 * 8;
    value[i] = malloc(5 * 8);
    x[i] = i % 37 * 0.5;
    for (int k = 0; k < 5; ++k) {
      column[i][k] = i + k;
      value[i][k] = 1.0 / (i + k + 1);
    }
  }
  for (int r = 0; r < 600; ++r) {
    product(N, length, column, value, x, y);
    if (r % 60 == 9)
      printf("%d %016lx\n", r, hash(y, N));
    if (r == 300)
      column[1234][3] = 7;
  }
}
)";

/// Did some version, or a candidate in its trial, run whose field \p Name holds \p Text?
bool hasRun(const Outcome &Run, const char *Name, const std::string &Text) {
  const nlohmann::json None = nlohmann::json::array();
  if (Run.Report.is_object())
    for (const auto &Region : Run.Report.value("regions", None))
      for (const char *Kind : {"versions", "retired"})
        for (const auto &Version : Region.value(Kind, None))
          if ((Version.value("hits", 0L) > 0 || Version.value("ns", 0.0) > 0) &&
              Version.contains(Name) && Version[Name].dump().find(Text) != std::string::npos)
            return true;
  return false;
}

/// With a cache from runs in which nobody else has pages between the rows, and with none.
void expectNoneRead(const std::string &Text, const char *Field, const std::string &Value) {
  const ProgramPair Program(std::string(Common) + Text, "-O3 -march=native -pthread");
  const Environment Warm = {{"SPECRT_THREADS", "1"}};
  for (const char *Kind : {"none", "file", "protected", "handled"}) {
    SCOPED_TRACE(Kind);
    const Outcome Plain = Program.plain({Kind});
    if (Plain.Status == 77)
      continue; // no such pages for us
    ASSERT_EQ(Plain.Status, 0);
    Environment Fresh = Warm;
    Fresh["SPECRT_CACHE_DIR"] = Program.box().path(Kind);
    bool HasRun = false;
    for (const Environment &Extra : {Warm, Fresh, Fresh}) {
      const Outcome With = Program.with(Extra, {Kind});
      specrt::e2e::expectSame(With, Plain);
      HasRun |= hasRun(With, Field, Value);
    }
    EXPECT_TRUE(HasRun);
  }
}

TEST(ForeignPages, AreNotReadByListsOfZeros) { expectNoneRead(Zeros, "candidate", "zeros"); }

TEST(ForeignPages, AreNotReadByComparisonsOfIndices) {
  expectNoneRead(Sequences, "guards", "known sequences");
}

TEST(ForeignPages, AreNotReadByTablesOfRows) { expectNoneRead(Tables, "candidate", "rows"); }

} // namespace
