//===- bench/polybench/kernels/bicg.c - two products of biconjugate gradients ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s = A^T r and q = A p in one pass over A, which is n x m.
#include "../kernel.h"

enum { M, N };
#define A(i, j) AT2(A, m, i, j)

KERNEL bicg(Index m, Index n, const double MATRIX(A, m), double *s, double *q, const double *p,
            const double *r) {
#ifdef POLYBENCH_BLAS
  cblas_dgemv(CblasRowMajor, CblasTrans, n, m, 1.0, A, m, r, 1, 0.0, s, 1);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, n, m, 1.0, A, m, p, 1, 0.0, q, 1);
#else
  for (Index j = 0; j < m; ++j)
    s[j] = 0.0;
  for (Index i = 0; i < n; ++i) {
    q[i] = 0.0;
    for (Index j = 0; j < m; ++j) {
      s[j] += r[i] * A(i, j);
      q[i] += A(i, j) * p[j];
    }
  }
#endif
}

static void run(const long *S, void *const *D) { bicg(S[M], S[N], D[0], D[1], D[2], D[3], D[4]); }

const KernelInfo Kernel = {
    .Name = "bicg",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{38, 42}, {116, 124}, {390, 410}, {1900, 2100}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {N, M}},
               {"s", TypeDouble, FillZero, 1, {M}},
               {"q", TypeDouble, FillZero, 1, {N}},
               {"p", TypeDouble, FillUniform, 1, {M}},
               {"r", TypeDouble, FillUniform, 1, {N}}},
    .Flops = "4*m*n",
    .Bytes = "8*(m*n + 2*m + 2*n)",
    .Run = run,
};
