//===- bench/polybench/kernels/cholesky.c - Cholesky decomposition ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = L L^T for a positive definite n x n matrix; L replaces the lower triangle of A, row by row.
#include "../kernel.h"
#include <math.h>

enum { N };
#define A(i, j) AT2(A, n, i, j)

KERNEL cholesky(Index n, double MATRIX(A, n)) {
#ifdef POLYBENCH_BLAS
  // By columns, as LAPACK sees it, the lower triangle is the upper one.
  int Order = (int)n, Info;
  dpotrf_("U", &Order, A, &Order, &Info);
#else
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      for (Index k = 0; k < j; ++k)
        A(i, j) -= A(i, k) * A(j, k);
      A(i, j) /= A(j, j);
    }
    for (Index k = 0; k < i; ++k)
      A(i, i) -= A(i, k) * A(i, k);
    A(i, i) = sqrt(A(i, i));
  }
#endif
}

static void run(const long *S, void *const *D) { cholesky(S[N], D[0]); }

const KernelInfo Kernel = {
    .Name = "cholesky",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"A", TypeDouble, FillDefinite, 2, {N, N}}},
    .Flops = "n**3/3 + n**2/2",
    .Bytes = "8*n**2",
    .Run = run,
};
