//===- bench/polybench/kernels/gemm-each.c - many small matrix products, one call each ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_b = C_b + A_b B_b for nb triples of n x n matrices. The kernel is one product, so that the cost
// of a call matters if n is small.
#include "../kernel.h"

enum { NB, N };
#define A(i, k) AT2(A, n, i, k)
#define B(k, j) AT2(B, n, k, j)
#define C(i, j) AT2(C, n, i, j)

KERNEL gemmEach(Index n, double MATRIX(C, n), const double MATRIX(A, n),
                const double MATRIX(B, n)) {
#ifdef POLYBENCH_BLAS
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A, n, B, n, 1.0, C, n);
#else
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        C(i, j) += A(i, k) * B(k, j);
#endif
}

static void run(const long *S, void *const *D) {
  double *const C = D[0], *const A = D[1], *const B = D[2];
  const long Elements = S[N] * S[N];
  for (long b = 0; b < S[NB]; ++b)
    gemmEach(S[N], (void *)(C + b * Elements), (void *)(A + b * Elements),
             (void *)(B + b * Elements));
}

const KernelInfo Kernel = {
    .Name = "gemm-each",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nb", "n"},
    .SizeClasses = {{20, 4}, {100, 8}, {500, 16}, {2000, 32}},
    .Arrays = {{"C", TypeDouble, FillUniform, 3, {NB, N, N}},
               {"A", TypeDouble, FillUniform, 3, {NB, N, N}},
               {"B", TypeDouble, FillUniform, 3, {NB, N, N}}},
    .Flops = "2*nb*n**3",
    .Bytes = "8*4*nb*n**2",
    .Run = run,
};
