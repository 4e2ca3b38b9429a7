//===- tests/soundness/zeros/zeros_test.cpp - dense programs on arrays that are mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions that leave out what zeros make idle compute the same bits, whatever becomes of the
// arrays, and whoever writes them.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>
#include <thread>

using namespace specrt::soundness;

namespace {

/// A matrix times a vector, and times a matrix, called many times while `Between` changes
/// something.
std::string program(const std::string &Between,
                    const std::string &Sizes = "N = 192, M = 24, Rounds = 300") {
  return R"(
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { )" +
         Sizes + R"( };
static double *A, *B, *X, *Y, *C;
__attribute__((noinline)) void gemv(int n, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 0; k < n; ++k)
      s += a[i * n + k] * x[k];
    y[i] = s;
  }
}
__attribute__((noinline)) void gemm(int n, int m, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[i * m + j] += a[i * n + k] * b[k * m + j];
}
static double *room(size_t count) {
  return mmap(0, count * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void fill(double *a, int step) {
  memset(a, 0, N * N * 8);
  for (int i = 0; i < N * N; i += step)
    a[i] = 1.0 / (i + 3) - 0.001;
}
static uint64_t hash(const double *p, int count) {
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < count; ++i) {
    uint64_t bits;
    memcpy(&bits, p + i, 8);
    if (p[i] != p[i])
      bits = 1; // which of two NaNs an addition hands on is the compiler's choice
    h = (h ^ bits) * 1099511628211u;
  }
  return h;
}
static void *writer(void *at) {
  *(double *)at += 0.5;
  return 0;
}
static void between(int r) { (void)r; )" +
         Between + R"( }
int main(void) {
  A = room(N * N), B = room(N * M), C = room(N * M), X = room(N), Y = room(N);
  fill(A, 37);
  for (int i = 0; i < N * M; ++i)
    B[i] = 1.0 / (i + 1);
  for (int i = 0; i < N; ++i)
    X[i] = i - 7.5;
  for (int r = 0; r < Rounds; ++r) {
    gemv(N, A, X, Y);
    gemm(N, M, A, B, C);
    if (r % 10 == 9) {
      printf("%d %016lx %016lx\n", r, hash(Y, N), hash(C, N * M));
      memset(C, 0, N * M * 8);
      between(r);
    }
  }
})";
}

/// A dense matrix times a vector that is mostly zero: what the matrix holds beside must be finite.
std::string columnsProgram(const std::string &Between) {
  return R"(
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 640 };
static double *A, *X, *Y;
__attribute__((noinline)) void gemv(int n, const double *a, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = 0; k < n; ++k)
      s += a[i * n + k] * x[k];
    y[i] = s;
  }
}
static void between(int r) { (void)r; )" +
         Between + R"( }
int main(void) {
  A = malloc(N * N * 8), X = calloc(N, 8), Y = malloc(N * 8);
  for (int i = 0; i < N * N; ++i)
    A[i] = 1.0 / (i + 1);
  for (int i = 5; i < N; i += 31)
    X[i] = i - 7.5;
  for (int r = 0; r < 300; ++r) {
    gemv(N, A, X, Y);
    if (r % 5 == 4) {
      uint64_t h = 0;
      for (int i = 0; i < N; ++i) {
        uint64_t bits;
        memcpy(&bits, Y + i, 8);
        h = (h ^ (Y[i] == Y[i] ? bits : 1)) * 1099511628211u;
      }
      printf("%d %016lx\n", r, h);
      between(r);
    }
  }
})";
}

struct Scenario {
  const char *Name, *Between;
};
void PrintTo(const Scenario &S, std::ostream *Out) { *Out << S.Name; }

class Zeros : public testing::TestWithParam<Scenario> {};

bool zerosRan(const Outcome &Run, const char *Candidate) {
  const nlohmann::json None = nlohmann::json::array();
  if (Run.Report.is_object())
    for (const auto &Region : Run.Report.value("regions", None))
      for (const char *Kind : {"versions", "retired"})
        for (const auto &Version : Region.value(Kind, None))
          if (Version.value("candidate", "") == Candidate &&
              (Version.value("hits", 0L) > 0 || Version.value("ns", 0.0) > 0))
            return true;
  return false;
}

/// All runs give the same bits, and \p Candidate ran in one of them. On a busy machine a run of
/// some hundred milliseconds may end before its trial, and the next ones go on with it; a region
/// in which trials gained nothing then rests: another cache, another trial.
void expectSameBits(const ProgramPair &Program, const char *Candidate, Environment Extra) {
  constexpr int Caches = 12, RunsWithEach = 4;
  Outcome Run = Program.expectSameBits(Extra);
  for (int More = 0; More < Caches * RunsWithEach && !zerosRan(Run, Candidate); ++More) {
    Extra["SPECRT_CACHE_DIR"] = Program.box().path("cache-" + std::to_string(More / RunsWithEach));
    Run = Program.with(Extra);
    specrt::e2e::expectSame(Run, Program.plain());
  }
  EXPECT_TRUE(zerosRan(Run, Candidate)) << Run.Report.dump(2);
}

void expectSameBits(const std::string &Text) {
  const ProgramPair Program(Text, "-O3 -march=native -pthread");
  expectSameBits(Program, "zeros", {});
  for (const char *Watch : {"compare", "off"}) {
    SCOPED_TRACE(std::string("with SPECRT_WATCH=") + Watch);
    specrt::e2e::expectSame(Program.with({{"SPECRT_WATCH", Watch}}), Program.plain());
  }
}

