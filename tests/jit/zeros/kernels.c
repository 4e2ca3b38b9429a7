/* tests/jit/zeros/kernels.c - dense loops of which zeros make iterations idle
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * `a` is the array that may be mostly zero. All have the same signature, so that a test calls any:
 * n rows, m columns, three arrays and a number. */
#include <stddef.h>

#define AT(I, K, Width) ((size_t)(I) * (Width) + (K))

void gemv(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < m; ++k)
      sum += a[AT(i, k, m)] * b[k];
    c[i] = sum;
  }
}

/* Sums begin with what is there, in memory. */
void gemv_added(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      c[i] -= s * a[AT(i, k, m)] * b[k];
}

void gemm_middle(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[AT(i, j, m)] += a[AT(i, k, n)] * b[AT(k, j, m)];
}

void gemm_inner(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double sum = c[AT(i, j, m)] * s;
      for (int k = 0; k < n; ++k)
        sum += a[AT(i, k, n)] * b[AT(k, j, m)];
      c[AT(i, j, m)] = sum;
    }
}

void gemm_outer(int n, int m, const double *a, double *b, double *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        c[AT(i, j, m)] += a[AT(i, k, n)] * b[AT(k, j, m)];
}

/* The sparse one is on the right: its columns are the rows of the list. */
void gemm_right(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        c[AT(i, j, n)] += b[AT(k, i, m)] * a[AT(k, j, n)];
}

/* Rows of c overlap where m > n. */
void gemm_shifted(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[AT(i, j, n)] += a[AT(i, k, n)] * b[AT(k, j, m)];
}

/* Each row of c from a row that another iteration writes. */
void gemm_chained(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double sum = c[AT(i - 1, j, m)] * s;
      for (int k = 0; k < n; ++k)
        sum += a[AT(i, k, n)] * b[AT(k, j, m)];
      c[AT(i, j, m)] = sum;
    }
}

void syrk(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      for (int j = 0; j <= i; ++j)
        c[AT(i, j, n)] += s * a[AT(i, k, m)] * a[AT(j, k, m)];
}

void lower(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < i; ++k)
      sum += a[AT(i, k, n)] * b[k];
    c[i] = sum;
  }
}

void separate(int n, int m, const float *a, float *b, float *c, double s) {
#pragma clang fp contract(off)
  for (int i = 0; i < n; ++i) {
    float sum = c[i];
    for (int k = 0; k < m; ++k)
      sum += a[AT(i, k, m)] * b[k];
    c[i] = sum;
  }
}

void floats(int n, int m, const float *a, float *b, float *c, double s) {
  for (int i = 0; i < n; ++i) {
    float sum = c[i];
    for (int k = 0; k < m; ++k)
      sum += a[AT(i, k, m)] * b[k];
    c[i] = sum;
  }
}

void widened(int n, int m, const float *a, float *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < m; ++k)
      sum += (double)a[AT(i, k, m)] * b[k];
    c[i] = sum;
  }
}

void integers(int n, int m, const int *a, int *b, int *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[AT(i, j, m)] += a[AT(i, k, n)] * b[AT(k, j, m)];
}

void jacobi(int n, int m, const double *a, double *b, double *c, double s) {
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < n; ++i) {
      double sum = 1;
      for (int k = 0; k < n; ++k)
        sum -= a[AT(i, k, n)] * b[k];
      c[i] = sum * s;
    }
    for (int i = 0; i < n; ++i)
      b[i] = c[i];
  }
}

/* What is read was written before, by iterations of the loop around. */
void seidel(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double rest = c[i];
    for (int k = 0; k < n; ++k)
      rest -= a[AT(i, k, n)] * b[k];
    b[i] += rest * s;
  }
}

void solve(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double rest = b[i];
    for (int k = 0; k < i; ++k)
      rest -= a[AT(i, k, n)] * c[k];
    c[i] = rest / (s + a[AT(i, i, n)]);
  }
}

/* The diagonal is read elsewhere. */
void seidel_if(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double rest = c[i];
    for (int k = 0; k < n; ++k)
      if (k != i)
        rest -= a[AT(i, k, n)] * b[k];
    b[i] = rest / a[AT(i, i, n)];
  }
}

