//===- bench/sparse/ic0.cpp - the numbers of an incomplete Cholesky factor ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include <cmath>

namespace {

/// \p L has the pattern of A's lower triangle, whose values are \p A.
BENCH_KERNEL void factor(long Rows, const std::vector<int> &RowStart,
                         const std::vector<int> &Column, const std::vector<double> &A,
                         std::vector<double> &L) {
  for (long I = 0; I < Rows; ++I)
    for (int P = RowStart[I]; P < RowStart[I + 1]; ++P) {
      const int J = Column[P], Diagonal = RowStart[J + 1] - 1;
      double Sum = A[P];
      int Q = RowStart[I], R = RowStart[J];
      while (Q < P && R < Diagonal) {
        if (Column[Q] == Column[R])
          Sum -= L[Q++] * L[R++];
        else if (Column[Q] < Column[R])
          ++Q;
        else
          ++R;
      }
      L[P] = P == Diagonal ? std::sqrt(Sum) : Sum / L[Diagonal];
    }
}

} // namespace

int main(int Argc, char **Argv) {
  bench::Matrix A = bench::lowerTriangle(bench::matrixArgument(Argc, Argv, 1));
  const long NumCalls = bench::argument(Argc, Argv, 2, 1000);
  std::vector<double> L(A.Value.size());
  bench::Calls Calls;
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    factor(A.Rows, A.RowStart, A.Column, A.Value, L);
    Calls.end();
    A.Value[A.RowStart[Call % A.Rows + 1] - 1] *= 1.01;
  }
  Calls.print(L, {20 * A.entries() + 4 * static_cast<double>(A.Rows), 3 * A.entries()});
}
