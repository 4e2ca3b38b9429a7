//===- bench/polybench/kernels/gemm-batched.c - many small matrix products in one call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_b = C_b + A_b B_b for nb triples of n x n matrices that lie one after another.
#include "../kernel.h"

enum { NB, N };
#define A(b, i, k) AT3(A, n, n, b, i, k)
#define B(b, k, j) AT3(B, n, n, b, k, j)
#define C(b, i, j) AT3(C, n, n, b, i, j)

KERNEL gemmBatched(Index nb, Index n, double TENSOR3(C, n, n), const double TENSOR3(A, n, n),
                   const double TENSOR3(B, n, n)) {
#ifdef POLYBENCH_BLAS
  for (Index b = 0; b < nb; ++b)
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, &A(b, 0, 0), n,
                &B(b, 0, 0), n, 1.0, &C(b, 0, 0), n);
#else
  for (Index b = 0; b < nb; ++b)
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k)
        for (Index j = 0; j < n; ++j)
          C(b, i, j) += A(b, i, k) * B(b, k, j);
#endif
}

static void run(const long *S, void *const *D) { gemmBatched(S[NB], S[N], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "gemm-batched",
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
