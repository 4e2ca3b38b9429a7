//===- bench/polybench/kernels/ttm.c - tensor times matrix along its middle direction ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_abc = C_abc + sum over d of A_adc B_db.
#include "../kernel.h"

enum { NA, NB, NC, ND };
#define A(a, d, c) AT3(A, nd, nc, a, d, c)
#define B(d, b) AT2(B, nb, d, b)
#define C(a, b, c) AT3(C, nb, nc, a, b, c)

KERNEL ttm(Index na, Index nb, Index nc, Index nd, double TENSOR3(C, nb, nc),
           const double TENSOR3(A, nd, nc), const double MATRIX(B, nb)) {
#ifdef POLYBENCH_BLAS
  for (Index a = 0; a < na; ++a)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nb, nc, nd, 1.0, &B(0, 0), nb, &A(a, 0, 0),
                nc, 1.0, &C(a, 0, 0), nc);
#else
  for (Index a = 0; a < na; ++a)
    for (Index b = 0; b < nb; ++b)
      for (Index c = 0; c < nc; ++c)
        for (Index d = 0; d < nd; ++d)
          C(a, b, c) += A(a, d, c) * B(d, b);
#endif
}

static void run(const long *S, void *const *D) {
  ttm(S[NA], S[NB], S[NC], S[ND], D[0], D[1], D[2]);
}

const KernelInfo Kernel = {
    .Name = "ttm",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"na", "nb", "nc", "nd"},
    .SizeClasses = {{6, 9, 10, 11}, {20, 24, 28, 32}, {48, 56, 64, 72}, {160, 170, 180, 190}},
    .Arrays = {{"C", TypeDouble, FillUniform, 3, {NA, NB, NC}},
               {"A", TypeDouble, FillUniform, 3, {NA, ND, NC}},
               {"B", TypeDouble, FillUniform, 2, {ND, NB}}},
    .Flops = "2*na*nb*nc*nd",
    .Bytes = "8*(2*na*nb*nc + na*nd*nc + nd*nb)",
    .Run = run,
};
