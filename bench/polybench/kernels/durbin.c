//===- bench/polybench/kernels/durbin.c - Toeplitz system by the Levinson-Durbin recursion ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T y = -r, where T is the symmetric Toeplitz matrix with first row 1, r_0, r_1, ... (the
// Yule-Walker equations). Step k extends the solution of order k, with z as the new one while y is
// still needed.
#include "../kernel.h"

enum { N };

KERNEL durbin(Index n, const double *r, double *y, double *z) {
  double Error = 1.0, Reflection = -r[0];
  y[0] = -r[0];
  for (Index k = 1; k < n; ++k) {
    Error *= 1.0 - Reflection * Reflection;
    double Sum = 0.0;
    for (Index i = 0; i < k; ++i)
      Sum += r[k - i - 1] * y[i];
    Reflection = -(r[k] + Sum) / Error;
    for (Index i = 0; i < k; ++i)
      z[i] = y[i] + Reflection * y[k - i - 1];
    for (Index i = 0; i < k; ++i)
      y[i] = z[i];
    y[k] = Reflection;
  }
}

static void run(const long *S, void *const *D) { durbin(S[N], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "durbin",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{40}, {120}, {400}, {2000}},
    .Arrays = {{"r", TypeDouble, FillDecaying, 1, {N}},
               {"y", TypeDouble, FillZero, 1, {N}},
               {"z", TypeDouble, FillZero, 1, {N}}},
    .Flops = "2*n**2",
    .Bytes = "8*2*n",
    .Run = run,
};
