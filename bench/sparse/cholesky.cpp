//===- bench/sparse/cholesky.cpp - a Cholesky factor again and again for one pattern ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works left-looking by columns: previous columns with an entry in its row update a column.
#include "sparse.h"
#include <cmath>

namespace {

/// \p Start and \p Row hold the columns of L, from the diagonal down. \p RowStart, \p Column and
/// \p Place hold, for each row, the previous columns with an entry in it, and its place. \p A holds
/// A's values in L's pattern. \p Work is zero everywhere, before and after.
BENCH_KERNEL void factor(long N, const std::vector<int> &Start, const std::vector<int> &Row,
                         const std::vector<int> &RowStart, const std::vector<int> &Column,
                         const std::vector<int> &Place, const std::vector<double> &A,
                         std::vector<double> &Work, std::vector<double> &L) {
  for (long J = 0; J < N; ++J) {
    for (int P = Start[J]; P < Start[J + 1]; ++P)
      Work[Row[P]] = A[P];
    for (int K = RowStart[J]; K < RowStart[J + 1]; ++K) {
      const double Factor = L[Place[K]];
      for (int P = Place[K]; P < Start[Column[K] + 1]; ++P)
        Work[Row[P]] -= Factor * L[P];
    }
    const double Diagonal = std::sqrt(Work[J]);
    L[Start[J]] = Diagonal;
    Work[J] = 0.0;
    for (int P = Start[J] + 1; P < Start[J + 1]; ++P) {
      L[P] = Work[Row[P]] / Diagonal;
      Work[Row[P]] = 0.0;
    }
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix F = bench::withFill(bench::matrixArgument(Argc, Argv, 1));
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000), N = F.Rows;
  // By symmetry a column from its diagonal on is a row of the upper triangle.
  bench::Matrix Columns = bench::upperTriangle(F);
  std::vector<int> RowStart{0}, Column, Place, Next = Columns.RowStart;
  for (long I = 0; I < N; ++I) {
    ++Next[I]; // the diagonal
    for (int K = F.RowStart[I]; F.Column[K] < I; ++K) {
      Column.push_back(F.Column[K]);
      Place.push_back(Next[F.Column[K]]++);
    }
    RowStart.push_back(static_cast<int>(Column.size()));
  }
  double Operations = static_cast<double>(N);
  for (long J = 0; J < N; ++J) {
    const double Below = Columns.RowStart[J + 1] - Columns.RowStart[J] - 1;
    Operations += Below + Below * (Below + 1);
  }
  std::vector<double> Work(N), L(Columns.Value.size());
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    factor(N, Columns.RowStart, Columns.Column, RowStart, Column, Place, Columns.Value, Work, L);
    Calls.end();
    Columns.Value[Columns.RowStart[Call % N]] *= 1.001;
  }
  Calls.print(L, {28 * Columns.entries(), Operations});
}