/* Nobody reads b[n - 1]. */
void lower_if(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    double rest = s;
    for (int k = 0; k <= i; ++k)
      if (k != i)
        rest -= a[AT(i, k, n)] * b[k];
    c[i] = rest + a[AT(i, i, n)];
  }
}

void solve_in_memory(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i) {
    c[i] = b[i];
    for (int k = 0; k < i; ++k)
      c[i] -= a[AT(i, k, n)] * c[k];
    c[i] /= s + a[AT(i, i, n)];
  }
}

/* The nest writes the sparse array, c. Where what is left of an element is zero, a whole row is as
 * it was. */
void lu(int n, int m, const double *a, double *b, double *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      c[AT(i, k, n)] /= c[AT(k, k, n)];
      for (int j = k + 1; j < n; ++j)
        c[AT(i, j, n)] -= c[AT(i, k, n)] * c[AT(k, j, n)];
    }
}

void lu_by_rows(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k) {
      c[AT(i, k, n)] /= c[AT(k, k, n)];
      for (int j = k + 1; j < n; ++j)
        c[AT(i, j, n)] -= c[AT(i, k, n)] * c[AT(k, j, n)];
    }
}

void lu_floats(int n, int m, const float *a, float *b, float *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      c[AT(i, k, n)] /= c[AT(k, k, n)];
      for (int j = k + 1; j < n; ++j)
        c[AT(i, j, n)] -= c[AT(i, k, n)] * c[AT(k, j, n)];
    }
}

void lu_separate(int n, int m, const double *a, double *b, double *c, double s) {
#pragma clang fp contract(off)
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      c[AT(i, k, n)] /= c[AT(k, k, n)];
      for (int j = k + 1; j < n; ++j)
        c[AT(i, j, n)] -= c[AT(i, k, n)] * c[AT(k, j, n)];
    }
}

/* What can be reached. */
void closure(int n, int m, const int *a, int *b, int *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        c[AT(i, j, n)] |= c[AT(i, k, n)] & c[AT(k, j, n)];
}

void lu_multiplier(int n, int m, const double *a, double *b, double *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      double multiplier = c[AT(i, k, n)] / c[AT(k, k, n)];
      c[AT(i, k, n)] = multiplier;
      for (int j = k + 1; j < n; ++j)
        c[AT(i, j, n)] -= multiplier * c[AT(k, j, n)];
    }
}

void cholesky(int n, int m, const double *a, double *b, double *c, double s) {
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i)
      c[AT(i, k, n)] /= c[AT(k, k, n)];
    for (long j = k + 1; j < n; ++j)
      for (long i = j; i < n; ++i)
        c[AT(i, j, n)] -= c[AT(i, k, n)] * c[AT(j, k, n)] * s;
  }
}

void rescaled(int n, int m, const double *a, double *b, double *c, double s) {
#pragma clang fp contract(off)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      c[AT(i, k, n)] *= 0.5;
      for (int j = 0; j < m; ++j)
        b[AT(i, j, m)] += c[AT(i, k, n)] * a[AT(k, j, m)];
    }
}

/* To look at all of b takes as long, unless it stays the same. */
void used_once(int n, int m, const double *a, double *b, double *c, double s) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < m; ++i)
      c[i] += a[k] * b[AT(k, i, m)];
}

/* No iteration of these may be left out. */
void written(int n, int m, double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k) {
      c[i] += a[AT(i, k, m)] * b[k];
      a[AT(i, k, m)] = s;
    }
}

void counted(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      c[i] += a[AT(i, k, m)] * b[k] + s;
}

void divided(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      c[i] += a[AT(i, k, m)] / b[k];
}

/* Later iterations read what earlier ones of the same loop make infinite. */
void own_factor(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      b[i] -= a[AT(i, k, n)] * b[k];
}

void assigned(int n, int m, const double *a, double *b, double *c, double s) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      c[i] = a[AT(i, k, m)] * b[k];
}

