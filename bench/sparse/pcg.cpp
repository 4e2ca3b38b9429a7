//===- bench/sparse/pcg.cpp - conjugate gradients with an incomplete Cholesky factor ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse.h"
#include <algorithm>
#include <cmath>

namespace {

using Vector = std::vector<double>;

BENCH_KERNEL void multiply(const bench::Matrix &A, const Vector &X, Vector &Y) {
  for (long I = 0; I < A.Rows; ++I) {
    double Sum = 0.0;
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      Sum += A.Value[K] * X[A.Column[K]];
    Y[I] = Sum;
  }
}

/// Values of the lower triangle become those of its incomplete factor.
BENCH_KERNEL void factor(bench::Matrix &L) {
  for (long I = 0; I < L.Rows; ++I)
    for (int P = L.RowStart[I]; P < L.RowStart[I + 1]; ++P) {
      const int J = L.Column[P], Diagonal = L.RowStart[J + 1] - 1;
      double Sum = L.Value[P];
      int Q = L.RowStart[I], R = L.RowStart[J];
      while (Q < P && R < Diagonal) {
        if (L.Column[Q] == L.Column[R])
          Sum -= L.Value[Q++] * L.Value[R++];
        else if (L.Column[Q] < L.Column[R])
          ++Q;
        else
          ++R;
      }
      L.Value[P] = P == Diagonal ? std::sqrt(Sum) : Sum / L.Value[Diagonal];
    }
}

BENCH_KERNEL void solveLower(const bench::Matrix &L, const Vector &B, Vector &X) {
  for (long I = 0; I < L.Rows; ++I) {
    double Sum = B[I];
    const int Diagonal = L.RowStart[I + 1] - 1;
    for (int K = L.RowStart[I]; K < Diagonal; ++K)
      Sum -= L.Value[K] * X[L.Column[K]];
    X[I] = Sum / L.Value[Diagonal];
  }
}

BENCH_KERNEL void solveUpper(const bench::Matrix &U, const Vector &B, Vector &X) {
  for (long I = U.Rows - 1; I >= 0; --I) {
    double Sum = B[I];
    const int Diagonal = U.RowStart[I];
    for (int K = Diagonal + 1; K < U.RowStart[I + 1]; ++K)
      Sum -= U.Value[K] * X[U.Column[K]];
    X[I] = Sum / U.Value[Diagonal];
  }
}

BENCH_KERNEL double dot(long N, const Vector &X, const Vector &Y) {
  double Sum = 0.0;
  for (long I = 0; I < N; ++I)
    Sum += X[I] * Y[I];
  return Sum;
}

BENCH_KERNEL void addScaled(long N, Vector &Y, double Factor, const Vector &X) {
  for (long I = 0; I < N; ++I)
    Y[I] += Factor * X[I];
}

BENCH_KERNEL void scaleAndAdd(long N, Vector &Y, double Factor, const Vector &X) {
  for (long I = 0; I < N; ++I)
    Y[I] = X[I] + Factor * Y[I];
}

struct Solver {
  const bench::Matrix &A;
  bench::Matrix L, U;
  Vector Residual, Direction, Image, Half, Better;

  explicit Solver(const bench::Matrix &A)
      : A(A), L(bench::lowerTriangle(A)), Residual(A.Rows), Direction(A.Rows), Image(A.Rows),
        Half(A.Rows), Better(A.Rows) {
    factor(L);
    U = bench::transposed(L);
  }

  double precondition() {
    solveLower(L, Residual, Half);
    solveUpper(U, Half, Better);
    return dot(A.Rows, Residual, Better);
  }

  void iterations(long Count, const Vector &B, Vector &X) {
    const long N = A.Rows;
    std::fill(X.begin(), X.end(), 0.0);
    Residual = B;
    double Norm = precondition();
    Direction = Better;
    for (long I = 0; I < Count; ++I) {
      multiply(A, Direction, Image);
      const double Step = Norm / dot(N, Direction, Image);
      addScaled(N, X, Step, Direction);
      addScaled(N, Residual, -Step, Image);
      const double NewNorm = precondition();
      scaleAndAdd(N, Direction, NewNorm / Norm, Better);
      Norm = NewNorm;
    }
  }
};

} // namespace

int main(int Argc, char **Argv) {
  const bench::Matrix A = bench::matrixArgument(Argc, Argv, 1);
  const long NumCalls = bench::argument(Argc, Argv, 2, 10);
  const long Iterations = bench::argument(Argc, Argv, 3, 30);
  const double N = static_cast<double>(A.Rows);
  Vector B = bench::numbers(A.Rows, 3), X(A.Rows);
  bench::Calls Calls;
  Solver S(A);
  for (long Call = 0; Call < NumCalls; ++Call) {
    Calls.begin();
    S.iterations(Iterations, B, X);
    Calls.end();
    B[Call % A.Rows] += 0.1;
  }
  const double OfL = (A.entries() + N) / 2, Times = static_cast<double>(Iterations);
  Calls.print(X, {Times * (12 * A.entries() + 24 * OfL + 176 * N),
                  Times * (2 * A.entries() + 4 * OfL + 10 * N)});
}
