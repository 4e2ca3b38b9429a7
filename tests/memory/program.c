//===- tests/memory/program.c - a program that allocates nothing itself ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So every allocation of its main thread is libspecrt's, or made on its behalf. Prints a hash over
// all that its kernel has written. Usage: program SIZE, at most 96.
//
//===----------------------------------------------------------------------===//
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MaxSize = 96, Rounds = 40 };

static double A[MaxSize * MaxSize], B[MaxSize * MaxSize], C[MaxSize * MaxSize];

__attribute__((noinline)) void product(long n, const double *a, const double *b, double *c) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main(int Count, char **Arguments) {
  const long Size = Count > 1 ? strtol(Arguments[1], NULL, 10) : 0;
  if (Size < 1 || Size > MaxSize)
    return 2;
  for (int i = 0; i < MaxSize * MaxSize; i++) {
    A[i] = (i * 7 % 13) * 0.1;
    B[i] = (i * 3 % 11) * 0.1;
  }
  for (int Round = 0; Round < Rounds; Round++)
    product(Size, A, B, C);
  uint64_t Hash = 14695981039346656037u;
  for (int i = 0; i < MaxSize * MaxSize; i++) {
    uint64_t Bits;
    memcpy(&Bits, &C[i], sizeof(Bits));
    Hash = (Hash ^ Bits) * 1099511628211u;
  }
  char Line[32];
  const int Length = snprintf(Line, sizeof(Line), "%016" PRIx64 "\n", Hash);
  return write(STDOUT_FILENO, Line, (size_t)Length) == Length ? 0 : 1;
}
