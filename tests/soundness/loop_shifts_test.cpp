//===- tests/soundness/loop_shifts_test.cpp - statements that meet in some iterations only ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// isl's schedule puts the three assignments into loops with steps of 2 and 3.
TEST(LoopShifts, KeepTheOrderOfThreeStatements) {
  ProgramPair Program(R"(
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
static uint32_t A[25][40], B[25][40], C[25][40];
__attribute__((noinline)) static void mix(uint32_t (*A)[40], uint32_t (*B)[40], uint32_t (*C)[40],
                                          size_t n, size_t p) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; j += 2) {
      if ((i + j) % 3 == 0)
        B[j][j + 2] = A[i][j];
      C[i][j + 7] = B[j + 5][i] >> 3;
      for (size_t k = j; k < p; ++k) {
        if (k < n) {
          uint32_t d = B[i + 4][j + 1] - C[i + 1][k];
          B[j][23 - k] = d > A[j][i + 8] ? d : A[j][i + 8];
        }
        if ((k + i) % 4 == 1)
          A[j + 7][i] = 1;
        B[j + 6][j] = (2 & A[i][j + 5]) << 2;
      }
    }
}
int main(int argc, char **argv) {
  for (int c = 0; c < 100; ++c) {
    for (int i = 0; i < 25; ++i)
      for (int j = 0; j < 40; ++j) {
        A[i][j] = 2654435761u * (i * 40 + j + c);
        B[i][j] = 2246822519u * (i * 40 + j + c);
        C[i][j] = 3266489917u * (i * 40 + j + c);
      }
    mix(A, B, C, argc + 9, argc + 10);
    uint32_t hash = 0;
    for (int i = 0; i < 25; ++i)
      for (int j = 0; j < 40; ++j)
        hash = hash * 31 + A[i][j] + 7 * B[i][j] + 11 * C[i][j];
    printf("%u\n", hash);
  }
}
)",
                      "-O3 -march=x86-64");
  Program.expectSameBits();
}

} // namespace
