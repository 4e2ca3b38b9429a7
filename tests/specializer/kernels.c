//===- tests/specializer/kernels.c - loop nests to specialise -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled twice: into the tests, where each function is the original that results are compared
// with, and to bitcode, from which the tests make regions.
#include <math.h>
#include <stdint.h>

void gemm(int64_t n, int64_t m, int64_t k, double *C, const double *A, const double *B) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t l = 0; l < k; ++l)
        C[i * m + j] += A[i * k + l] * B[l * m + j];
}

void axpy(int n, float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

typedef struct {
  int64_t n;
  double scale;
  int64_t *data;
} vector;

/* The bound may be overwritten by the stores: both are int64_t. */
void increase(vector *s, int64_t by) {
  for (int64_t i = 0; i < s->n; ++i)
    s->data[i] += by * i;
}

/* The bound changes in the loop: it must not be taken for a constant. */
void shrink(vector *s) {
  for (int64_t i = 0; i < s->n; ++i)
    s->n -= i;
}

typedef struct {
  double *in, *out;
} pair;

/* Bases in memory that stores of the same type as pointers cannot be told apart from. */
void row_sums(int64_t n, int64_t m, pair *p) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      p->out[i] += p->in[i * m + j];
}

void powers(int n, double exponent, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[i] = pow(x[i], exponent) + sin(exponent);
}

void power_float(int n, float exponent, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = powf(x[i], exponent) + expf(exponent) * sinf(exponent);
}

static double weight(double x, int kind) {
  switch (kind) {
  case 0:
    return x * 0.5;
  case 1:
    return x * x + 1.0;
  default:
    return -x;
  }
}

double total_weight_unused(double x) { return weight(x, 1); }

void weights(int64_t n, int kind, const double *x, double *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = weight(x[i], kind) + y[i] * 0.25;
}

void jacobi(int64_t n, int64_t steps, double *a, double *b) {
  for (int64_t t = 0; t < steps; ++t) {
    for (int64_t i = 1; i < n - 1; ++i)
      for (int64_t j = 1; j < n - 1; ++j)
        b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] +
                               a[i * n + j + 1]);
    for (int64_t i = 1; i < n - 1; ++i)
      for (int64_t j = 1; j < n - 1; ++j)
        a[i * n + j] = b[i * n + j];
  }
}

double table[64];

void scale_table(int n, double *x) {
  for (int i = 0; i < n; ++i)
    x[i] *= table[i];
}

int64_t count_below(int64_t n, double limit, const double *x) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i)
    count += x[i] < limit;
  return count;
}

void gather(int64_t n, const int64_t *index, const double *x, double *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i] += x[index[i]];
}

void quadratic(int64_t n, const double *x, double *y) {
  for (int64_t i = 0; i < n; ++i)
    y[i * i] = x[i] + 1.0;
}

/* Looks at errno through a pointer, as a loop does out of which LLVM moved __errno_location(). */
int64_t count_domain_errors(int64_t n, const double *x, double *y, int *error) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    y[i] = sqrt(x[i]);
    if (*error)
      count += i;
    *error = 0;
  }
  return count;
}

static double larger(double x, double y) { return x > y ? x : y; }

/* Values pass between many statements, which branches separate: Polly takes seconds. */
void branches(int64_t n, double (*a)[40], double (*b)[40], double (*c)[40]) {
  for (int64_t i = 0; i < n; ++i) {
    a[i][i + 5] = c[i][i] * -0.0 + larger(b[i + 2][i], a[i][i]);
    a[i + 9][i] = larger(c[i + 3][i], c[i][i + 4]);
    for (int64_t j = 5; j < n; ++j) {
      c[j][i] = c[j][i] * b[j][i] + b[j][i + 4] + c[j][i];
      if (b[j][i] > -0.0)
        b[j][i] = b[j][i] * 0.25;
      else
        a[j][i] = larger(b[j][i + 8], b[j][i + 7]) - larger(b[j][j + 6], 0.1);
    }
    for (int64_t j = i; j < n; j += 3) {
      c[i + 6][j + 7] = b[i + 8][j] + (double)i;
      if (a[j][i] > 0.25)
        continue;
      a[j + 3][i] = a[j][i + 7] + c[j + 6][i + 6] + ((double)j * 0.0 + a[i + 1][i]);
    }
    if (i * 2 % 3 == 0)
      a[i][i] = -(b[i][i] * 1.0 - a[i][i]);
  }
}

/* Matrices as arrays of row pointers: the layers of a small neural network. */
void layer_forward(double *x, double *y, double **w, int64_t n1, int64_t n2) {
  x[0] = 1.0;
  for (int64_t j = 1; j <= n2; ++j) {
    double sum = 0.0;
    for (int64_t k = 0; k <= n1; ++k)
      sum += w[k][j] * x[k];
    y[j] = sum;
  }
}

