//===- bench/polybench/kernels/covariance.c - covariances ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C_ij is the covariance of columns i and j of the n x m matrix X, whose rows are observations. X
// is centred on the way.
#include "../kernel.h"

enum { M, N };
#define X(i, j) AT2(X, m, i, j)
#define C(i, j) AT2(C, m, i, j)

KERNEL covariance(Index m, Index n, double MATRIX(X, m), double MATRIX(C, m), double *Mean) {
  const double Count = n;
  for (Index j = 0; j < m; ++j) {
    Mean[j] = 0.0;
    for (Index i = 0; i < n; ++i)
      Mean[j] += X(i, j);
    Mean[j] /= Count;
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j)
      X(i, j) -= Mean[j];
#ifdef POLYBENCH_BLAS
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, m, n, 1.0 / (Count - 1.0), X, m, 0.0, C, m);
  for (Index i = 0; i < m; ++i)
    for (Index j = i; j < m; ++j)
      C(j, i) = C(i, j);
#else
  for (Index i = 0; i < m; ++i)
    for (Index j = i; j < m; ++j) {
      C(i, j) = 0.0;
      for (Index k = 0; k < n; ++k)
        C(i, j) += X(k, i) * X(k, j);
      C(i, j) /= Count - 1.0;
      C(j, i) = C(i, j);
    }
#endif
}

static void run(const long *S, void *const *D) { covariance(S[M], S[N], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "covariance",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"m", "n"},
    .SizeClasses = {{28, 32}, {80, 100}, {240, 260}, {1200, 1400}},
    .Arrays = {{"X", TypeDouble, FillUniform, 2, {N, M}},
               {"C", TypeDouble, FillZero, 2, {M, M}},
               {"Mean", TypeDouble, FillZero, 1, {M}}},
    .Flops = "m*(m+1)*n + 2*m*n",
    .Bytes = "8*(2*m*n + m**2 + m)",
    .Run = run,
};
