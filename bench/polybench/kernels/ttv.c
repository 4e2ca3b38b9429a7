//===- bench/polybench/kernels/ttv.c - tensor times vector along its middle direction ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_ac = C_ac + sum over b of A_abc x_b.
#include "../kernel.h"

enum { NA, NB, NC };
#define A(a, b, c) AT3(A, nb, nc, a, b, c)
#define C(a, c) AT2(C, nc, a, c)

KERNEL ttv(Index na, Index nb, Index nc, double MATRIX(C, nc), const double TENSOR3(A, nb, nc),
           const double *x) {
#ifdef POLYBENCH_BLAS
  for (Index a = 0; a < na; ++a)
    cblas_dgemv(CblasRowMajor, CblasTrans, nb, nc, 1.0, &A(a, 0, 0), nc, x, 1, 1.0, &C(a, 0), 1);
#else
  for (Index a = 0; a < na; ++a)
    for (Index c = 0; c < nc; ++c)
      for (Index b = 0; b < nb; ++b)
        C(a, c) += A(a, b, c) * x[b];
#endif
}

static void run(const long *S, void *const *D) { ttv(S[NA], S[NB], S[NC], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "ttv",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"na", "nb", "nc"},
    .SizeClasses = {{9, 10, 11}, {30, 34, 38}, {90, 100, 110}, {240, 250, 260}},
    .Arrays = {{"C", TypeDouble, FillUniform, 2, {NA, NC}},
               {"A", TypeDouble, FillUniform, 3, {NA, NB, NC}},
               {"x", TypeDouble, FillUniform, 1, {NB}}},
    .Flops = "2*na*nb*nc",
    .Bytes = "8*(na*nb*nc + 2*na*nc + nb)",
    .Run = run,
};
