//===- bench/polybench/kernels/3mm.c - a product of two matrix products ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// G = (A B) (C D) by way of E = A B and F = C D. A is ni x nk, B is nk x nj, C is nj x nm, D is
// nm x nl.
#include "../kernel.h"

enum { NI, NJ, NK, NL, NM };
#define A(i, k) AT2(A, nk, i, k)
#define B(k, j) AT2(B, nj, k, j)
#define C(j, m) AT2(C, nm, j, m)
#define D(m, l) AT2(D, nl, m, l)
#define E(i, j) AT2(E, nj, i, j)
#define F(j, l) AT2(F, nl, j, l)
#define G(i, l) AT2(G, nl, i, l)

KERNEL mm3(Index ni, Index nj, Index nk, Index nl, Index nm, double MATRIX(E, nj),
           const double MATRIX(A, nk), const double MATRIX(B, nj), double MATRIX(F, nl),
           const double MATRIX(C, nm), const double MATRIX(D, nl), double MATRIX(G, nl)) {
#ifdef POLYBENCH_BLAS
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nj, nk, 1.0, A, nk, B, nj, 0.0, E, nj);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nj, nl, nm, 1.0, C, nm, D, nl, 0.0, F, nl);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ni, nl, nj, 1.0, E, nj, F, nl, 0.0, G, nl);
#else
  for (Index i = 0; i < ni; ++i)
    for (Index j = 0; j < nj; ++j) {
      E(i, j) = 0.0;
      for (Index k = 0; k < nk; ++k)
        E(i, j) += A(i, k) * B(k, j);
    }
  for (Index j = 0; j < nj; ++j)
    for (Index l = 0; l < nl; ++l) {
      F(j, l) = 0.0;
      for (Index m = 0; m < nm; ++m)
        F(j, l) += C(j, m) * D(m, l);
    }
  for (Index i = 0; i < ni; ++i)
    for (Index l = 0; l < nl; ++l) {
      G(i, l) = 0.0;
      for (Index j = 0; j < nj; ++j)
        G(i, l) += E(i, j) * F(j, l);
    }
#endif
}

static void run(const long *S, void *const *D) {
  mm3(S[NI], S[NJ], S[NK], S[NL], S[NM], D[0], D[1], D[2], D[3], D[4], D[5], D[6]);
}

const KernelInfo Kernel = {
    .Name = "3mm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"ni", "nj", "nk", "nl", "nm"},
    .SizeClasses = {{16, 18, 20, 22, 24},
                    {40, 50, 60, 70, 80},
                    {180, 190, 200, 210, 220},
                    {800, 900, 1000, 1100, 1200}},
    .Arrays = {{"E", TypeDouble, FillZero, 2, {NI, NJ}},
               {"A", TypeDouble, FillUniform, 2, {NI, NK}},
               {"B", TypeDouble, FillUniform, 2, {NK, NJ}},
               {"F", TypeDouble, FillZero, 2, {NJ, NL}},
               {"C", TypeDouble, FillUniform, 2, {NJ, NM}},
               {"D", TypeDouble, FillUniform, 2, {NM, NL}},
               {"G", TypeDouble, FillZero, 2, {NI, NL}}},
    .Flops = "2*(ni*nj*nk + nj*nl*nm + ni*nl*nj)",
    .Bytes = "8*(ni*nj + ni*nk + nk*nj + nj*nl + nj*nm + nm*nl + ni*nl)",
    .Run = run,
};
