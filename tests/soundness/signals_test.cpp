//===- tests/soundness/signals_test.cpp - signals, jumps and cancellation -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pure computation may be left at any time: by siglongjmp out of a handler, by asynchronous
// cancellation. So may what stands in for it.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// Worth running in parallel when n is N, and done in microseconds for small n.
constexpr const char *Product = R"(
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
enum { N = 280 };
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
  for (int call = 0; call < (n == N ? 16 : 3000); ++call)
    product(n);
}
static void show(int n) {
  memset(C, 0, sizeof(C));
  product(n);
  for (int i = 0; i < n; i += 3)
    printf("%a\n", C[i][n - 1 - i]);
}
static void every(long us) {
  struct itimerval t = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &t, 0);
}
)";

/// Leaves the region by siglongjmp, again and again; then all must be as before.
constexpr const char *Jumps = R"(
static sigjmp_buf out;
static volatile sig_atomic_t inside;
static void leave(int sig) {
  if (inside) {
    inside = 0;
    siglongjmp(out, 1);
  }
}
/// Where the loop was that has been left.
__attribute__((noinline)) static void scribble(void) {
  volatile char dead[16384];
  for (int i = 0; i < 16384; ++i)
    dead[i] = -1;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : N;
  prepare();
  learn(n);
  struct sigaction a;
  memset(&a, 0, sizeof(a));
  a.sa_handler = leave;
  sigaction(SIGALRM, &a, 0);
  volatile int jumps = 0;
  every(n == N ? 700 : 53);
  time_t end = time(0) + 20;
  while (jumps < (n == N ? 100 : 1000) && time(0) < end) {
    if (sigsetjmp(out, 1) == 0) {
      for (;;) {
        inside = 1;
        product(n);
        inside = 0;
      }
    }
    scribble();
    ++jumps;
  }
  every(0);
  pid_t child = fork();
  if (child == 0) {
    product(n);
    _exit(7);
  }
  int status;
  waitpid(child, &status, 0);
  printf("%d jumps, the child ended with %d\n", jumps, WEXITSTATUS(status));
  show(n);
  return 0;
}
)";

TEST(Signals, JumpsOutOfParallelVersions) {
  ProgramPair Program(std::string(Product) + Jumps, "-O2");
  Outcome First = Program.expectSameBits({{"SPECRT_HOT", "1"}, {"SPECRT_THREADS", "2"}});
  EXPECT_NE(First.Report.dump().find("contraction-parallel"), std::string::npos);
}

TEST(Signals, JumpsOutOfSerialVersions) {
  ProgramPair Program(std::string(Product) + Jumps, "-O2");
  Program.expectSameBits({{"SPECRT_HOT", "1"}, {"SPECRT_THREADS", "1"}});
}

/// The timer hits between the versions, too: where calls are counted, sampled and tried.
TEST(Signals, JumpsOutOfShortCalls) {
  ProgramPair Program(std::string(Product) + Jumps, "-O2");
  const Outcome Plain = Program.plain({"12"});
  EXPECT_EQ(Plain.Status, 0);
  for (const char *Hot : {"0", "1", "100000"})
    specrt::e2e::expectSame(Program.with({{"SPECRT_HOT", Hot}, {"SPECRT_THREADS", "2"}}, {"12"}),
                            Plain);
}

/// Threads that compute until they are cancelled, at any instruction.
constexpr const char *Cancellations = R"(
static volatile sig_atomic_t cleaned, ready;
static int size;
static void cleanup(void *unused) { ++cleaned; }
static void *compute(void *unused) {
  int old;
  pthread_cleanup_push(cleanup, 0);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  ready = 1;
  for (;;)
    product(size);
  pthread_cleanup_pop(0);
  return 0;
}
int main(int argc, char **argv) {
  size = argc > 1 ? atoi(argv[1]) : N;
  int count = size == N ? 50 : 200;
  prepare();
  learn(size);
  for (int i = 0; i < count; ++i) {
    pthread_t t;
    void *result;
    ready = 0;
    pthread_create(&t, 0, compute, 0);
    while (!ready)
      sched_yield();
    usleep(size == N ? 1500 + i * 20 : i % 64);
    pthread_cancel(t);
    pthread_join(t, &result);
    if (result != PTHREAD_CANCELED)
      return 3;
  }
  printf("%d cleaned up\n", cleaned);
  show(size);
  return 0;
}
)";

TEST(Signals, CancelsParallelVersions) {
  ProgramPair Program(std::string(Product) + Cancellations, "-O2");
  Outcome First = Program.expectSameBits({{"SPECRT_HOT", "1"}, {"SPECRT_THREADS", "2"}});
  EXPECT_NE(First.Report.dump().find("contraction-parallel"), std::string::npos);
}

TEST(Signals, CancelsSerialVersions) {
  ProgramPair Program(std::string(Product) + Cancellations, "-O2");
  Program.expectSameBits({{"SPECRT_HOT", "1"}, {"SPECRT_THREADS", "1"}});
}

TEST(Signals, CancelsShortCalls) {
  ProgramPair Program(std::string(Product) + Cancellations, "-O2");
  const Outcome Plain = Program.plain({"12"});
  EXPECT_EQ(Plain.Status, 0);
  for (const char *Hot : {"0", "1", "100000"})
    specrt::e2e::expectSame(Program.with({{"SPECRT_HOT", Hot}, {"SPECRT_THREADS", "2"}}, {"12"}),
                            Plain);
}

/// Handlers run on threads of the program, and what nobody handles ends it in time.
constexpr const char *Handlers = R"(
static pthread_t self;
static volatile sig_atomic_t elsewhere, here;
static void handle(int sig) {
  if (pthread_equal(pthread_self(), self))
    ++here;
  else
    ++elsewhere;
}
int main(int argc, char **argv) {
  prepare();
  learn(N);
  self = pthread_self();
  if (argc > 1) {
    alarm(1);
    time_t end = time(0) + 30;
    while (time(0) < end)
      product(N);
    return 0;
  }
  signal(SIGALRM, handle);
  every(400);
  for (int i = 0; i < 60; ++i)
    product(N);
  every(0);
  printf("%d of %d elsewhere\n", elsewhere, here > 10 ? 1 : 0);
  show(N);
  return 0;
}
)";

TEST(Signals, ReachThreadsOfTheProgramOnly) {
  ProgramPair Program(std::string(Product) + Handlers, "-O2");
  Program.expectSameBits({{"SPECRT_HOT", "1"}, {"SPECRT_THREADS", "2"}});
  specrt::e2e::expectSame(Program.with({{"SPECRT_THREADS", "2"}}, {"until it is killed"}),
                          Program.plain({"until it is killed"}));
}

} // namespace
