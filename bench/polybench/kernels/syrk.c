//===- bench/polybench/kernels/syrk.c - symmetric rank-k update ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha A A^T + beta C, of which only the lower triangle is computed; C is n x n, A is n x m.
#include "../kernel.h"

enum { M, N };
#define A(i, k) AT2(A, m, i, k)
#define C(i, j) AT2(C, n, i, j)

KERNEL syrk(Index n, Index m, double alpha, double beta, double MATRIX(C, n),
            const double MATRIX(A, m)) {
#ifdef POLYBENCH_BLAS
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A, m, beta, C, n);
#else
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j)
      C(i, j) *= beta;
    for (Index k = 0; k < m; ++k)
      for (Index j = 0; j <= i; ++j)
        C(i, j) += alpha * A(i, k) * A(j, k);
  }
#endif
}

static void run(const long *S, void *const *D) { syrk(S[N], S[M], 1.5, 1.2, D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "syrk",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{20, 30}, {60, 80}, {200, 240}, {1000, 1200}},
    .Arrays = {{"C", TypeDouble, FillUniform, 2, {N, N}},
               {"A", TypeDouble, FillUniform, 2, {N, M}}},
    .Flops = "n*(n+1)*m + n*(n+1)/2",
    .Bytes = "8*(n*(n+1) + n*m)",
    .Run = run,
};
