//===- bench/polybench/kernels/jacobi-2d.c - mean of a point and its four neighbours ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nt times two Jacobi steps on an n x n grid, from A to B and back; the edge is fixed.
#include "../kernel.h"

enum { NT, N };
#define A(i, j) AT2(A, n, i, j)
#define B(i, j) AT2(B, n, i, j)

KERNEL jacobi2d(Index nt, Index n, double MATRIX(A, n), double MATRIX(B, n)) {
  for (Index t = 0; t < nt; ++t) {
    for (Index i = 1; i < n - 1; ++i)
      for (Index j = 1; j < n - 1; ++j)
        B(i, j) = 0.2 * (A(i, j) + A(i, j - 1) + A(i, j + 1) + A(i + 1, j) + A(i - 1, j));
    for (Index i = 1; i < n - 1; ++i)
      for (Index j = 1; j < n - 1; ++j)
        A(i, j) = 0.2 * (B(i, j) + B(i, j - 1) + B(i, j + 1) + B(i + 1, j) + B(i - 1, j));
  }
}

static void run(const long *S, void *const *D) { jacobi2d(S[NT], S[N], D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "jacobi-2d",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "n"},
    .SizeClasses = {{20, 30}, {40, 90}, {100, 250}, {500, 1300}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {N, N}},
               {"B", TypeDouble, FillUniform, 2, {N, N}}},
    .Flops = "2*nt*5*(n-2)**2",
    .Bytes = "8*4*n**2",
    .Run = run,
};
