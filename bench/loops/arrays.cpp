//===- bench/loops/arrays.cpp - the global arrays of the loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

double A[Length], B[Length], C[Length], D[Length], E[Length];
double M[Rows][Columns], P[Rows][Columns], Q[Rows][Columns];
float R[Length], S[Length], T[Length], U[Length], V[Length];
float F[Rows][Columns], G[Rows][Columns], H[Rows][Columns];
int Order[Length], Place[Length], Kind[Length];
long Few, Middle;

} // namespace loops
