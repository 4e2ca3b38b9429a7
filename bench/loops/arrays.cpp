//===- bench/loops/arrays.cpp - the global arrays of the loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

// The arrays begin at cache lines: their alignment changes the speed of vectors of 64 bytes by up
// to a factor of two. The loops do not know the alignment.
alignas(64) double A[Length], B[Length], C[Length], D[Length], E[Length];
alignas(64) double M[Rows][Columns], P[Rows][Columns], Q[Rows][Columns];
alignas(64) float R[Length], S[Length], T[Length], U[Length], V[Length];
alignas(64) float F[Rows][Columns], G[Rows][Columns], H[Rows][Columns];
alignas(64) int Order[Length], Place[Length], Kind[Length];
long Few, Middle;

} // namespace loops
