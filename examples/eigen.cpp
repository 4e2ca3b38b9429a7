//===- examples/eigen.cpp - products of Eigen's matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example computes a product in two ways. `A * B` ends in a kernel that Eigen's authors blocked
// and wrote with vector instructions by hand. `A.lazyProduct(B)` is an expression whose
// coefficients are sums, which the compiler has to turn into a loop nest.
//
// The lesson: neither gains. The kernel is tuned by hand, and Eigen's templates vectorise the loops
// of the expression before any compiler sees them; the report says of each that no candidate paid.
// Templates gain if they leave loops to the compiler: see plate.cpp.
#include "support.h"
#include <Eigen/Dense>

using namespace example;
using Eigen::MatrixXd;

EXAMPLE_KERNEL static void multiply(MatrixXd &C, const MatrixXd &A, const MatrixXd &B) {
  C.noalias() = A * B;
}

EXAMPLE_KERNEL static void multiplyLazily(MatrixXd &C, const MatrixXd &A, const MatrixXd &B) {
  C = A.lazyProduct(B);
}

static MatrixXd randomMatrix(long N, uint64_t Seed) {
  Random Numbers(Seed);
  MatrixXd M(N, N);
  for (long I = 0; I < M.size(); ++I)
    M.data()[I] = Numbers.next();
  return M;
}

int main(int Argc, char **Argv) {
  long N = 1700, Repeat = 1;
  std::string Product = "tuned", Output;
  CommandLine Line("eigen", "products of Eigen's matrices");
  Line.positional("n", "rows and columns", N, 1, 20000);
  Line.option("repeat", "products", Repeat, 1, 100000);
  Line.option("product", "tuned or lazy", Product);
  Line.option("output", "file for the result as raw doubles", Output);
  Line.parse(Argc, Argv);
  if (Product != "tuned" && Product != "lazy")
    fail("product must be tuned or lazy, not '" + Product + "'");

  const MatrixXd A = randomMatrix(N, 1), B = randomMatrix(N, 2);
  MatrixXd C(N, N);
  Stopwatch Watch;
  Watch.start();
  for (long I = 0; I < Repeat; ++I)
    (Product == "tuned" ? multiply : multiplyLazily)(C, A, B);
  Watch.stop();

  Checksum Sum;
  Sum.add(C.data(), C.size() * sizeof(double));
  writeFile(Output, "", C.data(), C.size() * sizeof(double));
  std::printf("corner=%.17g\n", C(N - 1, N - 1));
  report(Sum, Watch);
}
