//===- bench/polybench/kernels/2mm.c - two matrix products in a row ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// D = alpha A B C + beta D by way of T = alpha A B, where A is ni x nk, B is nk x nj, C is nj x nl.
#include "../kernel.h"

enum { NI, NJ, NK, NL };
#define T(i, j) AT2(T, nj, i, j)
#define A(i, k) AT2(A, nk, i, k)
#define B(k, j) AT2(B, nj, k, j)
#define C(j, l) AT2(C, nl, j, l)
#define D(i, l) AT2(D, nl, i, l)

KERNEL mm2(Index ni, Index nj, Index nk, Index nl, double alpha, double beta, double MATRIX(T, nj),
           const double MATRIX(A, nk), const double MATRIX(B, nj), const double MATRIX(C, nl),
           double MATRIX(D, nl)) {
#ifdef POLYBENCH_BLAS
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, alpha, A, nk, B, nj, 0.0, T,
              nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1.0, T, nj, C, nl, beta, D,
              nl);
#else
  for (Index i = 0; i < ni; ++i)
    for (Index j = 0; j < nj; ++j) {
      T(i, j) = 0.0;
      for (Index k = 0; k < nk; ++k)
        T(i, j) += alpha * A(i, k) * B(k, j);
    }
  for (Index i = 0; i < ni; ++i)
    for (Index l = 0; l < nl; ++l) {
      D(i, l) *= beta;
      for (Index j = 0; j < nj; ++j)
        D(i, l) += T(i, j) * C(j, l);
    }
#endif
}

static void run(const long *S, void *const *D) {
  mm2(S[NI], S[NJ], S[NK], S[NL], 1.5, 1.2, D[0], D[1], D[2], D[3], D[4]);
}

const KernelInfo Kernel = {
    .Name = "2mm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"ni", "nj", "nk", "nl"},
    .SizeClasses = {{16, 18, 22, 24},
                    {40, 50, 70, 80},
                    {180, 190, 210, 220},
                    {800, 900, 1100, 1200}},
    .Arrays = {{"T", TypeDouble, FillZero, 2, {NI, NJ}},
               {"A", TypeDouble, FillUniform, 2, {NI, NK}},
               {"B", TypeDouble, FillUniform, 2, {NK, NJ}},
               {"C", TypeDouble, FillUniform, 2, {NJ, NL}},
               {"D", TypeDouble, FillUniform, 2, {NI, NL}}},
    .Flops = "2*ni*nj*nk + 2*ni*nl*nj + ni*nj + ni*nl",
    .Bytes = "8*(ni*nj + ni*nk + nk*nj + nj*nl + 2*ni*nl)",
    .Run = run,
};
