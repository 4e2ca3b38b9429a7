//===- bench/polybench/kernels/floyd-warshall.c - shortest paths between all pairs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// D_ij, the length of the edge from i to j, becomes the length of the shortest path, by allowing
// one more node k on the way at a time.
#include "../kernel.h"

enum { N };
#define D(i, j) AT2(D, n, i, j)

KERNEL floydWarshall(Index n, int MATRIX(D, n)) {
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        D(i, j) = D(i, k) + D(k, j) < D(i, j) ? D(i, k) + D(k, j) : D(i, j);
}

static void run(const long *S, void *const *D) { floydWarshall(S[N], D[0]); }

const KernelInfo Kernel = {
    .Name = "floyd-warshall",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"n"},
    .SizeClasses = {{60}, {180}, {500}, {2800}},
    .Arrays = {{"D", TypeInt, FillWeights, 2, {N, N}}},
    .Flops = "2*n**3",
    .Bytes = "4*2*n**2",
    .Run = run,
};
