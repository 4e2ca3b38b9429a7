//===- tests/soundness/process_test.cpp - a process that notices nothing --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program sees of its own process is what it would see without libspecrt: threads,
// descriptors, children, and how it ends.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

constexpr const char *Common = R"(
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 160 };
static double A[N][N], B[N][N], C[N][N];
__attribute__((noinline)) static void product(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
static void prepare(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      A[i][j] = (i * j) % 7 * 0.3, B[i][j] = (i + 2 * j) % 5 - 1.5;
}
static void learn(int n) {
  for (int call = 0; call < 24; ++call)
    product(n);
}
static void show(void) {
  for (int i = 0; i < N; i += 3)
    printf("%a\n", C[i][N - 1 - i]);
}
static int threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(tasks));)
    count += e->d_name[0] != '.';
  closedir(tasks);
  return count;
}
)";

SourceFile program(const std::string &Main) { return {"program.c", Common + Main}; }

ProgramPair pairOf(const std::string &Main) { return ProgramPair({program(Main)}, "-O2 -pthread"); }

TEST(Process, HasNoThreadOfOursWithoutHotRegions) {
  const ProgramPair P = pairOf(R"(
int main(void) {
  prepare();
  product(8);
  printf("%d %d\n", threads(), __libc_single_threaded);
  return 0;
})");
  const Environment Cold = {{"SPECRT_HOT", "100000"}};
  for (int Run = 0; Run < 2; ++Run) {
    const Outcome O = P.with(Cold);
    EXPECT_EQ(O.Output, "1 1\n");
    EXPECT_EQ(O.Output, P.plain().Output);
    EXPECT_FALSE(O.Report.is_null());
  }
}

/// A known version is wanted as soon as a region is called, not before main.
TEST(Process, HasNoThreadOfOursBeforeARegionIsCalled) {
  const ProgramPair P = pairOf(R"(
int main(int argc, char **argv) {
  printf("%d %d\n", threads(), __libc_single_threaded);
  prepare();
  learn(N);
  show();
  return 0;
})");
  EXPECT_EQ(P.plain().Output.substr(0, 4), "1 1\n");
  P.expectSameBits();
}

/// A process ends with its last thread, whatever of ours has been started.
TEST(Process, EndsWhenMainLeftByPthreadExit) {
  const ProgramPair P = pairOf(R"(
static void *work(void *unused) {
  learn(N);
  show();
  return 0;
}
int main(int argc, char **argv) {
  pthread_t t;
  prepare();
  if (argc > 1)
    learn(N); // the worker exists when main ends
  memset(C, 0, sizeof(C));
  pthread_create(&t, 0, work, 0);
  pthread_detach(t);
  pthread_exit(0);
})");
  const Environment Threads = {{"SPECRT_THREADS", "2"}};
  P.expectSameBits(Threads, /*NeedsVersion=*/true, {"learn"});
  P.expectSameBits(Threads, /*NeedsVersion=*/false);
}

/// Nothing of ours has a number that the program might use or close, at any time.
TEST(Process, OwnsItsDescriptors) {
  const ProgramPair P = pairOf(R"(
static int mine[32], wrong;
static void check(void) {
  for (int f = 3; f < 200; ++f) {
    struct stat s;
    int is_mine = 0;
    for (int i = 0; i < 32; ++i)
      is_mine |= mine[i] == f;
    if (is_mine ? fstat(f, &s) != 0 || s.st_size != 5 : fcntl(f, F_GETFD) >= 0)
      ++wrong;
  }
}
int main(void) {
  for (int f = 3; f < 200; ++f)
    close(f);
  for (int i = 0; i < 32; ++i) {
    char name[] = "/tmp/specrt-own-XXXXXX";
    mine[i] = mkstemp(name);
    unlink(name);
    if (mine[i] != 3 + i || write(mine[i], "hello", 5) != 5)
      ++wrong;
  }
  prepare();
  for (int call = 0; call < 200; ++call) {
    product(N);
    check();
    for (int f = 3 + 32; f < 200; ++f)
      close(f); // what nobody should have
  }
  show();
  printf("%d wrong\n", wrong);
  return 0;
})");
  // Calls that do not wait go on while versions are compiled, linked, stored and loaded.
  for (const char *Mode : {"background", "sync"})
    P.expectSameBits({{"SPECRT_COMPILE", Mode}}, /*NeedsVersion=*/Mode[0] == 's');
}

TEST(Process, ForksChildrenWithOneThread) {
  const ProgramPair P = pairOf(R"(
int main(void) {
  prepare();
  learn(N);
  memset(C, 0, sizeof(C));
  for (int child = 0; child < 3; ++child) {
    fflush(stdout);
    if (fork() == 0) {
      printf("%d\n", threads());
      learn(N - child); // its own hot regions are its own matter
      show();
      return 0;
    }
    wait(0);
  }
  show();
  return 0;
})");
  P.expectSameBits();
}

/// A child that no handler of pthread_atfork has seen ends by exit. Forked while the worker sleeps:
/// otherwise it may hold a lock of malloc, which only fork takes care of.
TEST(Process, EndsChildrenOfUnderscoreFork) {
  const ProgramPair P = pairOf(R"(
__attribute__((weak)) int specrt_wait_idle(unsigned);
int main(void) {
  prepare();
  int failed = 0;
  for (int round = 0; round < 40; ++round) {
    product(N - round);
    if (specrt_wait_idle)
      specrt_wait_idle(20000);
    pid_t child = _Fork();
    if (child == 0) {
      alarm(60);
      product(N - round - 1);
      exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    failed += status != 0;
  }
  show();
  printf("%d failed\n", failed);
  return 0;
})");
  P.expectSameBits();
}

/// Children of children of a program with threads, from a cold and from a warm cache.
TEST(Process, ForksWithinChildrenWhileThreadsRun) {
  const ProgramPair P = pairOf(R"(
static _Atomic int stop;
static double D[4][N][N];
__attribute__((noinline)) static void other(double (*d)[N], int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      d[i][j] = 0.5 * (d[i - 1][j] + d[i][j - 1]) + A[i][j];
}
static void *work(void *d) {
  while (!stop)
    other(d, N);
  return 0;
}
static int nest(int depth) {
  if (depth == 0)
    return 0;
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    product(N / 2);
    _exit(nest(depth - 1));
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status != 0;
}
int main(void) {
  pthread_t t[4];
  prepare();
  for (int i = 0; i < 4; ++i)
    pthread_create(&t[i], 0, work, D[i]);
  int failed = 0;
  for (int round = 0; round < 25; ++round) {
    product(N / 2);
    failed += nest(3);
  }
  stop = 1;
  for (int i = 0; i < 4; ++i)
    pthread_join(t[i], 0);
  show();
  printf("%d failed\n", failed);
  return 0;
})");
  P.expectSameBits({{"SPECRT_COMPILE", "background"}}, /*NeedsVersion=*/false);
}

} // namespace
