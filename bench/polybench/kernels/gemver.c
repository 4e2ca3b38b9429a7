//===- bench/polybench/kernels/gemver.c - rank-two update and two matrix-vector products ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = A + u1 v1^T + u2 v2^T, x = x + beta A^T y + z, w = w + alpha A x, for an n x n matrix.
#include "../kernel.h"

enum { N };
#define A(i, j) AT2(A, n, i, j)

KERNEL gemver(Index n, double alpha, double beta, double MATRIX(A, n), const double *u1,
              const double *v1, const double *u2, const double *v2, double *w, double *x,
              const double *y, const double *z) {
#ifdef POLYBENCH_BLAS
  cblas_dger(CblasRowMajor, n, n, 1.0, u1, 1, v1, 1, A, n);
  cblas_dger(CblasRowMajor, n, n, 1.0, u2, 1, v2, 1, A, n);
  cblas_dgemv(CblasRowMajor, CblasTrans, n, n, beta, A, n, y, 1, 1.0, x, 1);
  cblas_daxpy(n, 1.0, z, 1, x, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, alpha, A, n, x, 1, 1.0, w, 1);
#else
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      A(i, j) += u1[i] * v1[j] + u2[i] * v2[j];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      x[i] += beta * A(j, i) * y[j];
  for (Index i = 0; i < n; ++i)
    x[i] += z[i];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      w[i] += alpha * A(i, j) * x[j];
#endif
}

static void run(const long *S, void *const *D) {
  gemver(S[N], 1.5, 1.2, D[0], D[1], D[2], D[3], D[4], D[5], D[6], D[7], D[8]);
}

const KernelInfo Kernel = {
    .Name = "gemver",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {N, N}},
               {"u1", TypeDouble, FillUniform, 1, {N}},
               {"v1", TypeDouble, FillUniform, 1, {N}},
               {"u2", TypeDouble, FillUniform, 1, {N}},
               {"v2", TypeDouble, FillUniform, 1, {N}},
               {"w", TypeDouble, FillUniform, 1, {N}},
               {"x", TypeDouble, FillUniform, 1, {N}},
               {"y", TypeDouble, FillUniform, 1, {N}},
               {"z", TypeDouble, FillUniform, 1, {N}}},
    .Flops = "8*n**2 + n",
    .Bytes = "8*(2*n**2 + 10*n)",
    .Run = run,
};
