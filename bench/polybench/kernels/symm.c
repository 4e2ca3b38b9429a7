//===- bench/polybench/kernels/symm.c - symmetric matrix times matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha A B + beta C, where A is symmetric, m x m, of which only the lower triangle is read,
// and B and C are m x n. Element A_ik, i > k, serves row i (through Sum) and row k.
#include "../kernel.h"

enum { M, N };
#define A(i, k) AT2(A, m, i, k)
#define B(i, j) AT2(B, n, i, j)
#define C(i, j) AT2(C, n, i, j)

KERNEL symm(Index m, Index n, double alpha, double beta, double MATRIX(C, n),
            const double MATRIX(A, m), const double MATRIX(B, n)) {
#ifdef POLYBENCH_BLAS
  cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, m, n, alpha, A, m, B, n, beta, C, n);
#else
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      double Sum = 0.0;
      for (Index k = 0; k < i; ++k) {
        C(k, j) += alpha * B(i, j) * A(i, k);
        Sum += B(k, j) * A(i, k);
      }
      C(i, j) = beta * C(i, j) + alpha * B(i, j) * A(i, i) + alpha * Sum;
    }
#endif
}

static void run(const long *S, void *const *D) { symm(S[M], S[N], 1.5, 1.2, D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "symm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{20, 30}, {60, 80}, {200, 240}, {1000, 1200}},
    .Arrays = {{"C", TypeDouble, FillUniform, 2, {M, N}},
               {"A", TypeDouble, FillUniform, 2, {M, M}},
               {"B", TypeDouble, FillUniform, 2, {M, N}}},
    .Flops = "2*m**2*n + 2*m*n",
    .Bytes = "8*(3*m*n + m**2/2)",
    .Run = run,
};
