//===- bench/polybench/kernels/adi.c - alternating directions for the heat equation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of nt steps advances u on an n x n grid, with ones around it, by two half steps: implicit
// along the columns with u explicit along the rows (giving v), then the other way round. The
// tridiagonal systems of a half step are solved by elimination: p and q hold the coefficients of
// v_j = p_j v_(j+1) + q_j. Diffusion is 2 along columns and 1 along rows.
#include "../kernel.h"

enum { NT, N };
#define U(i, j) AT2(U, n, i, j)
#define V(i, j) AT2(V, n, i, j)
#define P(i, j) AT2(P, n, i, j)
#define Q(i, j) AT2(Q, n, i, j)

KERNEL adi(Index nt, Index n, double MATRIX(U, n), double MATRIX(V, n), double MATRIX(P, n),
           double MATRIX(Q, n)) {
  const double Step = 1.0 / n, Time = 1.0 / nt;
  const double AlongColumns = 2.0 * Time / (Step * Step), AlongRows = 1.0 * Time / (Step * Step);
  // Off-diagonal and diagonal elements of both kinds of system.
  const double a = -AlongColumns / 2.0, b = 1.0 + AlongColumns;
  const double d = -AlongRows / 2.0, e = 1.0 + AlongRows;
  for (Index t = 1; t <= nt; ++t) {
    for (Index i = 1; i < n - 1; ++i) {
      V(0, i) = 1.0;
      P(i, 0) = 0.0;
      Q(i, 0) = V(0, i);
      for (Index j = 1; j < n - 1; ++j) {
        P(i, j) = -a / (a * P(i, j - 1) + b);
        Q(i, j) =
            (-d * U(j, i - 1) + (1.0 + 2.0 * d) * U(j, i) - d * U(j, i + 1) - a * Q(i, j - 1)) /
            (a * P(i, j - 1) + b);
      }
      V(n - 1, i) = 1.0;
      for (Index j = n - 2; j >= 1; --j)
        V(j, i) = P(i, j) * V(j + 1, i) + Q(i, j);
    }
    for (Index i = 1; i < n - 1; ++i) {
      U(i, 0) = 1.0;
      P(i, 0) = 0.0;
      Q(i, 0) = U(i, 0);
      for (Index j = 1; j < n - 1; ++j) {
        P(i, j) = -d / (d * P(i, j - 1) + e);
        Q(i, j) =
            (-a * V(i - 1, j) + (1.0 + 2.0 * a) * V(i, j) - a * V(i + 1, j) - d * Q(i, j - 1)) /
            (d * P(i, j - 1) + e);
      }
      U(i, n - 1) = 1.0;
      for (Index j = n - 2; j >= 1; --j)
        U(i, j) = P(i, j) * U(i, j + 1) + Q(i, j);
    }
  }
}

static void run(const long *S, void *const *D) { adi(S[NT], S[N], D[0], D[1], D[2], D[3]); }

const KernelInfo Kernel = {
    .Name = "adi",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "n"},
    .SizeClasses = {{20, 20}, {40, 60}, {100, 200}, {500, 1000}},
    .Arrays = {{"U", TypeDouble, FillUniform, 2, {N, N}},
               {"V", TypeDouble, FillUniform, 2, {N, N}},
               {"P", TypeDouble, FillZero, 2, {N, N}},
               {"Q", TypeDouble, FillZero, 2, {N, N}}},
    .Flops = "nt*(n-2)**2*2*15",
    .Bytes = "8*5*n**2",
    .Run = run,
};
