//===- bench/polybench/kernels/doitgen.c - a tensor times a matrix, in place ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A_rqp = sum over s of A_rqs C_sp for an nr x nq x np tensor and an np x np matrix; t holds one
// line of the result until the line it replaces is no longer needed.
#include "../kernel.h"
#include <stdlib.h>
#include <string.h>

enum { NQ, NR, NP };
#define A(r, q, p) AT3(A, nq, np, r, q, p)
#define C(s, p) AT2(C, np, s, p)

KERNEL doitgen(Index nr, Index nq, Index np, double TENSOR3(A, nq, np), const double MATRIX(C, np),
               double *t) {
#ifdef POLYBENCH_BLAS
  size_t Bytes = nq * np * sizeof(double);
  double *Slice = malloc(Bytes);
  for (Index r = 0; r < nr; ++r) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nq, np, np, 1.0, &A(r, 0, 0), np, C, np,
                0.0, Slice, np);
    memcpy(&A(r, 0, 0), Slice, Bytes);
  }
  free(Slice);
#else
  for (Index r = 0; r < nr; ++r)
    for (Index q = 0; q < nq; ++q) {
      for (Index p = 0; p < np; ++p) {
        t[p] = 0.0;
        for (Index s = 0; s < np; ++s)
          t[p] += A(r, q, s) * C(s, p);
      }
      for (Index p = 0; p < np; ++p)
        A(r, q, p) = t[p];
    }
#endif
}

static void run(const long *S, void *const *D) { doitgen(S[NR], S[NQ], S[NP], D[0], D[1], D[2]); }

const KernelInfo Kernel = {
    .Name = "doitgen",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"nq", "nr", "np"},
    .SizeClasses = {{8, 10, 12}, {20, 25, 30}, {40, 50, 60}, {140, 150, 160}},
    .Arrays = {{"A", TypeDouble, FillUniform, 3, {NR, NQ, NP}},
               {"C", TypeDouble, FillUniform, 2, {NP, NP}},
               {"t", TypeDouble, FillZero, 1, {NP}}},
    .Flops = "2*nr*nq*np**2",
    .Bytes = "8*(2*nr*nq*np + np**2)",
    .Run = run,
};
