//===- bench/polybench/kernels/mvt.c - a matrix and its transpose times two vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x1 = x1 + A y1 and x2 = x2 + A^T y2 for an n x n matrix.
#include "../kernel.h"

enum { N };
#define A(i, j) AT2(A, n, i, j)

KERNEL mvt(Index n, double *x1, double *x2, const double *y1, const double *y2,
           const double MATRIX(A, n)) {
#ifdef POLYBENCH_BLAS
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1.0, A, n, y1, 1, 1.0, x1, 1);
  cblas_dgemv(CblasRowMajor, CblasTrans, n, n, 1.0, A, n, y2, 1, 1.0, x2, 1);
#else
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      x1[i] += A(i, j) * y1[j];
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      x2[i] += A(j, i) * y2[j];
#endif
}

static void run(const long *S, void *const *D) { mvt(S[N], D[0], D[1], D[2], D[3], D[4]); }

const KernelInfo Kernel = {
    .Name = "mvt",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"x1", TypeDouble, FillUniform, 1, {N}},
               {"x2", TypeDouble, FillUniform, 1, {N}},
               {"y1", TypeDouble, FillUniform, 1, {N}},
               {"y2", TypeDouble, FillUniform, 1, {N}},
               {"A", TypeDouble, FillUniform, 2, {N, N}}},
    .Flops = "4*n**2",
    .Bytes = "8*(n**2 + 6*n)",
    .Run = run,
};
