//===- tests/visible/programs/nest.cpp - spends its time in one nest ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a nest until its version is there, and then for a while longer. With the argument "alarms"
// it gets a SIGALRM every 50 ms of that while: a debugger that stops at them most probably stops in
// the nest. Prints a checksum, which says that the tools around it changed nothing.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/time.h>
#include <vector>

extern "C" int specrt_wait_idle(unsigned TimeoutMilliseconds);

static inline double weigh(double X) { return 1.5 * X; }

extern "C" __attribute__((noinline)) void nest(long n, const double *A, const double *B,
                                               double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        C[i * n + j] += weigh(A[i * n + k]) * B[k * n + j]; // the statement
}

int main(int Argc, char **Argv) {
  constexpr long N = 160;
  std::vector<double> A(N * N, 1.0), B(N * N, 2.0), C(N * N);
  for (int I = 0; I < 64; ++I) {
    nest(N, A.data(), B.data(), C.data());
    if (I % 8 == 7)
      specrt_wait_idle(60000);
  }
  if (Argc > 1 && std::strcmp(Argv[1], "alarms") == 0) {
    std::signal(SIGALRM, [](int) {});
    itimerval Every50Ms = {{0, 50000}, {0, 50000}};
    setitimer(ITIMER_REAL, &Every50Ms, nullptr);
  }
  auto End = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
  std::vector<double> Scratch(C);
  while (std::chrono::steady_clock::now() < End)
    nest(N, A.data(), B.data(), Scratch.data());
  std::printf("sum %g\n", C[7]);
  return 0;
}
