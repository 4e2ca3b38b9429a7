//===- bench/polybench/kernels/ludcmp.c - linear system by triangular decomposition ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A x = b for an n x n matrix: A = L U in place, then L y = b forwards and U x = y backwards.
#include "../kernel.h"

enum { N };
#define A(i, j) AT2(A, n, i, j)

KERNEL ludcmp(Index n, double MATRIX(A, n), const double *b, double *x, double *y) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      double Rest = A(i, j);
      for (Index k = 0; k < j; ++k)
        Rest -= A(i, k) * A(k, j);
      A(i, j) = Rest / A(j, j);
    }
    for (Index j = i; j < n; ++j) {
      double Rest = A(i, j);
      for (Index k = 0; k < i; ++k)
        Rest -= A(i, k) * A(k, j);
      A(i, j) = Rest;
    }
  }
  for (Index i = 0; i < n; ++i) {
    double Rest = b[i];
    for (Index j = 0; j < i; ++j)
      Rest -= A(i, j) * y[j];
    y[i] = Rest;
  }
  for (Index i = n - 1; i >= 0; --i) {
    double Rest = y[i];
    for (Index j = i + 1; j < n; ++j)
      Rest -= A(i, j) * x[j];
    x[i] = Rest / A(i, i);
  }
}

static void run(const long *S, void *const *D) { ludcmp(S[N], D[0], D[1], D[2], D[3]); }

const KernelInfo Kernel = {
    .Name = "ludcmp",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"A", TypeDouble, FillDominant, 2, {N, N}},
               {"b", TypeDouble, FillUniform, 1, {N}},
               {"x", TypeDouble, FillZero, 1, {N}},
               {"y", TypeDouble, FillZero, 1, {N}}},
    .Flops = "2*n**3/3 + 2*n**2",
    .Bytes = "8*(2*n**2 + 2*n)",
    .Run = run,
};
