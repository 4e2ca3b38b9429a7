/* tests/wrap/kernels.c - functions that can be specialised, for gcc and for clang's bitcode
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

void gemm(long n, long m, long p, double alpha, double beta, double *C, const double *A,
          const double *B) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      C[i * m + j] *= beta;
      for (long k = 0; k < p; ++k)
        C[i * m + j] += alpha * A[i * p + k] * B[k * m + j];
    }
}

/* A variable that the library exports, one constant table, a callee, the math library. */
double gain = 1;
/* The program has one of this name too, and the library is bound to that. */
double bias = 0.5;
static const double weights[4] = {0.125, 0.375, 0.375, 0.125};
static double smooth(const double *x) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += weights[i] * x[i];
  return sum;
}
double filter(double *out, const double *in, int n) {
  double last = 0;
  for (int i = 0; i + 4 <= n; ++i) {
    last = gain * smooth(in + i) + bias * exp(-in[i]);
    out[i] = last;
  }
  return last;
}

/* Points by value, a struct as the result. */
struct point {
  double x, y;
};
struct box {
  struct point low, high;
};
struct box bounds(const struct point *points, int n, struct point grow) {
  struct box b = {points[0], points[0]};
  for (int i = 1; i < n; ++i) {
    b.low.x = fmin(b.low.x, points[i].x), b.low.y = fmin(b.low.y, points[i].y);
    b.high.x = fmax(b.high.x, points[i].x), b.high.y = fmax(b.high.y, points[i].y);
  }
  b.low.x -= grow.x, b.low.y -= grow.y, b.high.x += grow.x, b.high.y += grow.y;
  return b;
}

/* Memory from the C library, and an attribute that counts arguments. */
__attribute__((alloc_size(2))) double *filled(struct point ends, unsigned long bytes) {
  unsigned long count = bytes / sizeof(double);
  double *values = malloc(bytes);
  for (unsigned long i = 0; i < count; ++i)
    values[i] = ends.x + (ends.y - ends.x) * (double)i / (double)count;
  return values;
}

/* Calls itself, and is called through the callable from its own callback. */
long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
long each(long n, long step, long (*visit)(long)) {
  long sum = 0;
  for (long i = 0; i < n; i += step)
    sum += visit(i);
  return sum;
}

const float *find_first(const float *values, unsigned n, float wanted, _Bool negate,
                        signed char sign) {
  for (unsigned i = 0; i < n; ++i)
    if ((values[i] * sign == wanted) != negate)
      return values + i;
  return 0;
}

/* A size in memory, which is gone afterwards if the caller likes. */
struct job {
  long n, gone;
  double values[64];
};
double finish(struct job *job) {
  double sum = 0;
  for (long i = 0; i < job->n; ++i)
    sum += job->values[i];
  if (job->gone)
    munmap(job, sizeof *job);
  return sum;
}
