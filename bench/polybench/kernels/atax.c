//===- bench/polybench/kernels/atax.c - a matrix and its transpose times a vector ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A^T (A x) by way of t = A x, where A is m x n.
#include "../kernel.h"

enum { M, N };
#define A(i, j) AT2(A, n, i, j)

KERNEL atax(Index m, Index n, const double MATRIX(A, n), const double *x, double *y, double *t) {
#ifdef POLYBENCH_BLAS
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1.0, A, n, x, 1, 0.0, t, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, m, n, 1.0, A, n, t, 1, 0.0, y, 1);
#else
  for (Index j = 0; j < n; ++j)
    y[j] = 0.0;
  for (Index i = 0; i < m; ++i) {
    t[i] = 0.0;
    for (Index j = 0; j < n; ++j)
      t[i] += A(i, j) * x[j];
    for (Index j = 0; j < n; ++j)
      y[j] += A(i, j) * t[i];
  }
#endif
}

static void run(const long *S, void *const *D) { atax(S[M], S[N], D[0], D[1], D[2], D[3]); }

const KernelInfo Kernel = {
    .Name = "atax",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{38, 42}, {116, 124}, {390, 410}, {1900, 2100}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {M, N}},
               {"x", TypeDouble, FillUniform, 1, {N}},
               {"y", TypeDouble, FillZero, 1, {N}},
               {"t", TypeDouble, FillZero, 1, {M}}},
    .Flops = "4*m*n",
    .Bytes = "8*(m*n + 2*n + m)",
    .Run = run,
};
