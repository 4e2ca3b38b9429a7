//===- bench/polybench/kernels/ccsd.c - four-index contraction of coupled-cluster theory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_abcd = C_abcd + sum over e and f of A_aebf B_dfce: no operand has the layout of a matrix
// product.
#include "../kernel.h"

enum { NA, NB, NC, ND, NE, NF };
#define A(a, e, b, f) AT4(A, ne, nb, nf, a, e, b, f)
#define B(d, f, c, e) AT4(B, nf, nc, ne, d, f, c, e)
#define C(a, b, c, d) AT4(C, nb, nc, nd, a, b, c, d)

KERNEL ccsd(Index na, Index nb, Index nc, Index nd, Index ne, Index nf,
            double TENSOR4(C, nb, nc, nd), const double TENSOR4(A, ne, nb, nf),
            const double TENSOR4(B, nf, nc, ne)) {
  for (Index a = 0; a < na; ++a)
    for (Index b = 0; b < nb; ++b)
      for (Index c = 0; c < nc; ++c)
        for (Index d = 0; d < nd; ++d)
          for (Index e = 0; e < ne; ++e)
            for (Index f = 0; f < nf; ++f)
              C(a, b, c, d) += A(a, e, b, f) * B(d, f, c, e);
}

static void run(const long *S, void *const *D) {
  ccsd(S[NA], S[NB], S[NC], S[ND], S[NE], S[NF], D[0], D[1], D[2]);
}

const KernelInfo Kernel = {
    .Name = "ccsd",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"na", "nb", "nc", "nd", "ne", "nf"},
    .SizeClasses = {{3, 4, 5, 6, 4, 5},
                    {8, 9, 10, 11, 8, 9},
                    {16, 16, 16, 16, 16, 16},
                    {32, 32, 32, 32, 32, 32}},
    .Arrays = {{"C", TypeDouble, FillUniform, 4, {NA, NB, NC, ND}},
               {"A", TypeDouble, FillUniform, 4, {NA, NE, NB, NF}},
               {"B", TypeDouble, FillUniform, 4, {ND, NF, NC, NE}}},
    .Flops = "2*na*nb*nc*nd*ne*nf",
    .Bytes = "8*(2*na*nb*nc*nd + na*ne*nb*nf + nd*nf*nc*ne)",
    .Run = run,
};
