//===- bench/polybench/kernels/correlation.c - correlation coefficients ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R_ij is the correlation of columns i and j of the n x m matrix X, whose rows are observations. X
// is centred and scaled on the way. A column that hardly varies is scaled by one.
#include "../kernel.h"
#include <math.h>

enum { M, N };
#define X(i, j) AT2(X, m, i, j)
#define R(i, j) AT2(R, m, i, j)

KERNEL correlation(Index m, Index n, double MATRIX(X, m), double MATRIX(R, m), double *Mean,
                   double *Deviation) {
  const double Count = n, Negligible = 0.1;
  for (Index j = 0; j < m; ++j) {
    Mean[j] = 0.0;
    for (Index i = 0; i < n; ++i)
      Mean[j] += X(i, j);
    Mean[j] /= Count;
  }
  for (Index j = 0; j < m; ++j) {
    Deviation[j] = 0.0;
    for (Index i = 0; i < n; ++i)
      Deviation[j] += (X(i, j) - Mean[j]) * (X(i, j) - Mean[j]);
    Deviation[j] = sqrt(Deviation[j] / Count);
    if (Deviation[j] <= Negligible)
      Deviation[j] = 1.0;
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      X(i, j) = (X(i, j) - Mean[j]) / (sqrt(Count) * Deviation[j]);
#ifdef POLYBENCH_BLAS
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, m, n, 1.0, X, m, 0.0, R, m);
  for (Index i = 0; i < m; ++i) {
    R(i, i) = 1.0;
    for (Index j = i + 1; j < m; ++j)
      R(j, i) = R(i, j);
  }
#else
  for (Index i = 0; i < m; ++i) {
    R(i, i) = 1.0;
    for (Index j = i + 1; j < m; ++j) {
      R(i, j) = 0.0;
      for (Index k = 0; k < n; ++k)
        R(i, j) += X(k, i) * X(k, j);
      R(j, i) = R(i, j);
    }
  }
#endif
}

static void run(const long *S, void *const *D) { correlation(S[M], S[N], D[0], D[1], D[2], D[3]); }

const KernelInfo Kernel = {
    .Name = "correlation",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{28, 32}, {80, 100}, {240, 260}, {1200, 1400}},
    .Arrays = {{"X", TypeDouble, FillUniform, 2, {N, M}},
               {"R", TypeDouble, FillZero, 2, {M, M}},
               {"Mean", TypeDouble, FillZero, 1, {M}},
               {"Deviation", TypeDouble, FillZero, 1, {M}}},
    .Flops = "m*(m-1)*n + 6*m*n",
    .Bytes = "8*(2*m*n + m**2 + 2*m)",
    .Run = run,
};
