// tests/papers/figures.c - the loops of "Speculative Polly" (IMPACT 2013), and others of their kind
// Rejected by a static polyhedral optimiser, resolved at run time; the test checks the lines of each.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline))

KERNEL void figure2a(int *A, int *B, int N) {
  int i;
  for (i = 1; i < N; i++) // line 11
    A[i] = 3 * B[i];
}

KERNEL void figure2b(int *A, int N) {
  int i, j;
  for (i = 1; i < N; i++) // line 17
    for (j = 0; j < N; j++)
      A[j * N + i] += A[j * N + i - 1];
}

KERNEL void quadratic_bound(int *A, int N) {
  int i;
  for (i = 0; i < N * N; i++) // line 24
    A[i] = A[i] * 2 + i;
}

struct grid {
  int rows, columns;
};

KERNEL void field_bound(struct grid *g, int *A, int *B) {
  int i, j;
  for (i = 0; i < g->rows; i++) // line 34
    for (j = 0; j < g->columns; j++)
      A[i * 256 + j] += B[j * 256 + i];
}

static void print(const char *name, const int *A, int n) {
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < n; i++)
    hash = (hash ^ (uint32_t)A[i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

int main(void) {
  enum { N = 256, Calls = 1500 };
  int *A = malloc(sizeof(int) * N * N), *B = malloc(sizeof(int) * N * N);
  for (int i = 0; i < N * N; i++)
    A[i] = i % 101, B[i] = i % 103;
  struct grid g = {N, N};
  for (int c = 0; c < Calls; c++) {
    figure2a(A, B, N * N);
    figure2b(A, N);
    quadratic_bound(A, N);
    field_bound(&g, A, B);
  }
  print("A", A, N * N);
  print("B", B, N * N);
  return 0;
}
