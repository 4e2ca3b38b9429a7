// bench/contract_nests.c - nests whose storage is expanded; see contract.cpp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>

// All take (n, m, p, A, B, C, D). The first six are those of PolyBench.

void adi(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
         double *restrict D) {
  const double a = -0.5 * n, b = 1 - 2 * a, d = -0.25 * n, e = 1 - 2 * d;
  for (long t = 0; t < p; t++) {
    for (long i = 1; i < n - 1; i++) {
      B[i] = 1;
      C[i * n] = 0;
      D[i * n] = B[i];
      for (long j = 1; j < n - 1; j++) {
        C[i * n + j] = -a / (a * C[i * n + j - 1] + b);
        D[i * n + j] = (-d * A[j * n + i - 1] + (1 + 2 * d) * A[j * n + i] - d * A[j * n + i + 1] -
                        a * D[i * n + j - 1]) /
                       (a * C[i * n + j - 1] + b);
      }
      B[(n - 1) * n + i] = 1;
      for (long j = n - 2; j > 0; j--)
        B[j * n + i] = C[i * n + j] * B[(j + 1) * n + i] + D[i * n + j];
    }
    for (long i = 1; i < n - 1; i++) {
      A[i * n] = 1;
      C[i * n] = 0;
      D[i * n] = A[i * n];
      for (long j = 1; j < n - 1; j++) {
        C[i * n + j] = -d / (d * C[i * n + j - 1] + e);
        D[i * n + j] = (-a * B[(i - 1) * n + j] + (1 + 2 * a) * B[i * n + j] -
                        a * B[(i + 1) * n + j] - d * D[i * n + j - 1]) /
                       (d * C[i * n + j - 1] + e);
      }
      A[i * n + n - 1] = 1;
      for (long j = n - 2; j > 0; j--)
        A[i * n + j] = C[i * n + j] * A[i * n + j + 1] + D[i * n + j];
    }
  }
}
void deriche(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
             double *restrict D) {
  for (long i = 0; i < n; i++) {
    double PreviousIn = 0, Previous = 0, BeforePrevious = 0;
    for (long j = 0; j < m; j++) {
      B[i * m + j] = 0.3 * A[i * m + j] + 0.2 * PreviousIn + 0.6 * Previous - 0.1 * BeforePrevious;
      PreviousIn = A[i * m + j];
      BeforePrevious = Previous;
      Previous = B[i * m + j];
    }
  }
}
void gramschmidt(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
                 double *restrict D) {
  for (long k = 0; k < m; k++) {
    double Squares = 0;
    for (long i = 0; i < n; i++)
      Squares += A[i * m + k] * A[i * m + k];
    B[k * m + k] = sqrt(Squares);
    for (long i = 0; i < n; i++)
      C[i * m + k] = A[i * m + k] / B[k * m + k];
    for (long j = k + 1; j < m; j++) {
      B[k * m + j] = 0;
      for (long i = 0; i < n; i++)
        B[k * m + j] += C[i * m + k] * A[i * m + j];
      for (long i = 0; i < n; i++)
        A[i * m + j] -= C[i * m + k] * B[k * m + j];
    }
  }
}
void ludcmp(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
            double *restrict D) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      double Rest = A[i * n + j];
      for (long k = 0; k < j; k++)
        Rest -= A[i * n + k] * A[k * n + j];
      A[i * n + j] = Rest / A[j * n + j];
    }
    for (long j = i; j < n; j++) {
      double Rest = A[i * n + j];
      for (long k = 0; k < i; k++)
        Rest -= A[i * n + k] * A[k * n + j];
      A[i * n + j] = Rest;
    }
  }
}
void nussinov(long n, long m, long p, int *restrict A, int *restrict B, int *restrict C,
              int *restrict D) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = i + 1; j < n; j++) {
      const int Pair = i < j - 1 && B[i] + B[j] == 3;
      int T = A[i * n + j];
      T = T >= A[i * n + j - 1] ? T : A[i * n + j - 1];
      T = T >= A[(i + 1) * n + j] ? T : A[(i + 1) * n + j];
      T = T >= A[(i + 1) * n + j - 1] + Pair ? T : A[(i + 1) * n + j - 1] + Pair;
      A[i * n + j] = T;
      for (long k = i + 1; k < j; k++)
        A[i * n + j] = A[i * n + j] >= A[i * n + k] + A[(k + 1) * n + j]
                           ? A[i * n + j]
                           : A[i * n + k] + A[(k + 1) * n + j];
    }
}
void durbin(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
            double *restrict D) {
  C[0] = -A[0];
  double Beta = 1, Alpha = -A[0];
  for (long k = 1; k < n; k++) {
    double Sum = 0;
    Beta = (1 - Alpha * Alpha) * Beta;
    for (long i = 0; i < k; i++)
      Sum += A[k - i - 1] * C[i];
    Alpha = -(A[k] + Sum) / Beta;
    for (long i = 0; i < k; i++)
      B[i] = C[i] + Alpha * C[k - i - 1];
    for (long i = 0; i < k; i++)
      C[i] = B[i];
    C[k] = Alpha;
  }
}

// Solves along lines. The coefficients of all lines are kept.
void lines(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
           double *restrict D) {
  for (long t = 0; t < p; t++)
    for (long i = 0; i < n; i++) {
      B[i * m] = 0.25;
      D[i * m] = A[i * m];
      for (long j = 1; j < m; j++) {
        B[i * m + j] = 1 / (4 - B[i * m + j - 1]);
        D[i * m + j] = (A[i * m + j] + D[i * m + j - 1]) * B[i * m + j];
      }
      C[i * m + m - 1] = D[i * m + m - 1];
      for (long j = m - 2; j >= 0; j--)
        C[i * m + j] = D[i * m + j] + B[i * m + j] * C[i * m + j + 1];
    }
}
// Fills a table per step, each row of which needs the previous one.
void tables(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
            double *restrict D) {
  for (long t = 0; t < p; t++) {
    for (long j = 0; j < m; j++)
      B[j] = A[t * m + j];
    for (long i = 1; i < n; i++) {
      B[i * m] = C[t * n + i];
      for (long j = 1; j < m; j++)
        B[i * m + j] = 0.5 * B[(i - 1) * m + j - 1] + 0.25 * B[(i - 1) * m + j] +
                       0.125 * B[i * m + j - 1] + A[t * m + j] * C[t * n + i];
    }
    D[t] = B[n * m - 1];
  }
}
// Applies a filter of p points, then a recurrence, along columns.
void filter(long n, long m, long p, double *restrict A, double *restrict B, double *restrict C,
            double *restrict D) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - p; j++) {
      double Sum = 0;
      for (long k = 0; k < p; k++)
        Sum += B[k] * A[(j + k) * n + i];
      C[j * n + i] = 0.5 * C[(j - 1) * n + i] + 0.25 * C[j * n + i] + Sum;
    }
}
