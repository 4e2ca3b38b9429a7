//===- bench/polybench/kernels/trmm.c - triangular matrix times matrix, in place ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// B = alpha A^T B, where A is lower triangular with an implied unit diagonal, m x m, and B is m x
// n.
#include "../kernel.h"

enum { M, N };
#define A(k, i) AT2(A, m, k, i)
#define B(i, j) AT2(B, n, i, j)

KERNEL trmm(Index m, Index n, double alpha, const double MATRIX(A, m), double MATRIX(B, n)) {
#ifdef POLYBENCH_BLAS
  cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, m, n, alpha, A, m, B, n);
#else
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      for (Index k = i + 1; k < m; ++k)
        B(i, j) += A(k, i) * B(k, j);
      B(i, j) *= alpha;
    }
#endif
}

static void run(const long *S, void *const *D) { trmm(S[M], S[N], 1.5, D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "trmm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{20, 30}, {60, 80}, {200, 240}, {1000, 1200}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {M, M}},
               {"B", TypeDouble, FillUniform, 2, {M, N}}},
    .Flops = "m*(m-1)*n + m*n",
    .Bytes = "8*(m**2/2 + 2*m*n)",
    .Run = run,
};
