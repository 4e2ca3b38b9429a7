//===- bench/zeros/libraries/openblas.cpp - the kernels on the dense data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"
#include <cblas.h>

/// usage: openblas KERNEL PATTERN PERCENT CALLS
int main(int Argc, char **Argv) {
  const std::string Kernel = Argc > 1 ? Argv[1] : "";
  const long N = Kernel == "gemm" ? 1024 : Kernel == "syrk" ? 600 : 2048, M = 256;
  const bench::ZerosCase Case = bench::zerosCase(Argc - 1, Argv + 1, N);
  const std::vector<double> A = bench::matrixOf(Case), B = bench::numbers(N * M, 3);
  std::vector<double> C(N * std::max(N, M));
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    Calls.begin();
    if (Kernel == "gemm")
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, M, N, 1.0, A.data(), N, B.data(), M,
                  1.0, C.data(), M);
    else if (Kernel == "syrk")
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, N, N, 0.5, A.data(), N, 1.0, C.data(),
                  N);
    else
      cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1.0, A.data(), N, B.data(), 1, 0.0, C.data(),
                  1);
    Calls.end();
  }
  Calls.print(C, {});
}
