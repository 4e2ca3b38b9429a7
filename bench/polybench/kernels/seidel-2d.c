//===- bench/polybench/kernels/seidel-2d.c - mean of nine neighbours, in place ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nt Gauss-Seidel steps on an n x n grid; the edge is fixed.
#include "../kernel.h"

enum { NT, N };
#define A(i, j) AT2(A, n, i, j)

KERNEL seidel2d(Index nt, Index n, double MATRIX(A, n)) {
  for (Index t = 0; t < nt; ++t)
    for (Index i = 1; i < n - 1; ++i)
      for (Index j = 1; j < n - 1; ++j)
        A(i, j) = (A(i - 1, j - 1) + A(i - 1, j) + A(i - 1, j + 1) + A(i, j - 1) + A(i, j) +
                   A(i, j + 1) + A(i + 1, j - 1) + A(i + 1, j) + A(i + 1, j + 1)) /
                  9.0;
}

static void run(const long *S, void *const *D) { seidel2d(S[NT], S[N], D[0]); }

const KernelInfo Kernel = {
    .Name = "seidel-2d",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "n"},
    .SizeClasses = {{20, 40}, {40, 120}, {100, 400}, {500, 2000}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {N, N}}},
    .Flops = "nt*9*(n-2)**2",
    .Bytes = "8*2*n**2",
    .Run = run,
};
