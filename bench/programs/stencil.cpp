//===- bench/programs/stencil.cpp - heat on a plane, all threads at each step ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outcome.h"
#include <utility>

namespace {

void step(double *Next, const double *Now, const double *Conductivity, long Rows, long Columns) {
#pragma omp parallel for
  for (long I = 1; I < Rows - 1; ++I)
    for (long J = 1; J < Columns - 1; ++J) {
      const long P = I * Columns + J;
      Next[P] = Now[P] + Conductivity[P] * (Now[P - Columns] + Now[P + Columns] + Now[P - 1] +
                                            Now[P + 1] - 4.0 * Now[P]);
    }
}

} // namespace

int main(int Argc, char **Argv) {
  const long N = bench::argument(Argc, Argv, 1, 900), Steps = bench::argument(Argc, Argv, 2, 300);
  std::vector<double> Now = bench::numbers(N * N, 1), Next = Now;
  std::vector<double> Conductivity = bench::numbers(N * N, 2);
  for (double &Value : Conductivity)
    Value = 0.1 + 0.1 * Value;
  bench::Stopwatch Time;
  for (long S = 0; S < Steps; ++S) {
    step(Next.data(), Now.data(), Conductivity.data(), N, N);
    std::swap(Now, Next);
  }
  Time.stop();
  Time.print(bench::checksum(Now));
}
