// tests/polyhedral/interleaving/nests_in_turn.c - nests that follow each other at a distance
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All take (n, m, p, A, B, C).

// B needs two rows of A around its own.
void two_stages(long n, long m, long p, double *restrict A, double *restrict B,
                double *restrict C) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      A[i * m + j] = 0.25 * C[i * m + j - 1] + 0.5 * C[i * m + j] + 0.25 * C[i * m + j + 1];
  for (long i = 2; i < n - 2; i++)
    for (long j = 1; j < m - 1; j++)
      B[i * m + j] = 0.25 * A[(i - 2) * m + j] + 0.5 * A[i * m + j] + 0.25 * A[(i + 2) * m + j];
}

// The nests of two_stages for several pictures. A keeps the first stage of the last one.
void pictures(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C) {
  for (long f = 0; f < p; f++) {
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        A[i * m + j] = 0.5 * C[f * n * m + i * m + j] + 1;
    for (long i = 2; i < n - 2; i++)
      for (long j = 0; j < m; j++)
        B[f * n * m + i * m + j] = A[(i - 2) * m + j] + A[i * m + j] + A[(i + 2) * m + j];
  }
}

// Red points are in A, black ones in B.
void red_black(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      A[i * m + j] = 0.25 * (B[(i - 1) * m + j] + B[(i + 1) * m + j] + B[i * m + j] +
                             B[i * m + j - 1] - C[i * m + j]);
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      B[i * m + j] = 0.25 * (A[(i - 1) * m + j] + A[(i + 1) * m + j] + A[i * m + j] +
                             A[i * m + j + 1] - C[i * m + j]);
}

// The colours alternate within A.
void checkerboard(long n, long m, long p, double *restrict A, double *restrict B,
                  double *restrict C) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1 + i % 2; j < m - 1; j += 2)
      A[i * m + j] = 0.25 * (A[(i - 1) * m + j] + A[(i + 1) * m + j] + A[i * m + j - 1] +
                             A[i * m + j + 1] - C[i * m + j]);
  for (long i = 1; i < n - 1; i++)
    for (long j = 1 + (i + 1) % 2; j < m - 1; j += 2)
      A[i * m + j] = 0.25 * (A[(i - 1) * m + j] + A[(i + 1) * m + j] + A[i * m + j - 1] +
                             A[i * m + j + 1] - C[i * m + j]);
}

// The second nest reads every other row: it has grain 2.
void half_rows(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C) {
  for (long i = 0; i < 2 * n; i++)
    for (long j = 0; j < m; j++)
      A[i * m + j] = 0.5 * C[i * m + j];
  for (long i = 0; i < n - 1; i++)
    for (long j = 0; j < m; j++)
      B[i * m + j] = A[2 * i * m + j] + A[(2 * i + 2) * m + j];
}

// Statements stand before and after three stages.
void three_stages(long n, long m, long p, double *restrict A, double *restrict B,
                  double *restrict C) {
  C[0] = 3;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * m + j] = 0.5 * C[i * m + j];
  for (long i = 1; i < n - 1; i++)
    for (long j = 0; j < m; j++)
      B[i * m + j] = A[(i - 1) * m + j] + A[(i + 1) * m + j];
  for (long i = 2; i < n - 2; i++)
    for (long j = 0; j < m; j++)
      C[i * m + j] = B[(i - 1) * m + j] + B[(i + 1) * m + j];
  C[1] = B[m];
}

// The nests of three_stages alone.
void three_nests(long n, long m, long p, double *restrict A, double *restrict B,
                 double *restrict C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * m + j] = 0.5 * C[i * m + j];
  for (long i = 1; i < n - 1; i++)
    for (long j = 0; j < m; j++)
      B[i * m + j] = A[(i - 1) * m + j] + A[(i + 1) * m + j];
  for (long i = 2; i < n - 2; i++)
    for (long j = 0; j < m; j++)
      C[i * m + j] = B[(i - 1) * m + j] + B[(i + 1) * m + j];
}

// A row of the second nest needs all of the first one.
void transposed(long n, long m, long p, double *restrict A, double *restrict B,
                double *restrict C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i * n + j] = 0.5 * C[i * n + j];
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      B[i * n + j] = A[j * n + i] + 1;
}

// The nests have nothing in common.
void strangers(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      A[i * m + j] = A[i * m + j] * 0.5;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      B[i * m + j] = B[i * m + j] + 1;
}

// The result of the first nest is an operand of a product: A is between the nests, but its places
// must stay where the kernel expects them.
void products_of_pictures(long n, long m, long p, double *A, double *B, double *C) {
  for (long f = 0; f < p; f++) {
    for (long i = 0; i < n; i++)
      for (long k = 0; k < m; k++)
        A[i * m + k] = 0.5 * C[i * m + k] + f;
    for (long i = 0; i < n; i++)
      for (long k = 0; k < m; k++)
        for (long j = 0; j < m; j++)
          B[(f * n + i) * m + j] += A[i * m + k] * C[n * m + k * m + j];
  }
}
