//===- bench/polybench/kernels/gemm.c - matrix product, by rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha A B + beta C, where C is ni x nj, A is ni x nk, B is nk x nj.
#include "../kernel.h"

enum { NI, NJ, NK };
#define A(i, k) AT2(A, nk, i, k)
#define B(k, j) AT2(B, nj, k, j)
#define C(i, j) AT2(C, nj, i, j)

KERNEL gemm(Index ni, Index nj, Index nk, double alpha, double beta, double MATRIX(C, nj),
            const double MATRIX(A, nk), const double MATRIX(B, nj)) {
#ifdef POLYBENCH_BLAS
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A, nk, B, nj, beta, C,
              nj);
#else
  for (Index i = 0; i < ni; ++i) {
    for (Index j = 0; j < nj; ++j)
      C(i, j) *= beta;
    for (Index k = 0; k < nk; ++k)
      for (Index j = 0; j < nj; ++j)
        C(i, j) += alpha * A(i, k) * B(k, j);
  }
#endif
}

static void run(const long *S, void *const *D) {
  gemm(S[NI], S[NJ], S[NK], 1.5, 1.2, D[0], D[1], D[2]);
}

const KernelInfo Kernel = {
    .Name = "gemm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"ni", "nj", "nk"},
    .SizeClasses = {{20, 25, 30}, {60, 70, 80}, {200, 220, 240}, {1000, 1100, 1200}},
    .Arrays = {{"C", TypeDouble, FillUniform, 2, {NI, NJ}},
               {"A", TypeDouble, FillUniform, 2, {NI, NK}},
               {"B", TypeDouble, FillUniform, 2, {NK, NJ}}},
    .Flops = "2*ni*nj*nk + ni*nj",
    .Bytes = "8*(2*ni*nj + ni*nk + nk*nj)",
    .Run = run,
};
