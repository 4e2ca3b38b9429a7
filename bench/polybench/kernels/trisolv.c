//===- bench/polybench/kernels/trisolv.c - triangular system ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L x = b, where L is lower triangular, n x n.
#include "../kernel.h"

enum { N };
#define L(i, j) AT2(L, n, i, j)

KERNEL trisolv(Index n, const double MATRIX(L, n), double *x, const double *b) {
#ifdef POLYBENCH_BLAS
  cblas_dcopy(n, b, 1, x, 1);
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, L, n, x, 1);
#else
  for (Index i = 0; i < n; ++i) {
    x[i] = b[i];
    for (Index j = 0; j < i; ++j)
      x[i] -= L(i, j) * x[j];
    x[i] /= L(i, i);
  }
#endif
}

static void run(const long *S, void *const *D) { trisolv(S[N], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "trisolv",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"L", TypeDouble, FillDominant, 2, {N, N}},
               {"x", TypeDouble, FillZero, 1, {N}},
               {"b", TypeDouble, FillUniform, 1, {N}}},
    .Flops = "n**2",
    .Bytes = "8*(n**2/2 + 2*n)",
    .Run = run,
};
