//===- bench/zeros/libraries/eigen.cpp - the kernels on converted data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zeros.h"
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <chrono>
#include <cstdio>

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// usage: eigen KERNEL PATTERN PERCENT CALLS; first prints the time of the conversion
int main(int Argc, char **Argv) {
  const std::string Kernel = Argc > 1 ? Argv[1] : "";
  const long N = Kernel == "gemm" ? 1024 : Kernel == "syrk" ? 600 : 2048, M = 256;
  const bench::ZerosCase Case = bench::zerosCase(Argc - 1, Argv + 1, N);
  const std::vector<double> A = bench::matrixOf(Case), B = bench::numbers(N * M, 3);
  const auto Begin = std::chrono::steady_clock::now();
  const Sparse Converted = Eigen::Map<const Dense>(A.data(), N, N).sparseView();
  std::printf("converted %.9f\n",
              std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count());
  const Eigen::Map<const Dense> Right(B.data(), N, M);
  const Eigen::VectorXd X = Eigen::Map<const Eigen::VectorXd>(B.data(), N);
  Dense C = Dense::Zero(N, Kernel == "gemm" ? M : N);
  Eigen::VectorXd Y(N);
  bench::Calls Calls;
  for (long Call = 0; Call < Case.Calls; ++Call) {
    Calls.begin();
    if (Kernel == "gemm")
      C.noalias() += Converted * Right;
    else if (Kernel == "syrk")
      C += 0.5 * (Converted * Sparse(Converted.transpose()));
    else
      Y.noalias() = Converted * X;
    Calls.end();
  }
  const double *Result = Kernel == "gemm" || Kernel == "syrk" ? C.data() : Y.data();
  Calls.print(std::vector<double>(Result, Result + N), {});
}
