//===- bench/programs/eigen.cpp - one product of Eigen's ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <Eigen/Dense>

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 1700);
  const std::vector<double> First = bench::numbers(N * N, 1), Second = bench::numbers(N * N, 2);
  const Eigen::MatrixXd A = Eigen::Map<const Eigen::MatrixXd>(First.data(), N, N);
  const Eigen::MatrixXd B = Eigen::Map<const Eigen::MatrixXd>(Second.data(), N, N);
  bench::Stopwatch Time;
  const Eigen::MatrixXd C = A * B;
  Time.stop();
  Time.print(bench::checksum(C.data(), N * N));
}
