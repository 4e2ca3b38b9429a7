// tests/jit/sums/kernels.c - loops with sums, as functions of one signature
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x and y have n or n * m elements, z has m. Each function stores its result in the first elements
// of out.
#include <math.h>
#include <stdint.h>

void sum(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0.25;
  for (int64_t i = 0; i < n; ++i)
    s += x[i];
  out[0] = s;
}

void sum_of_floats(int64_t n, int64_t m, const float *x, const float *y, float *restrict out) {
  float s = 0.25f;
  for (int64_t i = 0; i < n; ++i)
    s += x[i];
  out[0] = s;
}

void dot(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += x[i] * y[i];
  out[0] = s;
}

void dot_of_floats(int64_t n, int64_t m, const float *x, const float *y, float *restrict out) {
  float s = 0;
  for (int64_t i = 0; i < n; ++i)
    s += x[i] * y[i];
  out[0] = s;
}

void difference(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = out[0];
  for (int32_t i = 0; i < n; ++i)
    s -= x[i] * x[i];
  out[0] = s;
}

void product(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 1;
  for (int64_t i = 0; i < n; ++i)
    s *= x[i];
  out[0] = s;
}

void extrema(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double low = x[0], high = x[0];
  for (int64_t i = 0; i < n; ++i) {
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  out[0] = low;
  out[1] = high;
}

void moments(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0, squares = 0;
  for (int64_t i = 0; i < n; ++i) {
    s += x[i];
    squares += x[i] * x[i];
  }
  out[0] = s / n;
  out[1] = squares / n;
}

void some(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i)
    if (x[i] > 1.5)
      s += x[i] * y[i];
  out[0] = s;
}

void backwards(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0;
  int64_t i = n;
  while (i > 0) {
    --i;
    s += x[i];
    out[i + 1] = x[i] * 2;
  }
  out[0] = s;
}

void last(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0, x_last = 0;
  const double *at = x;
  for (; at != x + n; ++at) {
    x_last = *at;
    s += x_last;
  }
  out[0] = s;
  out[1] = x_last;
  out[2] = (double)(at - x);
}

void means(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] / y[0] + y[i] / 3.0;
}

void matrix_vector(int64_t n, int64_t m, const double *x, const double *z, double *restrict out) {
  for (int64_t i = 0; i < n; ++i) {
    double s = 0;
    for (int64_t j = 0; j < m; ++j)
      s += x[i * m + j] * z[j];
    out[i] = s;
  }
}

void matrix_norm(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      s += x[i * m + j] * x[i * m + j];
  out[0] = s;
}

void triangle(int64_t n, int64_t m, const double *x, const double *z, double *restrict out) {
  for (int64_t i = 0; i < n; ++i) {
    double s = 0;
    for (int64_t j = 0; j < i && j < m; ++j)
      s += x[i * m + j] * z[j];
    out[i] = s;
  }
}

void matrix_product(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double s = 0;
      for (int64_t k = 0; k < m; ++k)
        s += x[i * m + k] * y[j * m + k];
      out[i * n + j] = s;
    }
}

void filter(int64_t n, int64_t m, const double *x, const double *z, double *restrict out) {
  for (int64_t i = 0; i < n; ++i) {
    double s = 0;
    for (int64_t j = 0; j < m; ++j)
      s += x[i + j] * z[j];
    out[i] = s;
  }
}

/* The outer loop writes elements that its later iterations read. */
void recursion(int64_t n, int64_t m, const double *x, const double *z, double *restrict out) {
  for (int64_t i = 0; i < n; ++i) {
    double s = x[i];
    for (int64_t j = 0; j < i; ++j)
      s += z[i - j - 1] * out[j];
    out[i] = s * 0.01;
  }
}

/* The sum is in out, which may overlap with x and z. */
void in_memory(int64_t n, int64_t m, const double *x, const double *z, double *out) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      out[i] += x[i * m + j] * z[j];
}

/* Another element of out is a factor. It is the sum itself if n is (m - 509) & 4095. */
void itself(int64_t n, int64_t m, const double *x, const double *y, double *out) {
  for (int64_t j = 0; j < m; ++j)
    out[n] += out[(m - 509) & 4095] * (x[j] * 0.001);
}

/* The sum is not in the range of the other elements of out, between two of them, or one of them. */
void between(int64_t n, int64_t m, const double *x, const double *y, double *out) {
  for (int64_t j = 0; j < m; ++j)
    out[n] += out[2 * j] * x[j];
}

/* out[n] is not accessed if n is 0, but its place is that of the sum. */
void sometimes(int64_t n, int64_t m, const double *x, const double *y, double *out) {
  for (int64_t j = 0; j < m; ++j) {
    double factor = 0.5;
    if (n > 0)
      factor = out[n];
    out[0] += factor * x[j];
  }
}

double elements[100];

/* The bytes of elements that are read are unknown before the loop, but not more than it has. The
   loop may have more iterations. */
void of_global(int64_t n, int64_t m, const double *x, const double *y, double *out) {
  const int64_t count = (int64_t)x[0];
  for (int64_t j = 0; j < count; ++j)
    out[0] += y[j] != 0 ? elements[j] : 0;
}

void quotients(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] / y[0];
}

void products_and_sums(int64_t n, int64_t m, const double *x, const double *y,
                       double *restrict out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = x[i] * y[i] + 0.1;
}

void powers(int64_t n, int64_t m, const double *x, const double *y, double *restrict out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = pow(x[i], y[0]);
}
