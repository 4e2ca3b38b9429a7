//===- examples/gemm.cpp - matrix product on flat arrays ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha*A*B + beta*C as in textbooks: the sizes are known only at run time, and the three plain
// pointers might overlap, so a compiler has to assume the worst. --order=ikj is the same product
// with the two inner loops exchanged by hand, which already suits a cache and a vectorizer.
#include "support.h"

using namespace example;

// C is n x m, A is n x p, B is p x m, all row by row.
EXAMPLE_KERNEL void gemm(long n, long m, long p, double alpha, double beta, double *C,
                         const double *A, const double *B) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      C[i * m + j] *= beta;
      for (long k = 0; k < p; ++k)
        C[i * m + j] += alpha * A[i * p + k] * B[k * m + j];
    }
}

EXAMPLE_KERNEL void gemmByRows(long n, long m, long p, double alpha, double beta, double *C,
                               const double *A, const double *B) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < m; ++j)
      C[i * m + j] *= beta;
    for (long k = 0; k < p; ++k)
      for (long j = 0; j < m; ++j)
        C[i * m + j] += alpha * A[i * p + k] * B[k * m + j];
  }
}

int main(int Argc, char **Argv) {
  long N = 1000, M = 1100, P = 1200, Repeat = 3;
  std::string Order = "ijk", Output;
  CommandLine Line("gemm", "C = alpha*A*B + beta*C on flat arrays of double");
  Line.positional("n", "rows of A and C", N, 1, 20000);
  Line.positional("m", "columns of B and C", M, 1, 20000);
  Line.positional("p", "columns of A, rows of B", P, 1, 20000);
  Line.option("repeat", "number of products", Repeat, 1, 1000000);
  Line.option("order", "loop order, ijk or ikj", Order);
  Line.option("output", "file for C as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Order != "ijk" && Order != "ikj")
    fail("order must be ijk or ikj, not '" + Order + "'");
  auto *Product = Order == "ijk" ? gemm : gemmByRows;

  std::vector<double> A(N * P), B(P * M), C(N * M);
  Random Numbers(1);
  for (auto *Matrix : {&A, &B, &C})
    for (double &X : *Matrix)
      X = Numbers.next();

  Stopwatch Watch;
  Watch.start();
  for (long I = 0; I < Repeat; ++I)
    Product(N, M, P, 1.5, 0.5, C.data(), A.data(), B.data());
  Watch.stop();

  Checksum Sum;
  Sum.add(C);
  writeFile(Output, "", C.data(), C.size() * sizeof(double));
  report(Sum, Watch);
}
