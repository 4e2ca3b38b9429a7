//===- bench/programs/threads.cpp - many more threads than processors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of sixteen threads multiplies its own matrices. The wall time of a call may be a hundred
// times its processor time.
#include "outcome.h"
#include <thread>

namespace {

struct Work {
  std::vector<double> A, B, C;
  uint64_t Seen = 0;
};

/// Computes C = 0.5 C + A B.
void multiply(double *C, const double *A, const double *B, long N) {
  for (long I = 0; I < N; ++I) {
    for (long J = 0; J < N; ++J)
      C[I * N + J] *= 0.5;
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        C[I * N + J] += A[I * N + K] * B[K * N + J];
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const long Threads = bench::argument(Argc, Argv, 1, 16), N = bench::argument(Argc, Argv, 2, 72);
  const long Calls = bench::argument(Argc, Argv, 3, 800);
  std::vector<Work> Works;
  for (long T = 0; T < Threads; ++T)
    Works.push_back({bench::numbers(N * N, 3 * T + 1), bench::numbers(N * N, 3 * T + 2),
                     bench::numbers(N * N, 3 * T + 3)});
  bench::Stopwatch Time;
  std::vector<std::thread> Running;
  for (Work &W : Works)
    Running.emplace_back([&W, N, Calls] {
      for (long Call = 0; Call < Calls; ++Call) {
        multiply(W.C.data(), W.A.data(), W.B.data(), N);
        W.Seen ^= bench::checksum(&W.C[Call % N], 1);
      }
    });
  for (std::thread &T : Running)
    T.join();
  Time.stop();
  uint64_t All = 0;
  for (const Work &W : Works)
    All = 3 * All + W.Seen + bench::checksum(W.C);
  Time.print(All);
}
