//===- bench/polybench/kernels/gesummv.c - sum of two matrix-vector products ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = alpha A x + beta B x for n x n matrices; t holds A x.
#include "../kernel.h"

enum { N };
#define A(i, j) AT2(A, n, i, j)
#define B(i, j) AT2(B, n, i, j)

KERNEL gesummv(Index n, double alpha, double beta, const double MATRIX(A, n),
               const double MATRIX(B, n), double *t, const double *x, double *y) {
#ifdef POLYBENCH_BLAS
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1.0, A, n, x, 1, 0.0, t, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, beta, B, n, x, 1, 0.0, y, 1);
  cblas_daxpy(n, alpha, t, 1, y, 1);
#else
  for (Index i = 0; i < n; ++i) {
    t[i] = 0.0;
    y[i] = 0.0;
    for (Index j = 0; j < n; ++j) {
      t[i] += A(i, j) * x[j];
      y[i] += B(i, j) * x[j];
    }
    y[i] = alpha * t[i] + beta * y[i];
  }
#endif
}

static void run(const long *S, void *const *D) {
  gesummv(S[N], 1.5, 1.2, D[0], D[1], D[2], D[3], D[4]);
}

const KernelInfo Kernel = {
    .Name = "gesummv",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{30}, {90}, {250}, {1300}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {N, N}},
               {"B", TypeDouble, FillUniform, 2, {N, N}},
               {"t", TypeDouble, FillZero, 1, {N}},
               {"x", TypeDouble, FillUniform, 1, {N}},
               {"y", TypeDouble, FillZero, 1, {N}}},
    .Flops = "4*n**2 + 3*n",
    .Bytes = "8*(2*n**2 + 2*n)",
    .Run = run,
};
