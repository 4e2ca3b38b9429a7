//===- bench/polybench/kernels/lu.c - triangular decomposition without pivots ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = L U for an n x n matrix, where L has ones on its diagonal; both replace A.
#include "../kernel.h"
#include <stdlib.h>

enum { N };
#define A(i, j) AT2(A, n, i, j)

KERNEL lu(Index n, double MATRIX(A, n)) {
#ifdef POLYBENCH_BLAS
  // LAPACK stores matrices by columns, so it decomposes the transpose, which is as much work. The
  // diagonal dominates, so no rows are exchanged.
  int Order = (int)n, Info, *Pivots = malloc(Order * sizeof(int));
  dgetrf_(&Order, &Order, A, &Order, Pivots, &Info);
  free(Pivots);
#else
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      for (Index k = 0; k < j; ++k)
        A(i, j) -= A(i, k) * A(k, j);
      A(i, j) /= A(j, j);
    }
    for (Index j = i; j < n; ++j)
      for (Index k = 0; k < i; ++k)
        A(i, j) -= A(i, k) * A(k, j);
  }
#endif
}

static void run(const long *S, void *const *D) { lu(S[N], D[0]); }

const KernelInfo Kernel = {
    .Name = "lu",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"A", TypeDouble, FillDominant, 2, {N, N}}},
    .Flops = "2*n**3/3",
    .Bytes = "8*2*n**2",
    .Run = run,
};
