//===- bench/polybench/kernels/fdtd-2d.c - finite differences for Maxwell's equations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nt leapfrog steps of the electric field (ex, ey) and the magnetic field hz on an nx x ny grid.
// The source drives ey along the first row.
#include "../kernel.h"

enum { NT, NX, NY };
#define Ex(i, j) AT2(Ex, ny, i, j)
#define Ey(i, j) AT2(Ey, ny, i, j)
#define Hz(i, j) AT2(Hz, ny, i, j)

KERNEL fdtd2d(Index nt, Index nx, Index ny, double MATRIX(Ex, ny), double MATRIX(Ey, ny),
              double MATRIX(Hz, ny), const double *Source) {
  for (Index t = 0; t < nt; ++t) {
    for (Index j = 0; j < ny; ++j)
      Ey(0, j) = Source[t];
    for (Index i = 1; i < nx; ++i)
      for (Index j = 0; j < ny; ++j)
        Ey(i, j) -= 0.5 * (Hz(i, j) - Hz(i - 1, j));
    for (Index i = 0; i < nx; ++i)
      for (Index j = 1; j < ny; ++j)
        Ex(i, j) -= 0.5 * (Hz(i, j) - Hz(i, j - 1));
    for (Index i = 0; i < nx - 1; ++i)
      for (Index j = 0; j < ny - 1; ++j)
        Hz(i, j) -= 0.7 * (Ex(i, j + 1) - Ex(i, j) + Ey(i + 1, j) - Ey(i, j));
  }
}

static void run(const long *S, void *const *D) {
  fdtd2d(S[NT], S[NX], S[NY], D[0], D[1], D[2], D[3]);
}

const KernelInfo Kernel = {
    .Name = "fdtd-2d",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nt", "nx", "ny"},
    .SizeClasses = {{20, 20, 30}, {40, 60, 80}, {100, 200, 240}, {500, 1000, 1200}},
    .Arrays = {{"Ex", TypeDouble, FillUniform, 2, {NX, NY}},
               {"Ey", TypeDouble, FillUniform, 2, {NX, NY}},
               {"Hz", TypeDouble, FillUniform, 2, {NX, NY}},
               {"Source", TypeDouble, FillUniform, 1, {NT}}},
    .Flops = "nt*(3*(nx-1)*ny + 3*nx*(ny-1) + 5*(nx-1)*(ny-1))",
    .Bytes = "8*(6*nx*ny + nt)",
    .Run = run,
};
