//===- bench/sparse/lu.cpp - an LU factorisation again and again for one pattern ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factorises by rows, without a choice of pivots: each row is scattered, reduced by the previous
// rows, and gathered.
#include "sparse.h"

namespace {

/// \p A holds A's values in the pattern with fill. \p LU receives L below the diagonal and U from
/// the diagonal on.
BENCH_KERNEL void factor(long N, const std::vector<int> &RowStart, const std::vector<int> &Column,
                         const std::vector<int> &Diagonal, const std::vector<double> &A,
                         std::vector<double> &Work, std::vector<double> &LU) {
  for (long I = 0; I < N; ++I) {
    for (int P = RowStart[I]; P < RowStart[I + 1]; ++P)
      Work[Column[P]] = A[P];
    for (int P = RowStart[I]; P < Diagonal[I]; ++P) {
      const int K = Column[P];
      const double Factor = Work[K] / LU[Diagonal[K]];
      LU[P] = Factor;
      for (int Q = Diagonal[K] + 1; Q < RowStart[K + 1]; ++Q)
        Work[Column[Q]] -= Factor * LU[Q];
    }
    for (int P = Diagonal[I]; P < RowStart[I + 1]; ++P)
      LU[P] = Work[Column[P]];
  }
}

} // namespace

int main(int Argc, char **Argv) {
  bench::Matrix F = bench::withFill(bench::matrixArgument(Argc, Argv, 1));
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = F.Rows;
  const std::vector<int> Diagonal = bench::diagonals(F);
  double Operations = 0.0;
  for (long I = 0; I < N; ++I)
    for (int P = F.RowStart[I]; P < Diagonal[I]; ++P)
      Operations += 1 + 2 * (F.RowStart[F.Column[P] + 1] - Diagonal[F.Column[P]] - 1);
  std::vector<double> Work(N), LU(F.Value.size());
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    factor(N, F.RowStart, F.Column, Diagonal, F.Value, Work, LU);
    Calls.end();
    F.Value[Diagonal[Call % N]] *= 1.001;
  }
  Calls.print(LU, {20 * F.entries() + 8 * static_cast<double>(N), Operations});
}
