//===- tests/soundness/masked_stores_test.cpp - masks that become constants ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// With sizes that are constants LLVM masks the vectors of a row's end.
TEST(MaskedStores, OfShortRows) {
  ProgramPair Program(R"(
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void stencil(int16_t *A, int n, int m, int p) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < p; ++k)
        A[(i * m + j) * 16 + k] = (3 * A[(i * m + j) * 16 + k + 1] - 2 * A[(i * m + j) * 16 + k] -
                                   A[(i * m + j) * 16 + k + 2] + 3) % 97;
}
int main(int argc, char **argv) {
  int16_t *A = malloc(8192);
  for (int i = 0; i < 4096; ++i)
    A[i] = i * 7 % 31;
  for (int c = 0; c < 200; ++c)
    stencil(A, argc + 2, argc + 11, argc + 5);
  for (int i = 0; i < 700; ++i)
    printf("%d\n", A[i]);
}
)",
                      "-O3 -march=native");
  Program.expectSameBits();
}

/// The program's own masked stores of truncated vectors: the version knows that one lane is active.
TEST(MaskedStores, OfOneLane) {
  for (const char *Element : {"int8_t", "int16_t", "int32_t"}) {
    SCOPED_TRACE(Element);
    ProgramPair Program(R"(
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef ELEMENT narrows __attribute__((ext_vector_type(8)));
typedef int64_t longs __attribute__((ext_vector_type(8)));
typedef _Bool mask __attribute__((ext_vector_type(8)));
__attribute__((noinline)) static void pick(ELEMENT *A, longs *B, long n, long q, long z) {
  const longs lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i)
      __builtin_masked_store(__builtin_convertvector(lanes == q + j * z, mask),
                             __builtin_convertvector(B[i] + j, narrows), A + 8 * i);
}
int main(int argc, char **argv) {
  ELEMENT *A = aligned_alloc(64, 1 << 15);
  longs *B = aligned_alloc(64, 1 << 18);
  for (int i = 0; i < 512; ++i)
    for (int l = 0; l < 8; ++l)
      B[i][l] = (i * 8 + l) * 7919L * 65537, A[i * 8 + l] = i;
  for (int c = 0; c < 50; ++c)
    pick(A, B, argc + 60, argc + 2, argc - 1);
  for (int i = 0; i < 600; ++i)
    printf("%d\n", (int)A[i]);
}
)",
                        std::string("-O3 -march=native -DELEMENT=") + Element);
    Program.expectSameBits();
  }
}

} // namespace
