//===- bench/polybench/kernels/heat-3d.c - heat equation on a cube ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nt times two explicit steps on an n x n x n grid, from A to B and back; the surface is fixed.
#include "../kernel.h"

enum { NT, N };
#define A(i, j, k) AT3(A, n, n, i, j, k)
#define B(i, j, k) AT3(B, n, n, i, j, k)
// The second differences of X along the three directions.
#define Along1(X) (X(i + 1, j, k) - 2.0 * X(i, j, k) + X(i - 1, j, k))
#define Along2(X) (X(i, j + 1, k) - 2.0 * X(i, j, k) + X(i, j - 1, k))
#define Along3(X) (X(i, j, k + 1) - 2.0 * X(i, j, k) + X(i, j, k - 1))

KERNEL heat3d(Index nt, Index n, double TENSOR3(A, n, n), double TENSOR3(B, n, n)) {
  for (Index t = 0; t < nt; ++t) {
    for (Index i = 1; i < n - 1; ++i)
      for (Index j = 1; j < n - 1; ++j)
        for (Index k = 1; k < n - 1; ++k)
          B(i, j, k) = 0.125 * Along1(A) + 0.125 * Along2(A) + 0.125 * Along3(A) + A(i, j, k);
    for (Index i = 1; i < n - 1; ++i)
      for (Index j = 1; j < n - 1; ++j)
        for (Index k = 1; k < n - 1; ++k)
          A(i, j, k) = 0.125 * Along1(B) + 0.125 * Along2(B) + 0.125 * Along3(B) + B(i, j, k);
  }
}

static void run(const long *S, void *const *D) { heat3d(S[NT], S[N], D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "heat-3d",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "n"},
    .SizeClasses = {{20, 10}, {40, 20}, {100, 40}, {500, 120}},
    .Arrays = {{"A", TypeDouble, FillUniform, 3, {N, N, N}},
               {"B", TypeDouble, FillUniform, 3, {N, N, N}}},
    .Flops = "2*nt*15*(n-2)**3",
    .Bytes = "8*4*n**3",
    .Run = run,
};
