//===- bench/polybench/kernels/gramschmidt.c - orthonormal columns, Gram-Schmidt ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = Q R for an m x n matrix, where R is upper triangular and the columns of Q have length one.
// The remainders of A's columns after each projection replace them.
#include "../kernel.h"
#include <math.h>

enum { M, N };
#define A(i, j) AT2(A, n, i, j)
#define R(i, j) AT2(R, n, i, j)
#define Q(i, j) AT2(Q, n, i, j)

KERNEL gramSchmidt(Index m, Index n, double MATRIX(A, n), double MATRIX(R, n),
                   double MATRIX(Q, n)) {
  for (Index k = 0; k < n; ++k) {
    double Squares = 0.0;
    for (Index i = 0; i < m; ++i)
      Squares += A(i, k) * A(i, k);
    R(k, k) = sqrt(Squares);
    for (Index i = 0; i < m; ++i)
      Q(i, k) = A(i, k) / R(k, k);
    for (Index j = k + 1; j < n; ++j) {
      R(k, j) = 0.0;
      for (Index i = 0; i < m; ++i)
        R(k, j) += Q(i, k) * A(i, j);
      for (Index i = 0; i < m; ++i)
        A(i, j) -= Q(i, k) * R(k, j);
    }
  }
}

static void run(const long *S, void *const *D) { gramSchmidt(S[M], S[N], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "gramschmidt",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{20, 30}, {60, 80}, {200, 240}, {1000, 1200}},
    .Arrays = {{"A", TypeDouble, FillUniform, 2, {M, N}},
               {"R", TypeDouble, FillZero, 2, {N, N}},
               {"Q", TypeDouble, FillZero, 2, {M, N}}},
    .Flops = "2*m*n**2 + m*n",
    .Bytes = "8*(3*m*n + n**2/2)",
    .Run = run,
};
