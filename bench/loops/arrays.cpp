//===- bench/loops/arrays.cpp - the global arrays of the loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops.h"

namespace loops {

// At the begin of a line of the cache: where a linker puts them decides about vectors of 64 bytes
// by up to a factor of two. Loops do not know.
alignas(64) double A[Length], B[Length], C[Length], D[Length], E[Length];
alignas(64) double M[Rows][Columns], P[Rows][Columns], Q[Rows][Columns];
alignas(64) float R[Length], S[Length], T[Length], U[Length], V[Length];
alignas(64) float F[Rows][Columns], G[Rows][Columns], H[Rows][Columns];
alignas(64) int Order[Length], Place[Length], Kind[Length];
long Few, Middle;

} // namespace loops
