//===- bench/sparse/ilu0.cpp - the numbers of an incomplete LU factorisation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"

namespace {

/// \p Where is -1 everywhere, before and after.
BENCH_KERNEL void factor(long Rows, const std::vector<int> &RowStart,
                         const std::vector<int> &Column, const std::vector<int> &Diagonal,
                         std::vector<int> &Where, std::vector<double> &LU) {
  for (long I = 0; I < Rows; ++I) {
    for (int P = RowStart[I]; P < RowStart[I + 1]; ++P)
      Where[Column[P]] = P;
    for (int P = RowStart[I]; P < Diagonal[I]; ++P) {
      const int K = Column[P];
      LU[P] /= LU[Diagonal[K]];
      for (int Q = Diagonal[K] + 1; Q < RowStart[K + 1]; ++Q)
        if (Where[Column[Q]] >= 0)
          LU[Where[Column[Q]]] -= LU[P] * LU[Q];
    }
    for (int P = RowStart[I]; P < RowStart[I + 1]; ++P)
      Where[Column[P]] = -1;
  }
}

} // namespace

int main(int Argc, char **Argv) {
  bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000);
  const std::vector<int> Diagonal = bench::diagonals(A);
  std::vector<int> Where(A.Rows, -1);
  std::vector<double> LU;
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    LU = A.Value;
    Calls.begin();
    factor(A.Rows, A.RowStart, A.Column, Diagonal, Where, LU);
    Calls.end();
    A.Value[Diagonal[Call % A.Rows]] *= 1.01;
  }
  Calls.print(LU, {20 * A.entries() + 8 * static_cast<double>(A.Rows), 3 * A.entries()});
}
