//===- bench/polybench/kernels/jacobi-1d.c - mean of three neighbours ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nt times two Jacobi steps on a line of n points, from A to B and back; the ends are fixed.
#include "../kernel.h"

enum { NT, N };

KERNEL jacobi1d(Index nt, Index n, double *A, double *B) {
  const double Third = 1.0 / 3.0;
  for (Index t = 0; t < nt; ++t) {
    for (Index i = 1; i < n - 1; ++i)
      B[i] = Third * (A[i - 1] + A[i] + A[i + 1]);
    for (Index i = 1; i < n - 1; ++i)
      A[i] = Third * (B[i - 1] + B[i] + B[i + 1]);
  }
}

static void run(const long *S, void *const *D) { jacobi1d(S[NT], S[N], D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "jacobi-1d",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "n"},
    .SizeClasses = {{20, 30}, {40, 120}, {100, 400}, {500, 2000}},
    .Arrays = {{"A", TypeDouble, FillUniform, 1, {N}}, {"B", TypeDouble, FillUniform, 1, {N}}},
    .Flops = "2*nt*3*(n-2)",
    .Bytes = "8*4*n",
    .Run = run,
};
