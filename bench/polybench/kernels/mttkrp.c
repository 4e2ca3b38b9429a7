//===- bench/polybench/kernels/mttkrp.c - matricised tensor times Khatri-Rao product ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M_ir = M_ir + sum over j and k of X_ijk B_jr C_kr: the heart of a canonical decomposition.
#include "../kernel.h"

enum { NI, NJ, NK, NR };
#define X(i, j, k) AT3(X, nj, nk, i, j, k)
#define B(j, r) AT2(B, nr, j, r)
#define C(k, r) AT2(C, nr, k, r)
#define M(i, r) AT2(M, nr, i, r)

KERNEL mttkrp(Index ni, Index nj, Index nk, Index nr, double MATRIX(M, nr),
              const double TENSOR3(X, nj, nk), const double MATRIX(B, nr),
              const double MATRIX(C, nr)) {
  for (Index i = 0; i < ni; ++i)
    for (Index j = 0; j < nj; ++j)
      for (Index k = 0; k < nk; ++k)
        for (Index r = 0; r < nr; ++r)
          M(i, r) += X(i, j, k) * B(j, r) * C(k, r);
}

static void run(const long *S, void *const *D) {
  mttkrp(S[NI], S[NJ], S[NK], S[NR], D[0], D[1], D[2], D[3]);
}

const KernelInfo Kernel = {
    .Name = "mttkrp",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"ni", "nj", "nk", "nr"},
    .SizeClasses = {{9, 10, 11, 5}, {20, 24, 28, 12}, {60, 64, 68, 24}, {180, 190, 200, 48}},
    .Arrays = {{"M", TypeDouble, FillUniform, 2, {NI, NR}},
               {"X", TypeDouble, FillUniform, 3, {NI, NJ, NK}},
               {"B", TypeDouble, FillUniform, 2, {NJ, NR}},
               {"C", TypeDouble, FillUniform, 2, {NK, NR}}},
    .Flops = "3*ni*nj*nk*nr",
    .Bytes = "8*(2*ni*nr + ni*nj*nk + nj*nr + nk*nr)",
    .Run = run,
};
