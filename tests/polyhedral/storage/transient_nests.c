// tests/polyhedral/storage/transient_nests.c - nests with arrays that hold values for a short time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All take (n, m, p, A, B, C): p steps over n lines of m points.

// The coefficients of a line are in B, and used before the next line.
void line_solver(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 0; i < n; i++) {
      B[i * m] = 0.25;
      for (long j = 1; j < m; j++)
        B[i * m + j] = A[i * m + j] / (4 - B[i * m + j - 1]);
      for (long j = m - 2; j >= 0; j--)
        C[i * m + j] = B[i * m + j] * C[i * m + j + 1] + 0.5;
    }
}
// The lines of two sweeps lie across each other. Those of the second one leave the values that the
// program sees.
void two_directions(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++) {
      B[i * n] = 0.25;
      for (long j = 1; j < n - 1; j++)
        B[i * n + j] = A[j * n + i] / (4 - B[i * n + j - 1]);
      for (long j = n - 2; j > 0; j--)
        C[j * n + i] = B[i * n + j] * C[(j + 1) * n + i] + 0.5;
    }
    for (long i = 1; i < n - 1; i++) {
      B[i * n] = 0.125;
      for (long j = 1; j < n - 1; j++)
        B[i * n + j] = C[i * n + j] / (3 - B[i * n + j - 1]);
      for (long j = n - 2; j > 0; j--)
        A[i * n + j] = B[i * n + j] * A[i * n + j + 1] - 0.5;
    }
  }
}
// The second sweep leaves some elements of the first one as they are.
void shorter_second_sweep(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long i = 0; i < n; i++) {
      B[i * m] = 0.25;
      for (long j = 1; j < m; j++)
        B[i * m + j] = A[i * m + j] / (4 - B[i * m + j - 1]);
      for (long j = m - 2; j >= 0; j--)
        C[i * m + j] = B[i * m + j] * C[i * m + j + 1] + 0.5;
    }
    for (long i = 1; i < n - 1; i++) {
      B[i * m + 3] = 0.125;
      for (long j = 4; j < m - 7; j++)
        B[i * m + j] = C[i * m + j] / (3 - B[i * m + j - 1]);
      for (long j = m - 9; j > 3; j--)
        A[i * m + j] = B[i * m + j] * A[i * m + j + 1] - 0.5;
    }
  }
}
// Lines get shorter from step to step, so that earlier steps leave what later ones do not write.
void shrinking_lines(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 0; i < n; i++) {
      B[i * m] = 0.25;
      for (long j = 1; j < m - t; j++)
        B[i * m + j] = A[i * m + j] / (4 - B[i * m + j - 1]);
      for (long j = m - 2 - t; j >= 0; j--)
        C[i * m + j] = B[i * m + j] * C[i * m + j + 1] + 0.5;
    }
}
// A line reads what the line before has left.
void lines_in_order(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++)
    for (long i = 1; i < n; i++) {
      B[i * m] = 0.25;
      for (long j = 1; j < m; j++)
        B[i * m + j] = A[i * m + j] / (4 - B[i * m + j - 1]) + B[(i - 1) * m + j];
      for (long j = m - 2; j >= 0; j--)
        C[i * m + j] = B[i * m + j] * C[i * m + j + 1] + 0.5;
    }
}
// Each step fills the table anew, and the next row needs the last one. The steps are independent.
void tables(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < p; t++) {
    for (long j = 0; j < m; j++)
      B[j] = A[t * m + j];
    for (long i = 1; i < n; i++) {
      B[i * m] = A[t * n + i];
      for (long j = 1; j < m; j++)
        B[i * m + j] = 0.5 * B[(i - 1) * m + j - 1] + 0.25 * B[(i - 1) * m + j] +
                       0.125 * B[i * m + j - 1] + A[t * m + j] * A[t * n + i];
    }
    C[t] = B[n * m - 1];
  }
}
// A filter in front of a recurrence: the sum gets a place per point.
void filtered_recurrence(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - p; j++) {
      double Sum = 0;
      for (long k = 0; k < p; k++)
        Sum += B[k] * A[i * m + j + k];
      C[i * m + j] = 0.5 * C[i * m + j - 1] + 0.25 * C[i * m + j] + Sum;
    }
}
// The line solver with elements that may lie at any multiple of four bytes.
typedef double loose __attribute__((aligned(4)));
void unaligned_line_solver(long n, long m, long p, loose *A, loose *B, loose *C) {
  for (long t = 0; t < p; t++)
    for (long i = 0; i < n; i++) {
      B[i * m] = 0.25;
      for (long j = 1; j < m; j++)
        B[i * m + j] = A[i * m + j] / (4 - B[i * m + j - 1]);
      for (long j = m - 2; j >= 0; j--)
        C[i * m + j] = B[i * m + j] * C[i * m + j + 1] + 0.5;
    }
}
