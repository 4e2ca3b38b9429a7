//===- tests/stress/programs/kernels.h - loop nests of the stressed programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Field holds everything that the kernels access, so a program may have several: one per thread,
// or one that only a signal handler uses. Fields are static objects and the output is one write():
// when memory is scarce, every allocation is libspecrt's.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_STRESS_PROGRAMS_KERNELS_H
#define SPECRT_TESTS_STRESS_PROGRAMS_KERNELS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { Side = 72, Cells = Side * Side };

struct field {
  double A[Cells], B[Cells], C[Cells], U[Cells], V[Cells];
  int Index[Cells];
};

#define KERNEL __attribute__((noinline)) static

KERNEL void multiply(long n, const double *a, const double *b, double *c) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

KERNEL void smooth(long n, long steps, double *u, double *v) {
  for (long t = 0; t < steps; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        v[i * n + j] = 0.2 * (u[i * n + j] + u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                              u[i * n + j - 1] + u[i * n + j + 1]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        u[i * n + j] = v[i * n + j];
  }
}

KERNEL void gather(long n, const int *index, const double *from, double *to) {
  for (long i = 0; i < n; i++)
    to[i] += 1e-3 * from[index[i]];
}

static inline void fill(struct field *F) {
  for (int i = 0; i < Cells; i++) {
    F->A[i] = (i * 7 % 13) * 0.1;
    F->B[i] = (i * 3 % 11) * 0.1;
    F->C[i] = F->V[i] = 0;
    F->U[i] = i % 17;
    F->Index[i] = (int)((i * 5L) % Cells);
  }
}

/// One round of all kernels; \p Number chooses what changes between rounds.
static inline void run_kernels(struct field *F, int Number) {
  multiply(Side, F->A, F->B, F->C);
  smooth(Side, 3, F->U, F->V);
  gather(Cells, F->Index, F->U, F->C);
  F->A[(Number * 37L) % Cells] += 1e-6 * F->C[(Number * 11L) % Cells];
}

static inline void run_rounds(struct field *F, int Rounds) {
  for (int Round = 0; Round < Rounds; Round++)
    run_kernels(F, Round);
}

static inline uint64_t hash_of(const struct field *F) {
  const unsigned char *Bytes = (const unsigned char *)F;
  uint64_t Hash = 14695981039346656037u;
  for (unsigned long i = 0; i < sizeof(*F); i++)
    Hash = (Hash ^ Bytes[i]) * 1099511628211u;
  return Hash;
}

/// Prints "NAME HASH" with a single write.
static inline void print_hash(const char *Name, uint64_t Hash) {
  char Line[80];
  const int Length = snprintf(Line, sizeof(Line), "%s %016llx\n", Name, (unsigned long long)Hash);
  if (write(STDOUT_FILENO, Line, (size_t)Length) != Length)
    _exit(3);
}

static inline int number(int Count, char **Arguments, int Which, int Default) {
  return Count > Which ? atoi(Arguments[Which]) : Default;
}

#endif
