//===- bench/polybench/kernels/syr2k.c - symmetric rank-2k update ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha (A B^T + B A^T) + beta C, of which only the lower triangle is computed; C is n x n, A
// and B are n x m.
#include "../kernel.h"

enum { M, N };
#define A(i, k) AT2(A, m, i, k)
#define B(i, k) AT2(B, m, i, k)
#define C(i, j) AT2(C, n, i, j)

KERNEL syr2k(Index n, Index m, double alpha, double beta, double MATRIX(C, n),
             const double MATRIX(A, m), const double MATRIX(B, m)) {
#ifdef POLYBENCH_BLAS
  cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, alpha, A, m, B, m, beta, C, n);
#else
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j)
      C(i, j) *= beta;
    for (Index k = 0; k < m; ++k)
      for (Index j = 0; j <= i; ++j)
        C(i, j) += A(j, k) * alpha * B(i, k) + B(j, k) * alpha * A(i, k);
  }
#endif
}

static void run(const long *S, void *const *D) { syr2k(S[N], S[M], 1.5, 1.2, D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "syr2k",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{20, 30}, {60, 80}, {200, 240}, {1000, 1200}},
    .Arrays = {{"C", TypeDouble, FillUniform, 2, {N, N}},
               {"A", TypeDouble, FillUniform, 2, {N, M}},
               {"B", TypeDouble, FillUniform, 2, {N, M}}},
    .Flops = "2*n*(n+1)*m + n*(n+1)/2",
    .Bytes = "8*(n*(n+1) + 2*n*m)",
    .Run = run,
};
