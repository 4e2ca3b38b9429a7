/* tests/papers/zeros/zeros.c - dense programs through which zeros are propagated
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>

/* "Specializing dense polyhedral programs on sparse inputs", section 2, example 1 and its
 * reduction written as a recurrence. */
void gemm(long n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      C[i][j] = 0.0;
      for (long k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}

/* Section 2, example 2. */
void recurrence(long N, long M, double A[restrict M + 1][N], double In[restrict N]) {
  for (long i = 0; i <= N - 1; i++)
    A[0][i] = In[i];
  for (long t = 1; t <= M; t++)
    for (long i = 1; i <= N - 1; i++)
      A[t][i] = A[t - 1][i - 1] + A[t - 1][i];
}

/* Section 6.1. */
void spmm(long n, long m, double C[restrict n][m], double A[restrict n][n], double B[restrict n][m]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < m; j++)
        C[i][j] += A[i][k] * B[k][j];
}
void spgemm(long n, double beta, double alpha, double C[restrict n][n], double A[restrict n][n],
            double B[restrict n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++)
      C[i][j] *= beta;
    for (long k = 0; k < n; k++)
      for (long j = 0; j < n; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
void spmv(long n, double y[restrict n], double A[restrict n][n], double x[restrict n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      y[i] += A[i][j] * x[j];
}
void jacobi_1d(long T, long n, double A[restrict n], double B[restrict n]) {
  for (long t = 0; t < T; t++) {
    for (long i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (long i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}
/* In one array that keeps every step. */
void jacobi_1d_steps(long T, long n, double A[restrict T][n]) {
  for (long t = 1; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      A[t][i] = 0.33333 * (A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1]);
}
void jacobi_2d(long T, long n, double A[restrict n][n], double B[restrict n][n]) {
  for (long t = 0; t < T; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}
void heat_3d(long T, long n, double A[restrict n][n][n], double B[restrict n][n][n]) {
  for (long t = 0; t < T; t++) {
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        for (long k = 1; k < n - 1; k++)
          B[i][j][k] = 0.125 * (A[i + 1][j][k] + A[i - 1][j][k]) +
                       0.125 * (A[i][j + 1][k] + A[i][j - 1][k]) +
                       0.125 * (A[i][j][k + 1] + A[i][j][k - 1]) + A[i][j][k];
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        for (long k = 1; k < n - 1; k++)
          A[i][j][k] = 0.125 * (B[i + 1][j][k] + B[i - 1][j][k]) +
                       0.125 * (B[i][j + 1][k] + B[i][j - 1][k]) +
                       0.125 * (B[i][j][k + 1] + B[i][j][k - 1]) + B[i][j][k];
  }
}
void seidel_1d(long T, long n, double A[restrict n]) {
  for (long t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
}
void seidel_2d(long T, long n, double A[restrict n][n]) {
  for (long t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                   A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9.0;
}
void syrk(long n, double alpha, double beta, double C[restrict n][n], double A[restrict n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (long k = 0; k < n; k++)
      for (long j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}
void syr2k(long n, double alpha, double beta, double C[restrict n][n], double A[restrict n][n],
           double B[restrict n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (long k = 0; k < n; k++)
      for (long j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}
void trisolv(long n, double L[restrict n][n], double x[restrict n], double b[restrict n]) {
  for (long i = 0; i < n; i++) {
    x[i] = b[i];
    for (long j = 0; j < i; j++)
      x[i] += L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}
/* With + where a solver has -: an oracle of positive values needs that nothing cancels. */
void lu(long n, double A[restrict n][n]) {
  for (long k = 0; k < n; k++) {
    for (long i = k + 1; i < n; i++)
      A[i][k] = A[i][k] / A[k][k];
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j < n; j++)
        A[i][j] += A[i][k] * A[k][j];
  }
}
void cholesky(long n, double A[restrict n][n]) {
  for (long k = 0; k < n; k++) {
    A[k][k] = sqrt(A[k][k]);
    for (long i = k + 1; i < n; i++)
      A[i][k] = A[i][k] / A[k][k];
    for (long j = k + 1; j < n; j++)
      for (long i = j; i < n; i++)
        A[i][j] += A[i][k] * A[j][k];
  }
}
/* What operators do with zeros. */
void operators(long n, double y[restrict n], double a[restrict n], double b[restrict n],
               double c[restrict n]) {
  for (long i = 0; i < n; i++)
    y[i] = fma(a[i], b[i], -sqrt(c[i])) + (a[i] > b[i] ? a[i] : 0.0) * (b[i] / 3.0);
}