void adjust_weights(const double *delta, int64_t n2, double *x, int64_t n1, double **w,
                    double **old) {
  x[0] = 1.0;
  for (int64_t j = 1; j <= n2; ++j)
    for (int64_t k = 0; k <= n1; ++k) {
      double change = 0.3 * delta[j] * x[k] + 0.3 * old[k][j];
      w[k][j] += change;
      old[k][j] = change;
    }
}

void row_product(int64_t n, double **c, double **a, double **b) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t k = 0; k < n; ++k)
        c[i][j] += a[i][k] * b[k][j];
}

void cube_stencil(int64_t n, double ***out, double ***in) {
  for (int64_t i = 1; i < n - 1; ++i)
    for (int64_t j = 1; j < n - 1; ++j)
      for (int64_t k = 1; k < n - 1; ++k)
        out[i][j][k] = 0.1 * (in[i - 1][j][k] + in[i + 1][j][k] + in[i][j - 1][k] +
                              in[i][j + 1][k] + in[i][j][k - 1] + in[i][j][k + 1] + in[i][j][k]);
}

/* Rows that depend on rows: an order that must be kept. */
void relax_rows(int64_t n, int64_t steps, double **a) {
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t i = 1; i < n - 1; ++i)
      for (int64_t j = 1; j < n - 1; ++j)
        a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]);
}

void gather_columns(int64_t n, int64_t m, const int32_t *index, const double *a, double *b) {
  for (int64_t t = 0; t < m; ++t)
    for (int64_t i = 0; i < n; ++i)
      b[t * n + i] += 0.5 * a[t * 1000 + index[i]];
}

/* The region writes its own indices, or its own row pointers. */
void shift_indices(int64_t n, int32_t *index, double *a) {
  for (int64_t i = 0; i < n; ++i) {
    a[index[i]] += 1.0;
    index[i] = 0;
  }
}

void swap_rows(int64_t n, double **w) {
  for (int64_t i = 0; i < n; ++i) {
    double *row = w[i];
    for (int64_t j = 0; j < n; ++j)
      row[j] += 1.0;
    w[i] = w[n];
  }
}

/* Not every call reads every row. */
void some_rows(int64_t n, const double *mask, double **w) {
  for (int64_t i = 0; i < n; ++i)
    if (mask[i] > 0)
      for (int64_t j = 0; j < n; ++j)
        w[i][j] += mask[j];
}

/* Backwards, with a sum that passes from piece to piece, and a second index array. */
double gather_backwards(int64_t n, const uint16_t *first, const int64_t *second, const double *a,
                        double *b) {
  double sum = 0.0;
  for (int64_t i = n - 1; i >= 0; --i) {
    sum = 0.5 * sum + a[first[i]];
    b[second[n - 1 - i]] += sum;
  }
  return sum;
}

/* Back-propagation's first step; the sum stays in memory: nothing is known across the barrier. */
void layer_in_memory(double *l1, double *l2, double **conn, int64_t n1, int64_t n2) {
  for (int64_t j = 1; j <= n2; ++j)
    for (int64_t k = 0; k <= n1; ++k) {
      l2[j] += conn[k][j] * l1[k];
      __asm__ volatile("" ::: "memory");
    }
}

/* Steps that end by moving what was computed back, as std::copy does. */
void moved_back(int64_t n, int64_t steps, double *next, double *now) {
  for (int64_t t = 0; t < steps; ++t) {
    for (int64_t i = 1; i < n - 1; ++i)
      next[i] = 0.5 * (now[i - 1] + now[i + 1]);
    __builtin_memmove(now + 1, next + 1, (uint64_t)(n - 2) * sizeof(double));
  }
}

double scalar_product(int64_t n, const double *x, const double *y) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}

/* 60 pairs of arrays may overlap, and 48 accesses are many for a model. */
#define FOUR(A, K) ((A)[K] + (A)[(K) + 1] * (A)[(K) + 2] - (A)[(K) + 3])
#define TWENTY(A) FOUR(A, 0) * (FOUR(A, 4) + FOUR(A, 8)) + FOUR(A, 12) * FOUR(A, 16)
void many_arrays(int64_t n, int64_t m, double *a, double *b, double *c, double *d, double *e,
                 double *f, double *g, double *h, const double *u, const double *v, const double *w,
                 const double *x) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m - 20; ++j) {
      const double *const from = u + i * m + j, *const other = v + i * m + j;
      const double sum = TWENTY(from), product = TWENTY(other);
      a[i * m + j] = sum;
      b[i * m + j] = product;
      c[i * m + j] = sum + product;
      d[i * m + j] = sum - product;
      e[i * m + j] = sum * product;
      f[i * m + j] = sum * w[i * m + j];
      g[i * m + j] = product * x[i * m + j];
      h[i * m + j] = sum * sum;
    }
}

/* The cells of each material; no two materials can be updated at once. */
void update_materials(int64_t n, int64_t m, const int32_t *const *lists, const double *x,
                      double *y) {
  for (int64_t material = 0; material < n; ++material) {
    const int32_t *const cells = lists[material];
    for (int64_t i = 0; i < m; ++i)
      y[cells[i]] = 0.5 * y[cells[i]] + x[cells[i]];
  }
}
