//===- bench/polybench/kernels/nussinov.c - folding of RNA with the most base pairs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T_ij is the largest number of pairs within bases i to j that do not cross: leave out an end, pair
// the ends (bases that add up to 3, not next to each other), or split in two.
#include "../kernel.h"

enum { N };
#define T(i, j) AT2(T, n, i, j)

static inline int larger(int a, int b) { return a >= b ? a : b; }

KERNEL nussinov(Index n, const char *Bases, int MATRIX(T, n)) {
  for (Index i = n - 1; i >= 0; --i)
    for (Index j = i + 1; j < n; ++j) {
      const int Pair = i < j - 1 && Bases[i] + Bases[j] == 3;
      T(i, j) = larger(T(i, j), T(i, j - 1));
      T(i, j) = larger(T(i, j), T(i + 1, j));
      T(i, j) = larger(T(i, j), T(i + 1, j - 1) + Pair);
      for (Index k = i + 1; k < j; ++k)
        T(i, j) = larger(T(i, j), T(i, k) + T(k + 1, j));
    }
}

static void run(const long *S, void *const *D) { nussinov(S[N], D[0], D[1]); }

const KernelInfo Kernel = {
    .Name = "nussinov",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{60}, {180}, {500}, {2500}},
    .Arrays = {{"Bases", TypeChar, FillBases, 1, {N}}, {"T", TypeInt, FillZero, 2, {N, N}}},
    .Flops = "n**3/3",
    .Bytes = "n + 4*n**2",
    .Run = run,
};
