//===- tests/soundness/budget_test.cpp - compilations that would take for ever ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}

/// isl's numbers grow to hundreds of digits over this nest, and few operations take minutes.
/// Another region wants its version meanwhile.
const char *const Nest = R"(
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
__attribute__((noinline)) static void nest(uint16_t *A, uint16_t *B, uint16_t *C, uint16_t *D, int n, int m) {
  for (int i = n - 2; i >= 2; --i)
    for (int j = 0; j < n; ++j)
      for (int k = n - 2; k >= 0; --k) {
        C[((i + j) / 2) * 43 + k] = A[i];
        C[(i % 5) * m + k] = B[k];
        D[(j - 1) * n + k] ^= B[i * n + i + k];
      }
}
__attribute__((noinline)) static void other(double *X, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < n; ++j)
      X[i * n + j] += 0.5 * X[(i - 1) * n + j];
}
int main(int argc, char **argv) {
  int n = argc < 3 ? 22 : 0, seconds = argc > 1 ? atoi(argv[1]) : 0;
  uint16_t *A = calloc(8192, 2), *B = calloc(8192, 2), *C = calloc(8192, 2), *D = calloc(8192, 2);
  double *X = calloc(22 * 22, sizeof *X);
  for (int i = 0; i < 4096; ++i)
    A[i] = i * 7, B[i] = i * 13, C[i] = i, D[i] = i * 3;
  for (int i = 0; i < 22 * 22; ++i)
    X[i] = i % 7;
  time_t end = time(0) + seconds;
  int calls = 0;
  do {
    nest(A, B, C, D + 64, n, n);
    if (calls++ < 4) {
      for (int i = 0; i < 4096; ++i)
        printf("%d %d\n", C[i], D[i]);
      other(X, n);
      for (int i = 0; i < 22 * 22; ++i)
        printf("%a\n", X[i]);
    }
  } while (time(0) < end || calls < 4);
}
)";

TEST(Budget, EndsWhatIslDoesWithLargeNumbers) {
  ProgramPair Program(Nest, "-O3 -march=native");
  auto Begin = Clock::now();
  Program.expectSameBits({{"SPECRT_COMPILE_BUDGET_MS", "500"}}, /*NeedsVersion=*/false);
  EXPECT_LT(secondsSince(Begin), 60) << "of five runs";
}

/// The program takes no part in what happens in the background, and the worker comes back to the
/// other regions.
TEST(Budget, EndsInTheBackground) {
  ProgramPair Program(Nest, "-O3 -march=native");
  const Outcome Plain = Program.plain({"5"});
  auto Begin = Clock::now();
  Outcome With =
      Program.with({{"SPECRT_COMPILE", "background"}, {"SPECRT_COMPILE_BUDGET_MS", "300"}}, {"5"});
  EXPECT_LT(secondsSince(Begin), 20);
  specrt::e2e::expectSame(With, Plain);
  for (const auto &Region : With.Report["regions"])
    EXPECT_NE(Region["state"], "compiling") << Region["name"];
  EXPECT_GT(versionsRan(With), 0u);
}

} // namespace