TEST_P(Zeros, GiveTheSameBits) { expectSameBits(program(GetParam().Between)); }

/// What threads share, and what becomes of it.
class ZerosInParallel : public testing::TestWithParam<Scenario> {};

TEST_P(ZerosInParallel, GiveTheSameBits) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "needs two processors";
  const ProgramPair Program(program(GetParam().Between, "N = 640, M = 24, Rounds = 80"),
                            "-O3 -march=native -pthread");
  expectSameBits(Program, "zeros-parallel", {{"SPECRT_THREADS", "2"}});
}

TEST(ZerosOfAVector, UntilTheMatrixIsNotFinite) {
  expectSameBits(columnsProgram("A[(r * 31 + 2) % (N * N)] = r % 3 ? INFINITY : 1.0;"));
}

TEST(ZerosOfAVector, UntilItHasOthers) {
  expectSameBits(columnsProgram("X[r % N] = r % 2 ? r : -0.0; if (r > 200) A[r] = NAN;"));
}

constexpr Scenario All[] = {
    {"unchanged", ""},
    {"element_comes", "A[(r * 7919) % (N * N)] = r;"},
    {"element_goes", "A[(r % 100) * 37] = 0;"},
    {"value_changes", "A[0] += 0.25;"},
    {"becomes_dense", "fill(A, r > 150 ? 1 : 37);"},
    {"dense_at_times", "fill(A, r % 60 == 9 ? 1 : 41);"},
    {"infinite_factor", "X[r % N] = r % 3 ? 1.0 : INFINITY; B[r % (N * M)] = X[r % N];"},
    {"nan_factor", "X[r % N] = r % 3 ? 1.0 : NAN; B[r % (N * M)] = X[r % N];"},
    {"denormal_factor", "X[r % N] = r % 3 ? 1.0 : 5e-324; B[r % (N * M)] = -X[r % N];"},
    {"infinite_element", "A[(r * 31) % (N * N)] = r % 3 ? INFINITY : 0;"},
    {"nan_element", "A[(r * 31) % (N * N)] = r % 3 ? NAN : 0;"},
    {"negative_zeros", "for (int i = 0; i < N; ++i) A[i * N + (r + 1) % N] *= -1.0; "
                       "for (int i = 0; i < N * M; ++i) C[i] = -0.0;"},
    {"denormal_element", "A[(r * 31) % (N * N)] = -5e-324;"},
    {"mapped_again", "munmap(A, N * N * 8); A = room(N * N); fill(A, 29 + r % 7);"},
    {"moved", "double *b = room(N * N); memcpy(b, A, N * N * 8); munmap(A, N * N * 8); A = b;"},
    {"overlapping", "gemv(64, A, A + 64, A + 64 * 5); gemv(64, A, X, A + 7); gemv(64, A, Y, Y);"},
    {"by_another_thread", "pthread_t t; pthread_create(&t, 0, writer, A + (r * 53) % (N * N)); "
                          "pthread_join(t, 0);"},
    {"by_a_pipe", "int e[2]; double v = r; if (pipe(e)) abort(); if (write(e[1], &v, 8) != 8) "
                  "abort(); if (read(e[0], A + (r * 53) % (N * N), 8) != 8) abort(); close(e[0]); "
                  "close(e[1]);"},
    {"forked", "if (r % 50 == 9) { fflush(stdout); pid_t p = fork(); if (p == 0) { A[5] = r; "
               "gemv(N, A, X, Y); printf(\"child %016lx\\n\", hash(Y, N)); fflush(stdout); "
               "_exit(0); } waitpid(p, 0, 0); A[N + 3] += 1; }"},
};

INSTANTIATE_TEST_SUITE_P(Scenarios, Zeros, testing::ValuesIn(All),
                         [](const auto &Info) { return Info.param.Name; });

constexpr Scenario Shared[] = {
    {"unchanged", ""},
    {"dense_at_times", "fill(A, r % 20 == 9 ? 1 : 41);"},
    {"infinite_factor", "X[r % N] = r % 3 ? 1.0 : INFINITY; B[r % (N * M)] = X[r % N];"},
    {"negative_zeros", "for (int i = 0; i < N; ++i) A[i * N + (r + 1) % N] *= -1.0; "
                       "for (int i = 0; i < N * M; ++i) C[i] = -0.0;"},
    {"overlapping", "gemv(64, A, A + 64, A + 64 * 5); gemv(N, A, X, A + 7); gemv(N, A, Y, Y);"},
    {"on_another_thread", "pthread_t t; pthread_create(&t, 0, writer, A + (r * 53) % (N * N)); "
                          "gemv(M, B, X, Y); pthread_join(t, 0);"},
    {"forked", "if (r % 20 == 9) { fflush(stdout); pid_t p = fork(); if (p == 0) { A[5] = r; "
               "gemv(N, A, X, Y); printf(\"child %016lx\\n\", hash(Y, N)); fflush(stdout); "
               "_exit(0); } waitpid(p, 0, 0); A[N + 3] += 1; }"},
};

INSTANTIATE_TEST_SUITE_P(Scenarios, ZerosInParallel, testing::ValuesIn(Shared),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
